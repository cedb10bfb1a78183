"""Monopoly as a verifiers environment: one game per task, scored by win, rank, worth and legality.

verifiers finds it by name once it is installed: ``vf-eval monopoly_verifiers``.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf
from monopoly_training.language_models.scores import scores_of
from monopoly_training.language_models.splits import seeds_of

from monopoly_env.text.env import TextEnv

__all__ = ["MonopolyEnv", "MonopolyTaskset", "load_environment"]
ID = __name__
REWARDS = ("win", "rank", "net_worth", "legality")  # `solved` is a metric, not a reward


class MonopolyConfig(vf.TasksetConfig):
    """The options of TextEnv, as text.

    ``games=0`` gives an endless sequence of tasks. ``options`` are further options, by name.
    """

    preset: str = "short"
    opponents: list[str] = ["background", "background", "background"]  # noqa: RUF012 - pydantic copies it
    seats: str = "random"
    split: str = "train"
    first_seed: int = 0
    games: int = 0
    options: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it


class MonopolyData(vf.TaskData):
    """The data of one game: how to start it again."""

    seed: int = 0
    env: dict[str, Any] = {}  # noqa: RUF012 - pydantic copies it


class MonopolyTask(vf.Task[MonopolyData, vf.State, vf.TaskConfig]):
    """One game."""


class Weights(vf.EnvConfig):
    """The weight of each score in the reward."""

    win: float = 1.0
    rank: float = 0.0
    net_worth: float = 0.0
    legality: float = 0.0


class MonopolyEnvConfig(Weights):
    """The player: one model."""

    player: vf.AgentConfig = vf.AgentConfig()


def record(trace: Any, env: TextEnv, seat: str, weights: Weights, over: bool) -> None:
    """Record the rewards and metrics of a model; an unfinished game scores 0."""
    values = scores_of(env, seat)
    for name in REWARDS:
        trace.record_reward(name, values[name] if over else 0.0, getattr(weights, name))
    trace.record_metrics({"finished": float(over), "solved": values["solved"] if over else 0.0})
    trace.info["results"] = json.dumps(env.results())


def local_agent() -> vf.AgentConfig:
    """Return a model that is asked from this machine, without tools."""
    return vf.AgentConfig(runtime={"type": "subprocess"}, harness={"id": "null"})


class MonopolyEnv(vf.Env[MonopolyEnvConfig]):
    """Answers each turn of the model with its next decision."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play the game of a task, and score it."""
        env = TextEnv(**task.data.env)
        env.reset(seed=task.data.seed)
        over = False
        async with agents.player.interaction(task) as interaction:
            segment = await interaction.turn()  # the first decision is the task's prompt
            while not segment.terminated:
                shown, _, terminated, truncated, _ = env.step(segment.last_reply or "")
                over = terminated or truncated
                if over:
                    break
                segment = await interaction.turn(shown)
        (seat,) = env.results()
        record(interaction.trace, env, seat, self.config, over)


class MonopolyTaskset(vf.Taskset[MonopolyTask, MonopolyConfig]):
    """One game per seed, starting from the first."""

    INFINITE = True

    def load(self) -> Iterator[MonopolyTask]:
        """Yield the tasks, ``games`` of them if that is not 0."""
        config = self.config
        options = {
            "preset": config.preset,
            "opponents": list(config.opponents),
            "seats": config.seats,
            **config.options,
        }
        env = TextEnv(**options)
        first = seeds_of(config.split, 1, config.first_seed)[0]
        last = first + config.games if config.games else None
        for seed in itertools.count(first):
            if seed == last:
                return
            shown, _ = env.reset(seed=seed)
            data = MonopolyData(
                name=f"monopoly#{seed}",
                prompt=shown,
                system_prompt=f"{env.instructions}\n{env.guide}",
                seed=seed,
                env=options,
            )
            yield MonopolyTask(data, config.task)


def load_environment(**options: Any) -> MonopolyEnv:
    """Return the environment for one model.

    ``options`` are weights of scores, such as ``rank=0.5``, and fields of MonopolyConfig.
    """
    weights = {name: options.pop(name) for name in REWARDS if name in options}
    tasks = MonopolyConfig(id=ID, **options)
    config = MonopolyEnvConfig(taskset=tasks, player=local_agent(), **weights)
    return MonopolyEnv(config)
