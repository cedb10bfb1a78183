"""Tables for games that the value learns from: edition, mode, deals, seats, and line-up."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from monopoly_env.editions import Edition, load_edition
from monopoly_env.editions.loader import DEFAULT, STANDARD, editions
from monopoly_env.engine.board import PLAYERS

SHORT = "short"
DEALS = ("steps", "menu", "off")
WINDOWS = ("all", "own")
N_BOARDS = 5000  # generated boards per split
FOUR, TWO = 0.45, 0.15  # how often a table has four players, and two; the others have 2 to 8
TRAIN, TEST = "train", "test"  # splits of generated boards

# How often each bot is drawn for a seat. "varied" is the strategist with weights drawn around its
# two sets, so that the value sees more habits than those of a few named bots.
SEATED: dict[str, float] = {
    "trader": 0.25,
    "strategist": 0.15,
    "veteran": 0.12,
    "varied": 0.12,
    "habits": 0.12,
    "fixed_a": 0.06,
    "fixed_b": 0.06,
    "fixed_c": 0.06,
    "background": 0.04,
    "random": 0.02,
}


@dataclass(frozen=True)
class Table:
    """The rules of a game and its number of players."""

    edition: str = DEFAULT
    mode: str = STANDARD
    deals: str = "steps"
    windows: str = "all"
    players: int = 4

    def load(self) -> Edition:
        """Return the edition with the table's rules, loaded once."""
        return _load(self.edition, self.mode, self.deals, self.windows)

    def __str__(self) -> str:
        return f"{self.edition}, {self.mode}, {self.deals}, {self.windows}, {self.players} seats"


@cache
def _load(edition: str, mode: str, deals: str, windows: str) -> Edition:
    rules = {"deals": deals, "windows": windows, "max_players": PLAYERS}
    return load_edition(edition, mode, rules)


def draw_table(rng: np.random.Generator, boards: str = "") -> Table:
    """Draw a table. About half have four players, and a fifth two.

    Half of them have the US edition, the others another printed one. With ``boards``, all have a
    generated board of this split.
    """
    if boards:
        edition = f"random:{boards}:{rng.integers(N_BOARDS)}"
    else:
        classic = rng.random() < 0.5
        edition = ""
    deals = str(rng.choice(DEALS, p=[0.45, 0.35, 0.2]))
    if not edition:
        edition = DEFAULT if classic else str(rng.choice(editions()[1:]))
    return Table(
        edition=edition,
        mode=SHORT if rng.random() < 0.15 else STANDARD,
        deals=deals,
        windows="own" if deals != "steps" or rng.random() < 0.2 else "all",
        players=draw_players(rng),
    )


def draw_players(rng: np.random.Generator) -> int:
    """Draw the number of players.

    Duels have a fraction of their own, because there one side's gain is the other's loss: an offer
    gains only by an error of the value, so that the value must be exact.
    """
    drawn = rng.random()
    if drawn < FOUR:
        return 4
    return 2 if drawn < FOUR + TWO else int(rng.integers(2, PLAYERS + 1))


def draw_line_up(rng: np.random.Generator, players: int) -> list[str]:
    """Draw the bots at a table, by names of SEATED."""
    names, shares = list(SEATED), list(SEATED.values())
    drawn: list[str] = rng.choice(names, size=players, p=shares).tolist()
    return drawn


def table_of(row: Any) -> Table:
    """Return the table described by a row of a positions file."""
    return Table(str(row[0]), str(row[1]), str(row[2]), str(row[3]), int(row[4]))
