"""Moving a token, and the salary at GO."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import push
from monopoly_env.engine.board import GO, NOBODY, SPACES
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def advance(
    game: GameState, rules: RuleSet, log: Log, player: int, steps: int, by: int, total: int
) -> None:
    """Move forward; GO reached or passed pays the salary before the space is resolved.

    ``by`` is a RentBy, ``total`` the throw that moved the player (0 if none did).
    Source: 000 line 120; 001 lines 144 to 146; 002 line 165.
    """
    square = int(game.position[player]) + steps
    passed = square >= SPACES
    square %= SPACES
    game.position[player] = square
    note(log, Event.MOVE, player, NOBODY, square, 1 if passed else 0)
    if passed:
        if game.laps[player] < 100:
            game.laps[player] += 1
        bonus = rules.landing_bonus if square == GO else 0
        pay(game, log, NOBODY, player, rules.salary + bonus, Reason.SALARY)
    push(game, Task.LAND, player, NOBODY, NOBODY, total, by)


@jit
def step_back(game: GameState, log: Log, player: int, steps: int, by: int) -> None:
    """Move backward, without a salary."""
    square = (int(game.position[player]) - steps) % SPACES
    game.position[player] = square
    note(log, Event.MOVE, player, NOBODY, square, 0)
    push(game, Task.LAND, player, NOBODY, NOBODY, 0, by)
