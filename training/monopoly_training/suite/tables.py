"""Random tables and line-ups for the games from which the suite's decisions are taken."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import numpy as np

from monopoly_env.editions import Edition, load_edition
from monopoly_env.editions.loader import DEFAULT, STANDARD, editions
from monopoly_env.engine.board import PLAYERS

SEATED: dict[str, float] = {  # probability of each bot per seat
    "trader": 0.2,
    "veteran": 0.25,
    "strategist": 0.2,
    "background": 0.1,
    "fixed_a": 0.07,
    "fixed_b": 0.07,
    "fixed_c": 0.07,
    "random": 0.04,
}
FEW = 12  # houses at tables where they should run out


@dataclass(frozen=True)
class Table:
    """The settings of a game."""

    edition: str
    mode: str
    deals: str
    windows: str
    players: int
    few_houses: bool

    def load(self) -> Edition:
        """Return the edition with the table's rules, cached."""
        return _load(self.edition, self.mode, self.deals, self.windows, self.few_houses)


@cache
def _load(edition: str, mode: str, deals: str, windows: str, few_houses: bool) -> Edition:
    rules: dict[str, object] = {"deals": deals, "windows": windows, "max_players": PLAYERS}
    if few_houses:
        rules["houses"] = FEW
    return load_edition(edition, mode, rules)


def draw_table(rng: np.random.Generator, kind: str) -> Table:
    """Draw a random table on which a kind of decision can come up. Four in ten have four seats."""
    if kind in ("propose", "counter"):
        deals = "menu"
    elif kind == "answer":
        deals = str(rng.choice(["steps", "menu"]))
    else:
        deals = str(rng.choice(["steps", "menu", "off"], p=[0.5, 0.3, 0.2]))
    classic = rng.random() < 0.45
    return Table(
        edition=DEFAULT if classic else str(rng.choice([e for e in editions() if e != DEFAULT])),
        mode=STANDARD,
        deals=deals,
        windows="all" if kind == "counter" or rng.random() < 0.6 else "own",
        players=4 if rng.random() < 0.4 else int(rng.integers(2, PLAYERS + 1)),
        few_houses=kind == "scarce" and rng.random() < 0.5,
    )


def draw_line_up(rng: np.random.Generator, players: int) -> list[str]:
    """Draw the bots of a table."""
    drawn: list[str] = rng.choice(
        list(SEATED), size=players, p=np.array(list(SEATED.values()))
    ).tolist()
    return drawn
