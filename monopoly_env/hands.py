"""The holdings and standings of players, read from a GAME record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from monopoly_env.engine import entry_points
from monopoly_env.engine.board import PLAYERS, SPACE_IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import buildings_of, cards_of, deeds_of


@dataclass(frozen=True, slots=True)
class Hand:
    """The holdings of one player. Spaces, deeds and cards are ids."""

    player: str
    cash: int
    at: str
    deeds: tuple[str, ...]  # includes mortgaged ones
    mortgaged: tuple[str, ...]
    buildings: dict[str, int]  # 1 to 4 houses; 5 is a hotel
    cards: tuple[str, ...]
    in_jail: bool
    jail_tries: int
    out: bool
    worth: int


@dataclass(frozen=True, slots=True)
class Standing:
    """One player's rank: 1 is best; tied players share a rank."""

    player: str
    rank: int
    worth: int
    out: bool


def read_hand(games: Any, rules: Any, seat: int) -> Hand:
    """Return the holdings of a player in the first of ``games``."""
    game = games[0]
    deeds = deeds_of(game, seat)
    return Hand(
        player=LETTERS[seat],
        cash=int(game["cash"][seat]),
        at=SPACE_IDS[game["position"][seat]],
        deeds=tuple(deed.removesuffix("*") for deed in deeds),
        mortgaged=tuple(deed[:-1] for deed in deeds if deed.endswith("*")),
        buildings=buildings_of(game, seat),
        cards=tuple(cards_of(game, seat)),
        in_jail=bool(game["in_jail"][seat]),
        jail_tries=int(game["jail_tries"][seat]),
        out=bool(game["out"][seat]),
        worth=_ranks(games, rules)[1][seat],
    )


def read_standings(games: Any, rules: Any) -> list[Standing]:
    """Return the standings in the first of ``games``, best first; ties in seat order."""
    rank, worth = _ranks(games, rules)
    out = games["out"][0]
    seats = range(int(games["players"][0]))
    rows = [Standing(LETTERS[seat], rank[seat], worth[seat], bool(out[seat])) for seat in seats]
    return sorted(rows, key=lambda row: row.rank)


def winners_in(games: Any, rules: Any) -> tuple[str, ...]:
    """Return the winners of the first of ``games``, several in a tie; empty while it runs."""
    if games["phase"][0] != Phase.OVER:
        return ()
    return tuple(row.player for row in read_standings(games, rules) if row.rank == 1)


def _ranks(games: Any, rules: Any) -> tuple[list[int], list[int]]:
    """Return the ranks and net worths by seat."""
    rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int64)
    entry_points.standings(games, 0, rules, rank, worth)
    return rank.tolist(), worth.tolist()
