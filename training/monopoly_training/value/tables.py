"""Tables at which games for the value are played: edition, mode, deals, seats, and who sits there."""

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
BOARDS = 2000  # generated boards of a split
TRAIN, TEST = "train", "test"  # splits of generated boards

# How often each bot is drawn for a seat. "varied" is the strategist by weights of its own, drawn
# around its two sets, so that the value knows more habits than those of a few names.
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
    """What is played: the rules, and how many sit at it."""

    edition: str = DEFAULT
    mode: str = STANDARD
    deals: str = "steps"
    windows: str = "all"
    players: int = 4

    def load(self) -> Edition:
        """The edition with the table's rules; loaded once."""
        return _load(self.edition, self.mode, self.deals, self.windows)

    def __str__(self) -> str:
        return f"{self.edition}, {self.mode}, {self.deals}, {self.windows}, {self.players} seats"


@cache
def _load(edition: str, mode: str, deals: str, windows: str) -> Edition:
    rules = {"deals": deals, "windows": windows, "max_players": PLAYERS}
    return load_edition(edition, mode, rules)


def draw_edition(rng: np.random.Generator, split: str) -> str:
    """An edition at random: 35 % the US edition, 25 % another printed one, the rest generated."""
    kind = rng.random()
    if kind < 0.35:
        return DEFAULT
    if kind < 0.6:
        return str(rng.choice(editions()[1:]))
    return f"random:{split}:{rng.integers(BOARDS)}"


def draw_table(rng: np.random.Generator, split: str = TRAIN) -> Table:
    """A table at random. Half of them have four seats; generated boards are of ``split``."""
    deals = str(rng.choice(DEALS, p=[0.45, 0.35, 0.2]))
    return Table(
        edition=draw_edition(rng, split),
        mode=SHORT if rng.random() < 0.15 else STANDARD,
        deals=deals,
        windows="own" if deals != "steps" or rng.random() < 0.2 else "all",
        players=4 if rng.random() < 0.45 else int(rng.integers(2, PLAYERS + 1)),
    )


def draw_line_up(rng: np.random.Generator, players: int) -> list[str]:
    """Who sits at a table, by names of SEATED."""
    names, shares = list(SEATED), list(SEATED.values())
    drawn: list[str] = rng.choice(names, size=players, p=shares).tolist()
    return drawn


def table_of(row: Any) -> Table:
    """The table that a row of a file of positions tells of."""
    return Table(str(row[0]), str(row[1]), str(row[2]), str(row[3]), int(row[4]))
