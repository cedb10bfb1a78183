"""Moving a token, and the salary at GO."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import push
from monopoly_env.engine.board import GO, NOBODY, SPACE, SPACES
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def on_route(rules: RuleSet, square: int) -> bool:
    """Return whether a space is on the board; only small boards leave some out."""
    return bool(rules.route[GO] == 0 or rules.route[square] != NOBODY)


@jit
def next_space(rules: RuleSet, square: int) -> int:
    """Return the space after this one."""
    if rules.route[GO] != 0:
        return int(rules.route[square])
    return (square + 1) % SPACES


@jit
def space_ahead(rules: RuleSet, square: int, steps: int) -> int:
    """Return the space a number of steps ahead."""
    if rules.route[GO] == 0:
        return (square + steps) % SPACES
    for _ in range(steps):
        square = int(rules.route[square])
    return square


@jit
def advance(
    game: GameState, rules: RuleSet, log: Log, player: int, steps: int, by: int, total: int
) -> None:
    """Move forward; GO reached or passed pays the salary before the space is resolved.

    ``steps`` is 1 to 12, and no route is shorter than 12, so a move passes GO at most once.
    ``by`` is a RentBy, ``total`` the throw that moved the player (0 if none did).
    Source: 000 line 120; 001 lines 144 to 146; 002 line 165.
    """
    square = space_ahead(rules, int(game.position[player]), steps)
    passed = square <= game.position[player]
    arrive(game, rules, log, player, square, passed, by, total)


@jit
def move_to(game: GameState, rules: RuleSet, log: Log, player: int, square: int, by: int) -> None:
    """Move forward to a space."""
    arrive(game, rules, log, player, square, square < game.position[player], by, 0)


@jit
def arrive(
    game: GameState,
    rules: RuleSet,
    log: Log,
    player: int,
    square: int,
    passed: bool,
    by: int,
    total: int,
) -> None:
    """Arrive at a space; GO reached or passed pays the salary before the space is resolved."""
    game.position[player] = square
    note(log, Event.MOVE, player, NOBODY, square, 1 if passed else 0)
    if passed:
        if game.laps[player] < 100:
            game.laps[player] += 1
        bonus = rules.landing_bonus if square == GO else 0
        pay(game, log, NOBODY, player, rules.salary + bonus, Reason.SALARY)
    push(game, Task.LAND, player, NOBODY, NOBODY, total, by)


@jit
def next_of_kind(rules: RuleSet, square: int, space: int) -> int:
    """Return the next space of a kind, always forward."""
    square = next_space(rules, square)
    while SPACE[square] != space:
        square = next_space(rules, square)
    return square


@jit
def step_back(game: GameState, rules: RuleSet, log: Log, player: int, steps: int, by: int) -> None:
    """Move backward, without a salary."""
    square = int(game.position[player])
    for _ in range(steps):
        square = (square - 1) % SPACES
        while not on_route(rules, square):
            square = (square - 1) % SPACES
    game.position[player] = square
    note(log, Event.MOVE, player, NOBODY, square, 0)
    push(game, Task.LAND, player, NOBODY, NOBODY, 0, by)
