"""Compute behavior statistics from a game's actions, including the value of its deals."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from monopoly_env.compiler.records import Records
from monopoly_env.editions import Edition, EditionSet
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import Float64s, Int64s, Uint16s, new_games
from monopoly_env.value.weights import shipped_value
from monopoly_training.behavior.figures import AT, COLUMNS, DEAL_SUMS, ROUNDING
from monopoly_training.behavior.kernel import OFFER, SUMS, measure_game

ROOM = 256  # offers per game; the buffer grows for games with more
CLEAR = 0.002  # gains in win probability below this are within the error of the value function


class Judge(Protocol):
    """A value function, such as :class:`monopoly_env.value.Value`."""

    def chances(self, games: Records, rules: Records) -> Float64s:
        """Return win probabilities, float64[n, 8], from GAME[n] and RULES[1]."""


class BehaviorMeter:
    """Measures games from their actions, for one edition or for editions drawn by seed.

    ``judge`` values deals; None uses the package's learned value function.
    """

    def __init__(self, edition: Edition | EditionSet, judge: Judge | None = None) -> None:
        self._editions = EditionSet(edition) if isinstance(edition, Edition) else edition
        self._judge = judge or shipped_value()
        self._game, self._journals = new_games(1), new_journals(1, on=False)
        self._make_room(ROOM)

    def _make_room(self, offers: int) -> None:
        self._offers = np.zeros((offers, len(OFFER)), np.int64)
        self._refused, self._taken = new_games(offers), new_games(offers)

    def measure(self, players: int, seed: int, actions: Uint16s) -> Float64s:
        """Return each seat's sums, float64[players, len(COLUMNS)], rounded as in ledgers."""
        sums = np.zeros((PLAYERS, len(SUMS)))
        rules = self._editions.for_seed(seed).rules
        count = measure_game(
            self._game, rules, self._journals, actions, players, seed, sums, self._offers,
            self._refused, self._taken,
        )  # fmt: skip
        if count > len(self._offers):
            self._make_room(2 * count)
            return self.measure(players, seed, actions)
        gains = self._judge.chances(self._taken[:count], rules)
        gains = gains - self._judge.chances(self._refused[:count], rules)
        both = np.concatenate([sums, deal_sums(self._offers[:count], gains)], axis=1)[:players]
        return np.round(both, ROUNDING)


def deal_sums(offers: Int64s, gains: Float64s) -> Float64s:
    """Return the sums over deals of each seat, float64[8, len(DEAL_SUMS)].

    Args:
        offers: int64[n, len(OFFER)], in the order in which they were made.
        gains: change of each seat's win probability if the offer were accepted, float64[n, 8].
    """
    sums = np.zeros((PLAYERS, len(COLUMNS)))
    talks: dict[tuple[int, ...], list[float]] = {}  # own gains of the offers of each negotiation
    for (proposer, partner, given, asked, _, accepted), row in zip(
        offers.tolist(), gains.tolist(), strict=True
    ):
        own, other = row[proposer], row[partner]
        sums[proposer, AT["offers_made"]] += 1
        sums[partner, AT["offers_heard"]] += 1
        if accepted:
            sums[proposer, AT["offers_taken"]] += 1
            sums[partner, AT["offers_accepted"]] += 1
            for seat, mine, theirs in ((proposer, own, other), (partner, other, own)):
                sums[seat, AT["deals"]] += 1
                sums[seat, AT["gained"]] += mine
                sums[seat, AT["given"]] += theirs
        else:
            sums[partner, AT["refused"]] += 1
            sums[partner, AT["refused_good"]] += own > CLEAR and other > CLEAR
        talk = talks.setdefault((proposer, partner, given, asked), [])
        if not talk:
            sums[proposer, AT["talks"]] += 1
            sums[proposer, AT["first_gap"]] += own - other
        talk.append(own)
    for (proposer, *_), talk in talks.items():
        if len(talk) > 1:
            sums[proposer, AT["long_talks"]] += 1
            sums[proposer, AT["conceded"]] += talk[0] - talk[-1]
    return sums[:, -len(DEAL_SUMS) :]
