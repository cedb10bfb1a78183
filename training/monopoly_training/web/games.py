"""Find notable games among recorded ones: the shortest, the longest, a comeback, a big deal."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.engine import entry_points
from monopoly_env.engine.board import PLAYERS
from monopoly_env.errors import Location, RecordError
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members
from monopoly_env.records import read_records
from monopoly_env.replay import replay_steps

MOST = 500  # games of a file that are examined
RECORDS = "records.jsonl.gz"  # in a tournament's folder
LEDGER = "games.jsonl"


@dataclass(frozen=True)
class GameSummary:
    """Summary of a recorded game."""

    number: int  # in its file, from 1
    bots: tuple[str, ...]
    winners: tuple[str, ...]  # letters
    over: bool
    turns: int
    decisions: int
    low: float  # smallest share of total net worth that a winner had during the game
    low_at: int  # its moment
    deal: int  # $ that changed hands in the biggest deal, deeds at list price
    deal_at: int  # its moment; -1 without a deal
    deal_text: str  # the same in the edition's currency format


@dataclass(frozen=True)
class Pick:
    """A notable game."""

    key: str  # such as "shortest"
    summary: GameSummary
    text: str  # why, in words
    moment: int  # where to look


def records_path(path: Path) -> Path:
    """Return the record file of a path: the path itself, or the one in a tournament's folder.

    Raises: RecordError for a folder that has none.
    """
    records = (path if path.is_dir() else path.parent) / RECORDS
    if not path.is_dir():
        return records if path.name == LEDGER and records.is_file() else path
    if not records.is_file():
        RecordError.at(path).fail(
            f"there is no {RECORDS} in it; name a file of saved games, or the folder of a "
            "tournament that kept some (--records)"
        )
    return records


def summaries(path: Path, most: int = MOST) -> list[GameSummary]:
    """Replay and summarize the first ``most`` games of a file. Raises: RecordError."""
    return [
        summary(number, record, RecordError.at(f"{path}: game {number}"))
        for number, record in enumerate(islice(read_records(path), most), 1)
    ]


def summary(number: int, record: Mapping[str, Any], location: Location) -> GameSummary:
    """Replay a game and return its summary."""
    shares: list[list[float]] = []
    turns: list[tuple[int, int]] = []  # the moment and the turn of each row of shares
    deal, deal_at = 0, -1
    game: Game | None = None
    actions = [*record["actions"], ""]
    for moment, (game, _) in enumerate(replay_steps(record, location, check=False)):
        if not turns or turns[-1][1] != int(game.state["turns"]) or game.over:
            turns.append((moment, int(game.state["turns"])))
            shares.append(worth_shares(game))
        if actions[moment].endswith(" accept") and (value := deal_value(game)) > deal:
            deal, deal_at = value, moment + 1
    assert game is not None  # a record has a first moment
    low, row = _low(np.array(shares), [LETTERS.index(letter) for letter in game.winners])
    return GameSummary(
        number,
        tuple(record.get("bots") or ()),
        game.winners,
        game.over,
        int(game.state["turns"]),
        len(record["actions"]),
        low,
        turns[row][0],
        deal,
        deal_at,
        game.edition.names.money(deal),
    )


def worth_shares(game: Game) -> list[float]:
    """Return each seat's share of the total net worth, from 0 to 1."""
    rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int64)
    entry_points.standings(game.state.reshape(1), 0, game.edition.rules, rank, worth)
    held = np.maximum(worth[: game.players], 0)
    shares: list[float] = (held / max(int(held.sum()), 1)).tolist()
    return shares


def deal_value(game: Game) -> int:
    """Return what both sides of the current offer give, deeds at list price, in $."""
    state, prices = game.state, game.edition.rules[0]["price"]
    total = int(state["deal_give_cash"]) + int(state["deal_ask_cash"])
    for key in ("deal_give", "deal_ask"):
        total += sum(int(prices[square]) for square in members(int(state[key])) if square < 40)
    return total


def _low(shares: Any, winners: list[int]) -> tuple[float, int]:
    """Return the smallest share that a winner had, and its row; 1.0 if nobody won."""
    if not winners:
        return 1.0, 0
    best = min(winners, key=lambda seat: float(shares[:, seat].min()))
    at = int(shares[:, best].argmin())
    return float(shares[at, best]), at


def picks(games: Iterable[GameSummary]) -> list[Pick]:
    """Return the notable games: at most one for each reason."""
    rows = list(games)
    ended = [one for one in rows if one.over]
    found: list[Pick] = []
    if ended:
        short = min(ended, key=lambda one: one.turns)
        found.append(Pick("shortest", short, f"over after {short.turns:,} turns", 0))
        long = max(ended, key=lambda one: one.turns)
        found.append(Pick("longest", long, f"over after {long.turns:,} turns", 0))
        back = min(ended, key=lambda one: one.low)
        who = " and ".join(back.winners)
        text = f"{who} won after holding {back.low:.1%} of all net worth"
        found.append(Pick("comeback", back, text, back.low_at))
    dealt = [one for one in rows if one.deal_at >= 0]
    if dealt:
        big = max(dealt, key=lambda one: one.deal)
        text = f"{big.deal_text} in deeds and cash changed hands in one deal"
        found.append(Pick("deal", big, text, big.deal_at))
    return found


PICKS = {
    "shortest": "the shortest game",
    "longest": "the longest game",
    "comeback": "the biggest comeback",
    "deal": "the biggest deal",
}
