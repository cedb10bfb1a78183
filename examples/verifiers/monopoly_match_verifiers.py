"""Monopoly between models in verifiers: each model has its own seat, conversation and rewards.

verifiers finds it by name once it is installed: ``vf-eval monopoly_match_verifiers``. All models
may be the same one, which then plays against itself. Tasks, scores and weights are those of
``monopoly_verifiers``; copy both files.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Any

import verifiers.v1 as vf
from monopoly_verifiers import (
    REWARDS,
    MonopolyConfig,
    MonopolyTask,
    MonopolyTaskset,
    Weights,
    local_agent,
    record,
)

from monopoly_env.text.env import TextEnv

__all__ = ["MonopolyMatch", "MonopolyMatchTaskset", "load_environment"]
ID = __name__


class MonopolyMatchConfig(Weights):
    """The players by seat; only the seats that the taskset names are played by models."""

    a: vf.AgentConfig = vf.AgentConfig()
    b: vf.AgentConfig = vf.AgentConfig()
    c: vf.AgentConfig = vf.AgentConfig()
    d: vf.AgentConfig = vf.AgentConfig()


class MonopolyMatch(vf.Env[MonopolyMatchConfig]):
    """Asks the model whose seat decides; each conversation has only what its seat may see."""

    async def run(self, task: Any, agents: Any) -> None:
        """Play the game of a task, and score each model."""
        env = TextEnv(**task.data.env)
        shown, info = env.reset(seed=task.data.seed)
        over, waiting = False, env.options.seats
        async with AsyncExitStack() as stack:
            exchanges = {}
            for seat in waiting:
                system_prompt = f"{env.instructions_for(seat)}\n{env.guide}"
                data = task.data.model_copy(update={"prompt": None, "system_prompt": system_prompt})
                agent = getattr(agents, seat.lower())
                own = agent.interaction(MonopolyTask(data, task.config))
                exchanges[seat] = await stack.enter_async_context(own)
            while not over:
                segment = await exchanges[info["seat"]].turn(shown)
                if segment.terminated:
                    break
                shown, _, terminated, truncated, info = env.step(segment.last_reply or "")
                over = terminated or truncated
        for seat, exchange in exchanges.items():
            record(exchange.trace, env, seat, self.config, over)
            exchange.trace.info["seat"] = seat


class MonopolyMatchTaskset(MonopolyTaskset):
    """One game per seed; the models' seats are letters, such as ``AB``."""


def load_environment(seats: str = "AB", **options: Any) -> MonopolyMatch:
    """Return the environment for two to four seats.

    ``options`` are weights of scores, such as ``rank=0.5``, and fields of MonopolyConfig;
    ``opponents`` are the bots in the other seats.
    """
    weights = {name: options.pop(name) for name in REWARDS if name in options}
    tasks = {"opponents": ["background"], **options, "seats": seats}
    models = dict.fromkeys("abcd", local_agent())
    config = MonopolyMatchConfig(taskset=MonopolyConfig(id=ID, **tasks), **models, **weights)
    return MonopolyMatch(config)
