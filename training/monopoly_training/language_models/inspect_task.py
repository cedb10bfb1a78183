"""Monopoly as an Inspect task: a model plays games, scored by win, rank, worth and legality.

``inspect_ai`` must be installed (the extra ``inspect``). Run it with ``inspect eval
training/monopoly_training/language_models/inspect_task.py --model …``, or by the entry point
``monopoly_training/monopoly``.
"""

from __future__ import annotations

from typing import Any

from monopoly_env.extras import require
from monopoly_env.text.env import TextEnv
from monopoly_training.common.bot_lists import split_names
from monopoly_training.language_models.scores import SCORES, scores
from monopoly_training.language_models.splits import seeds_of

require("inspect_task", "inspect_ai")

from inspect_ai import Task, task  # noqa: E402  # after the check that it is installed
from inspect_ai.dataset import MemoryDataset, Sample  # noqa: E402
from inspect_ai.model import ChatMessageSystem, ChatMessageUser, get_model  # noqa: E402
from inspect_ai.scorer import Score, mean, scorer, stderr  # noqa: E402
from inspect_ai.solver import solver  # noqa: E402


@task  # type: ignore[untyped-decorator]  # inspect_ai is not in the lock file
def monopoly(
    preset: str = "short",
    opponents: str = "background,background,background",
    games: int = 10,
    first_seed: int = 0,
    split: str = "train",
    seats: str = "random",
    max_turns: int = 1000,
    guide: bool = True,
) -> Any:
    """Play games with consecutive seeds.

    Args:
        preset, opponents, seats: as for TextEnv; opponents are comma-separated.
        games, first_seed, split: number of games, index of the first one, and its split.
        max_turns: a longer game is truncated, and the standings decide.
        guide: whether every prompt includes the rules and the board (about 700 tokens).
    """
    options = {
        "preset": preset,
        "opponents": split_names(opponents, "opponents"),
        "seats": seats,
        "rules": {"max_turns": max_turns},
    }
    seeds = seeds_of(split, games, first_seed)
    samples = [
        Sample(id=f"seed_{seed}", input=f"Monopoly, seed {seed}", metadata={"seed": seed})
        for seed in seeds
    ]
    return Task(
        dataset=MemoryDataset(samples, name="monopoly"),
        solver=player(options, guide),
        scorer=standing(),
    )


@solver  # type: ignore[untyped-decorator]
def player(options: dict[str, Any], guide: bool) -> Any:
    """Ask the model for each decision of a game, without memory between decisions."""

    async def solve(state: Any, generate: Any) -> Any:  # noqa: ARG001 - Inspect's interface
        env = TextEnv(**options)
        shown, _ = env.reset(seed=state.metadata["seed"])
        system_prompt = f"{env.instructions}\n{env.guide}" if guide else env.instructions
        model, over = get_model(), False
        while not over:
            messages = [ChatMessageSystem(content=system_prompt), ChatMessageUser(content=shown)]
            output = await model.generate(messages)
            shown, _, terminated, truncated, _ = env.step(output.completion)
            over = terminated or truncated
        state.output.completion = shown
        state.metadata |= {"scores": scores(env), "results": env.results()}
        return state

    return solve


@scorer(metrics={name: [mean(), stderr()] for name in SCORES})  # type: ignore[untyped-decorator]
def standing() -> Any:
    """Score with :func:`monopoly_training.language_models.scores.scores`."""

    async def score(state: Any, target: Any) -> Any:  # noqa: ARG001 - Inspect's interface
        (row,) = state.metadata["results"].values()
        return Score(value=state.metadata["scores"], explanation=str(row))

    return score
