"""Benchmarks for search programs: copies of games, redrawn hidden state, rollouts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from monopoly_training.bench.engine import PLAYERS
from monopoly_training.bench.timing import Result, rates, result

COPIES = 10_000  # between two clock readings
SAMPLES = 20  # rollouts per call
POLICY = "veteran"


def position() -> Any:
    """Return a game at its second decision."""
    from monopoly_env import Game

    game = Game(players=PLAYERS, seed=1, journal=False)
    game.play("roll")
    return game


def game_copy(seconds: float) -> Iterator[Result]:
    """Measure copies of a game, and copies with redrawn hidden state, as a search makes them."""
    game = position()

    def copies() -> int:
        for _ in range(COPIES):
            game.copy()
        return COPIES

    scratch = game.copy()

    def reused() -> int:
        for _ in range(COPIES):
            scratch.copy_from(game)
        return COPIES

    def redrawn() -> int:
        for seed in range(COPIES):
            game.copy().redraw(seed)
        return COPIES

    yield result("game_copy", rates(copies, seconds), "copies/s", "`Game.copy()`")
    yield result(
        "game_copy_from", rates(reused, seconds), "copies/s", "`Game.copy_from()`, into one object"
    )
    yield result(
        "game_redraw",
        rates(redrawn, seconds),
        "copies/s",
        "`Game.copy()`, then `redraw(seed)`: new dice and unseen cards",
    )


def rollouts(seconds: float) -> Iterator[Result]:
    """Measure ``monopoly_env.rollouts`` from one position to the end of the game, on one thread."""
    yield result(
        "rollouts",
        rates(rollouts_of(position()), seconds),
        "rollouts/s",
        f"`monopoly_env.rollouts` by {POLICY}, from one position to the end of the game, one thread",
    )


def rollouts_of(game: Any) -> Callable[[], int]:
    """Return work that plays a position to the end, with new dice and cards each time."""
    from monopoly_env import rollouts

    first = 0

    def work() -> int:
        nonlocal first
        rollouts(game, POLICY, samples=SAMPLES, first_sample=first)
        first += SAMPLES
        return SAMPLES

    return work
