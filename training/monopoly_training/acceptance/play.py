"""Collect offers and answers from games between diverse bots at random tables."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from monopoly_agents.trader.acceptance import N_FEATURES

from monopoly_env.compiler.records import new_records
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.policy import VIEW
from monopoly_env.engine.state import Float32s, Int8s, new_games
from monopoly_env.value.weights import shipped_value
from monopoly_training.acceptance.sampling import play_and_ask
from monopoly_training.common.progress import NoProgress, Progress
from monopoly_training.matches.workers import in_order
from monopoly_training.value.line_up import seat, veteran_weights
from monopoly_training.value.tables import draw_table

CHUNK = 100  # games per chunk of work
ROWS = 4000  # most offers recorded per game
KEPT = 60  # offers kept per game, sampled uniformly
# Probability of each kind of player per seat
SEATED = {
    "strategist": 0.14, "veteran": 0.14, "varied": 0.16, "habits": 0.26, "trader": 0.14,
    "fixed_a": 0.04, "fixed_b": 0.04, "fixed_c": 0.04, "background": 0.04,
}  # fmt: skip


@dataclass(frozen=True)
class Answers:
    """Offers with their answers."""

    rows: Float32s  # [n, N_FEATURES]
    yes: Int8s  # [n]
    made: Int8s  # [n] 1 if a bot made the offer in its game, 0 if it was drawn at random
    games: Any  # int64[n], the number of the game


def play_chunk(seed: int, first: int, count: int) -> Answers:
    """Play ``count`` games from number ``first`` on and return their answers.

    The games depend only on the seed and their numbers.
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
        loop, held = seat(views, drawn, rng)
        random = rng.integers(1 << 62, size=1)
        found = play_and_ask(
            games, table.load().rules, journals, views, loop, veteran_weights(),
            shipped_value().networks, table.players,
            int(rng.integers(1 << 62)), random, refusals, rows, yes, made,
        )  # fmt: skip
        del held
        some = np.sort(rng.permutation(found)[:KEPT])
        done.append(
            (rows[some].copy(), yes[some].copy(), made[some].copy(), np.full(len(some), number))
        )
    return Answers(*(np.concatenate(column) for column in zip(*done, strict=True)))


def play_answers(
    games: int, seed: int, jobs: int = 1, progress: Progress | None = None
) -> Iterator[Answers]:
    """Yield the answers of the games in chunks, in order."""
    shown = progress or NoProgress()
    shown.stage("playing")
    chunks = ((seed, at, min(CHUNK, games - at)) for at in range(0, games, CHUNK))
    done = 0
    for part in in_order(play_chunk, chunks, jobs):
        done += CHUNK
        shown.update(min(done / games, 1.0), f"{done:,} of {games:,} games")
        yield part
