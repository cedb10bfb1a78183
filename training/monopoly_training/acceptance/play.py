"""Offers with their answers: games between many kinds of players, at tables drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from typing import Any

import numpy as np
from monopoly_agents.habits.weights import draw_habits
from monopoly_agents.registry import BOTS, load_policy, weights_in
from monopoly_agents.strategist import VETERAN
from monopoly_agents.strategist.search_space import dimensions, vary
from monopoly_agents.strategist.weights import STRATEGIST
from monopoly_agents.trader.acceptance import N_FEATURES
from monopoly_agents.trader.weights import trader_weights

from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import VIEW, weights_address
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.engine.state import Float32s, Int8s, new_games
from monopoly_env.compiler.records import new_records
from monopoly_training.acceptance.sampling import play_and_ask
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.matches.workers import live_with_parent, submit, worker_processes
from monopoly_training.value.tables import draw_table

CHUNK = 100  # games that a process plays at a time
ROWS = 4000  # offers of a game at most
KEPT = 60  # of a game, drawn at random
VARIATION = 1.5  # steps of weights that are varied, as `tune` counts them
# How often each kind of player is drawn for a seat
SEATED = {
    "strategist": 0.14, "veteran": 0.14, "varied": 0.16, "habits": 0.26, "trader": 0.14,
    "fixed_a": 0.04, "fixed_b": 0.04, "fixed_c": 0.04, "background": 0.04,
}  # fmt: skip


@dataclass(frozen=True)
class Answers:
    """Offers and their answers."""

    rows: Float32s  # [n, N_FEATURES]
    yes: Int8s  # [n]
    made: Int8s  # [n] 1: a bot made the offer in its game; 0: it was drawn at random
    games: Any  # int64[n] number of the game
    names: Any  # int8[n] who answered, a number of SEATED


@lru_cache(maxsize=1)
def _policies() -> dict[str, Any]:
    named = {name: load_policy(module, name) for name, (module, _) in BOTS.items()}
    named["trader"] = load_policy("trader.policy", "trader")
    named["habits"] = load_policy("habits.policy", "habits")
    return named


@lru_cache(maxsize=1)
def _veteran() -> Any:
    return weights_in(VETERAN)


@lru_cache(maxsize=1)
def _trader() -> Any:
    return trader_weights()


def _weights_of(name: str, rng: np.random.Generator) -> Any:
    if name == "veteran":
        return _veteran()
    if name == "trader":
        return _trader()
    if name == "habits":
        return draw_habits(rng)
    if name == "varied":
        start = _veteran() if rng.random() < 0.5 else STRATEGIST
        return vary(start, VARIATION * rng.standard_normal(dimensions()))
    return None


def play_chunk(seed: int, first: int, count: int) -> Answers:
    """The answers of ``count`` games, from number ``first`` on.

    What is played depends on the seed and a game's number alone.
    """
    games, views = new_games(2), new_records(PLAYERS + 1, VIEW)
    journals, refusals = new_journals(1, on=False), np.zeros((2, PLAYERS, PLAYERS), np.int64)
    rows = np.zeros((ROWS, N_FEATURES), np.float32)
    yes, made = np.zeros(ROWS, np.int8), np.zeros(ROWS, np.int8)
    names, shares = list(SEATED), np.array(list(SEATED.values()))
    done: list[tuple[Any, ...]] = []
    for number in range(first, first + count):
        rng = np.random.default_rng([seed, number])
        table = draw_table(rng)
        while table.deals == "off":
            table = draw_table(rng)
        drawn = rng.choice(names, size=table.players, p=shares / shares.sum()).tolist()
        held = [_weights_of(name, rng) for name in drawn]
        for seat, weights in enumerate(held):
            views["weights"][seat] = weights_address(weights)
        chosen = [_policies()[name if name != "varied" and name != "veteran" else "strategist"] for name in drawn]
        loop = new_loop(chosen, skip_forced=True)
        random = rng.integers(1 << 62, size=1)
        found = play_and_ask(
            games, table.load().rules, journals, views, loop, _veteran(), table.players,
            int(rng.integers(1 << 62)), random, refusals, rows, yes, made,
        )  # fmt: skip
        some = np.sort(rng.permutation(found)[:KEPT])
        done.append((rows[some].copy(), yes[some].copy(), made[some].copy(), np.full(len(some), number)))
    return Answers(*(np.concatenate(column) for column in zip(*done, strict=True)), None)


def play_answers(games: int, seed: int, jobs: int = 1, progress: Progress | None = None) -> Iterator[Answers]:
    """The answers of so many games in lots, in the order of the games."""
    shown = progress or NoProgress()
    shown.stage("playing")
    chunks = ((seed, at, min(CHUNK, games - at)) for at in range(0, games, CHUNK))
    done = 0
    for part in _in_order(chunks, jobs):
        done += CHUNK
        shown.update(min(done / games, 1.0), f"{done:,} of {games:,} games")
        yield part


def _in_order(chunks: Iterator[tuple[Any, ...]], jobs: int) -> Iterator[Answers]:
    for chunk in islice(chunks, 1 if jobs > 1 else None):
        yield play_chunk(*chunk)
    if jobs == 1:
        return
    first = list(islice(chunks, jobs * 2))
    if not first:
        return
    with worker_processes(min(jobs, len(first)), live_with_parent) as pool:
        running = [submit(pool, play_chunk, *chunk) for chunk in first]
        while running:
            yield running.pop(0).result()
            running += [submit(pool, play_chunk, *chunk) for chunk in islice(chunks, 1)]
