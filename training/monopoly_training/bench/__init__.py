"""Benchmarks: ``monopoly-env bench``.

A benchmark is a function from seconds to results (:class:`Result`), listed by name in
:data:`MEASURES`. Rates are medians over rounds of one process's CPU time, which is less sensitive
to other programs than wall-clock time; threads and processes are compared by wall-clock time. No
benchmark asserts a time: results are shown beside those of other projects, and ratios are measured
within one run.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from monopoly_training.bench.engine import engine_mask, games_bots, one_call, search_rollouts
from monopoly_training.bench.environments import (
    aec_env,
    aec_raw,
    batch_step,
    rgb_array,
    step_rate,
    vector,
)
from monopoly_training.bench.learning import ppo_batched, sb3_share
from monopoly_training.bench.pages import play_click, replay_page
from monopoly_training.bench.planning import game_copy, rollouts
from monopoly_training.bench.scaling import procs2, threads2
from monopoly_training.bench.starting import compile_cold_s, first_step_cold_s, import_s
from monopoly_training.bench.timing import Result
from monopoly_training.bench.training import train_loop
from monopoly_training.compilation.ahead_of_time import touch

__all__ = ["MEASURES", "Result", "run", "step_rate", "touch", "vector"]

MEASURES: dict[str, Callable[[float], Iterator[Result]]] = {
    "engine_mask": engine_mask,
    "one_call": one_call,
    "games_bots": games_bots,
    "search_rollouts": search_rollouts,
    "rollouts": rollouts,
    "game_copy": game_copy,
    "batch_step": batch_step,
    "aec_raw": aec_raw,
    "aec_env": aec_env,
    "rgb_array": rgb_array,
    "replay_page": replay_page,
    "play_click": play_click,
    "threads2": threads2,
    "procs2": procs2,
    "sb3_share": sb3_share,
    "ppo_batched": ppo_batched,
    "train_deeds": train_loop,
    "import_s": import_s,
    "compile_cold_s": compile_cold_s,
    "first_step_cold_s": first_step_cold_s,
}

# Packages of extras that a benchmark needs.
NEEDS: dict[str, tuple[str, ...]] = {
    "rgb_array": ("resvg_py", "PIL"),
    "play_click": ("starlette", "uvicorn"),
    "sb3_share": ("torch", "stable_baselines3", "sb3_contrib"),
    "ppo_batched": ("torch",),
    "train_deeds": ("torch", "stable_baselines3", "sb3_contrib"),
}

# Additional results by the benchmark that yields them.
MORE_FIGURES: dict[str, str] = {
    "bytes_per_game": "engine_mask",
    "games_strategist": "games_bots",
    "game_copy_from": "game_copy",
    "game_redraw": "game_copy",
    "batch_step_one_buffer": "batch_step",
    "batch_step_copy": "batch_step",
    "batch_step_packed": "batch_step",
    "copy_bytes": "batch_step",
    "bytes_per_table": "batch_step",
    "replay_page_bytes": "replay_page",
    "game_review": "replay_page",
    "bytes_per_worker": "procs2",
    "ppo_batched_share": "ppo_batched",
    "train_shared": "train_deeds",
    "compile_all_s": "compile_cold_s",
    "start_warm_s": "compile_cold_s",
    "compiled_functions": "compile_cold_s",
    "first_step_warm_s": "first_step_cold_s",
    "first_single_step_warm_s": "first_step_cold_s",
}


def run(names: Sequence[str], seconds: float) -> Iterator[Result]:
    """Run these benchmarks in turn, ``seconds`` each."""
    for name in names:
        yield from MEASURES[name](seconds)
