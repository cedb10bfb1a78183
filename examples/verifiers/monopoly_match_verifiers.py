"""Monopoly between models in verifiers: each model has its own seat, conversation and rewards.

verifiers finds it by name once it is installed: ``vf-eval monopoly_match_verifiers``. All models
may be the same one, which then plays against itself.
"""

from __future__ import annotations

import json
from contextlib import AsyncExitStack
from typing import Any

import verifiers.v1 as vf
from monopoly_training.language_models.scores import scores_of
from monopoly_verifiers import REWARDS, MonopolyConfig, MonopolyTask, MonopolyTaskset

from monopoly_env.text.env import TextEnv

__all__ = ["MonopolyMatch", "MonopolyMatchTaskset", "load_environment"]
ID = __name__


class MonopolyMatchConfig(vf.EnvConfig):
    """The players by seat, and the weight of each score in the rewards.

    Only the seats that the taskset names are played by models.
    """

    a: vf.AgentConfig = vf.AgentConfig()
    b: vf.AgentConfig = vf.AgentConfig()
    c: vf.AgentConfig = vf.AgentConfig()
    d: vf.AgentConfig = vf.AgentConfig()
    win: float = 1.0
    rank: float = 0.0
    net_worth: float = 0.0
    legality: float = 0.0


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
                told = f"{env.instructions_for(seat)}\n{env.guide}"
                data = task.data.model_copy(update={"prompt": None, "system_prompt": told})
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
            self._score(exchange.trace, env, seat, over)

    def _score(self, trace: Any, env: TextEnv, seat: str, over: bool) -> None:
        """Record the rewards and metrics of one model; an unfinished game scores 0."""
        values = scores_of(env, seat)
        for name in REWARDS:
            value = values[name] if over else 0.0
            trace.record_reward(name, value, getattr(self.config, name))
        trace.record_metrics({"finished": float(over), "solved": values["solved"] if over else 0.0})
        trace.info["seat"] = seat
        trace.info["results"] = json.dumps(env.results())


class MonopolyMatchTaskset(MonopolyTaskset):
    """One game per seed; the models' seats are letters, such as ``AB``."""


def load_environment(
    seats: str = "AB",
    win: float = 1.0,
    rank: float = 0.0,
    net_worth: float = 0.0,
    legality: float = 0.0,
    **taskset: Any,
) -> MonopolyMatch:
    """Return the environment for two to four seats, with weights for the scores.

    ``taskset`` are fields of MonopolyConfig; ``opponents`` are the bots in the other seats.
    """
    local = vf.AgentConfig(runtime={"type": "subprocess"}, harness={"id": "null"})
    options = {"opponents": ["background"], **taskset, "seats": seats}
    config = MonopolyMatchConfig(
        taskset=MonopolyConfig(id=ID, **options),
        **dict.fromkeys("abcd", local),
        win=win,
        rank=rank,
        net_worth=net_worth,
        legality=legality,
    )
    return MonopolyMatch(config)
