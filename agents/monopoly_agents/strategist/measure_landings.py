"""Measure how often players pay rent on each space by playing turns in the engine.

``python -m monopoly_agents.strategist.measure_landings`` writes the rates to
``monopoly_env/value/landing_rates.py``. They are Python constants because compiled code that
depends on a data file could not be cached. A test repeats the measurement and compares.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from monopoly_agents.valuation import standing_rent
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.editions import load_edition
from monopoly_env.engine import flow, new_game
from monopoly_env.engine.actions import BASE
from monopoly_env.engine.board import DEED_BITS, JAIL, SPACES
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.journal import Event, Log, Reason, new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float64s, GameState, new_games
from monopoly_env.value import landing_rates

TARGET = Path(landing_rates.__file__)
SCALE = 10_000  # the file stores ten-thousandths
TURNS = 20_000  # turns played from each space
LONG_GAME = 400_000  # turns of the single long game
RICH = 1_000_000
IN_JAIL = SPACES  # a separate row for inmates; the row of JAIL is for visitors

ROLL, END_TURN = int(BASE[Kind.ROLL]), int(BASE[Kind.END_TURN])


@jit
def set_up(game: GameState, rules: RuleSet, log: Log) -> int:
    """Start a two-player game in which the second player owns every deed.

    Return the first player.
    """
    new_game.new_game(game, rules, log, 2, 1)
    flow.proceed(game, rules, log)
    walker = int(game.turn)
    owner = 1 - walker
    game.owned[owner] = DEED_BITS
    for square in range(SPACES):
        if DEED_BITS >> square & 1 != 0:
            game.owner[square] = owner
    return walker


@jit
def walk_turn(game: GameState, rules: RuleSet, log: Log, walker: int, paid: Float64s) -> None:
    """Play the walker's turn; add each rent paid, in standing rents, to ``paid``, float64[40]."""
    new_game.shuffle_decks(game)
    turns = game.turns
    game.cash[walker] = RICH
    while game.turns == turns:
        flow.step(game, rules, log, ROLL)
        for index in range(log.length):
            event = log.events[index]
            if event.kind == Event.PAY and event.square == Reason.RENT and event.player == walker:
                square = game.position[walker]
                paid[square] += event.amount / standing_rent(game, rules, square)


@jit
def walk_from(
    games: Records, rules_: Records, journals: Records, start: int, paid: Float64s
) -> None:
    """Play TURNS turns from one space; from inside Jail if ``start`` is IN_JAIL."""
    game, rules, log = games[0], rules_[0], journals[0]
    walker = set_up(game, rules, log)
    games[1] = game
    for turn in range(TURNS):
        games[0] = games[1]
        game.rng = np.uint64(start * TURNS + turn) * GAMMA
        game.position[walker] = JAIL if start == IN_JAIL else start
        game.in_jail[walker] = 1 if start == IN_JAIL else 0
        walk_turn(game, rules, log, walker, paid)


@jit
def walk_on(games: Records, rules_: Records, journals: Records, paid: Float64s) -> None:
    """Play LONG_GAME consecutive turns; an inmate tries to roll doubles."""
    game, rules, log = games[0], rules_[0], journals[0]
    walker = set_up(game, rules, log)
    for _ in range(LONG_GAME):
        walk_turn(game, rules, log, walker, paid)
        game.cash[1 - walker] = RICH
        while game.turn != walker:
            flow.step(game, rules, log, ROLL if game.phase == Phase.TURN else END_TURN)


def measure() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """Return the rents paid per turn, in ten-thousandths of a standing rent.

    Returns: int64[40] from the long game, and int64[41, 40] from each starting space, whose last
    row is inside Jail. A railroad's double rent from a card counts as two.
    """
    endless = {"max_turns": 10**9, "max_decisions": 2 * 10**9, "start_cash": RICH}
    rules = load_edition("classic", rules={"deals": "off", **endless}).rules
    games, journals = new_games(2), new_journals(1)
    paid = np.zeros((SPACES + 2, SPACES))
    for start in range(SPACES + 1):
        walk_from(games, rules, journals, start, paid[start])
    walk_on(games, rules, journals, paid[-1])
    rates = np.rint(paid[:-1] / TURNS * SCALE).astype(np.int64)
    return np.rint(paid[-1] / LONG_GAME * SCALE).astype(np.int64), rates


def source(long_run: npt.NDArray[np.int64], by_space: npt.NDArray[np.int64]) -> str:
    """Return the source text of ``landing_rates.py``."""
    lines = [
        '"""Written by measure_landings.py from turns played in the engine. Do not edit.',
        "",
        "Constants of jit functions: how many standing rents a turn pays on each space.",
        '"""',
        "",
        "import numpy as np",
        "",
        "# fmt: off",
        "# Over a long game, float64[40]",
        f"LONG_RUN = np.array({long_run.tolist()}) / {SCALE}",
        "",
        "# From each space, the last row from inside Jail, float64[41, 40]",
        "BY_SPACE = np.array([",
        *(f"    {row.tolist()}," for row in by_space),
        f"]) / {SCALE}",
    ]
    return "\n".join(lines) + "\n"


def main() -> None:
    """Measure the rates and write the file."""
    TARGET.write_text(source(*measure()), encoding="utf-8")


if __name__ == "__main__":
    main()
