"""From the actions of a game to what its players did, and what their deals were worth to them."""

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

ROOM = 256  # offers; a game with more is gone through once more with more room
CLEAR = 0.002  # of a chance to win: a gain beyond what the value cannot tell apart


class Judge(Protocol):
    """What says how good a position is for each seat, such as :class:`monopoly_env.value.Value`."""

    def chances(self, games: Records, rules: Records) -> Float64s:
        """Chances to win, float64[n, 8], from GAME[n] and RULES[1]."""


class BehaviorMeter:
    """Measures games of one edition, or of editions that seeds draw, from their actions.

    ``judge`` says what deals are worth; None: the value that comes with the package.
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
        """The sums of each seat, float64[players, len(COLUMNS)], with as many digits as ledgers keep."""
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
    """What deals add to each seat, float64[8, len(DEAL_SUMS)].

    Args:
        offers: int64[n, len(OFFER)], in the order in which they were made.
        gains: what each would add to the chances of each seat if it were accepted, float64[n, 8].
    """
    sums = np.zeros((PLAYERS, len(COLUMNS)))
    talks: dict[tuple[int, ...], list[float]] = {}  # own gains of the offers of a negotiation
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
