"""Benchmarks of the rules engine: random play, single steps and whole games of compiled bots."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from monopoly_training.bench.timing import Result, rates, result

BATCH = 1024
PLAYERS = 4
GAMES = 50  # per call
ROLLOUTS = 200  # per call
BOTS = ("fixed_a", "fixed_b", "fixed_c", "background")
STRATEGISTS = ("strategist",) * 4


def random_play(players: int = PLAYERS, games: int = BATCH) -> tuple[Callable[[], int], Any]:
    """Return work that advances every game by 100 decisions, and the decision counts by phase."""
    from monopoly_env.editions import load_edition
    from monopoly_env.engine.entry_points import NO_JOURNALS
    from monopoly_env.engine.phases import PHASES
    from monopoly_env.engine.state import new_games
    from monopoly_training.bench.random_play import play_random, start_games

    rules, records = load_edition("classic").rules, new_games(games)
    start_games(records, rules, NO_JOURNALS, players, np.arange(games))
    phases = np.zeros(PHASES, np.int64)
    turn = 0

    def work() -> int:
        nonlocal turn
        turn += 1
        play_random(records, 0, games, rules, NO_JOURNALS, players, turn, 100, phases)
        return 100 * games

    return work, phases


def engine_mask(seconds: float) -> Iterator[Result]:
    """Measure random legal play inside one compiled call, and the size of a game in bytes."""
    from monopoly_env.engine.phases import Phase
    from monopoly_env.engine.state import GAME

    work, phases = random_play()
    measured = rates(work, seconds)
    share = {p.name: round(float(phases[p] / phases.sum()), 4) for p in Phase if phases[p]}
    yield result(
        "engine_mask",
        measured,
        "decisions/s",
        "random legal play in one compiled call, mask at each decision, 1,024 games",
        {"phases": share},
    )
    million = {"gigabytes_for_a_million": round(GAME.itemsize / 1000, 2)}
    yield result("bytes_per_game", [GAME.itemsize], "bytes", "the record that is a game", million)


def one_call(seconds: float) -> Iterator[Result]:
    """Measure one game, with one compiled call from Python per decision."""
    from monopoly_env.editions import load_edition
    from monopoly_env.engine.entry_points import NO_JOURNALS, start
    from monopoly_env.engine.state import new_games
    from monopoly_training.bench.random_play import step_random

    rules, games = load_edition("classic").rules, new_games(1)
    start(games, 0, rules, NO_JOURNALS, PLAYERS, 1)
    action = step_random(games, 0, rules, NO_JOURNALS, -1, 1)

    def work() -> int:
        nonlocal action
        for seed in range(20_000):
            action = step_random(games, 0, rules, NO_JOURNALS, action, seed)
        return 20_000

    yield result(
        "one_call",
        rates(work, seconds),
        "decisions/s",
        "one game: an action in, applied, masked, the next random action out, one call",
    )


def games_bots(seconds: float) -> Iterator[Result]:
    """Measure whole games of compiled bots that trade and build."""
    for name, bots in (("games_bots", BOTS), ("games_strategist", STRATEGISTS)):
        decisions: list[int] = []
        measured = rates(whole_games(bots, decisions), seconds)
        mean = sum(decisions) / (GAMES * len(decisions))
        names = ", ".join(bots) if len(set(bots)) > 1 else f"{len(bots)} × {bots[0]}"
        yield result(
            name,
            measured,
            "games/s",
            f"whole games with deals and building: {names}",
            {"decisions_per_game": round(mean, 1)},
        )


def whole_games(names: tuple[str, ...], decisions: list[int]) -> Callable[[], int]:
    """Return work that plays games of four bots and records the number of decisions."""
    from monopoly_env.agent import find_agent
    from monopoly_env.bots import whole_games
    from monopoly_env.editions import load_edition
    from monopoly_env.engine import policy_loop
    from monopoly_env.engine.entry_points import NO_JOURNALS
    from monopoly_env.engine.policy import new_views
    from monopoly_env.engine.state import new_games

    policies = [find_agent(name)[0].policy for name in names]
    loop = policy_loop.new_loop([one for one in policies if one is not None], skip_forced=True)
    rules, games, views = load_edition("classic").rules, new_games(1), new_views(1)
    rank, facts = np.zeros((GAMES, 8), np.int8), np.zeros((GAMES, 4), np.int64)
    turn = 0

    def work() -> int:
        nonlocal turn
        turn += 1
        seeds = np.arange(GAMES) + GAMES * turn
        whole_games.play_games(games, rules, NO_JOURNALS, views, loop, PLAYERS, seeds, rank, facts)
        decisions.append(int(facts[:, 0].sum()))
        return GAMES

    return work


def search_rollouts(seconds: float) -> Iterator[Result]:
    """Measure rollouts of the search bot from the first decision of a game."""
    from monopoly_agents.search.agent import rollouts_of

    from monopoly_env import Game

    game = Game(players=PLAYERS, seed=1)
    game.play("roll")

    def work() -> int:
        return rollouts_of(game.state, game.edition.rules, ROLLOUTS)

    yield result(
        "search_rollouts",
        rates(work, seconds),
        "rollouts/s",
        "the bot `search` plays on from a first decision, hidden cards drawn anew",
    )
