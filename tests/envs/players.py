"""Players for the tests of the environments: random but reproducible."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import numpy.typing as npt

SHORT = {"max_turns": 60}


def pick(mask: npt.NDArray[Any], random: np.random.Generator) -> int:
    """A random legal action."""
    return int(random.choice(np.flatnonzero(mask)))


def decisions(env: Any, seed: int, limit: int = 100_000) -> Iterator[tuple[str, Any, float]]:
    """Play an AEC environment at random from where it stands; yields what each agent was shown."""
    random = np.random.default_rng(seed)
    for agent in env.agent_iter(limit):
        observation, reward, termination, truncation, _ = env.last()
        yield agent, observation, reward
        done = termination or truncation
        env.step(None if done else pick(observation["action_mask"], random))


def play(env: Any, seed: int, limit: int = 100_000) -> list[tuple[str, bytes, float]]:
    """The same as a list that can be compared."""
    return [
        (agent, seen["observation"].tobytes() + seen["action_mask"].tobytes(), reward)
        for agent, seen, reward in decisions(env, seed, limit)
    ]


def steps(env: Any, count: int, seed: int = 5) -> str:
    """Random legal steps of a vector environment; everything that came back."""
    rows = [env.reset(seed=seed)[0].tobytes()]
    for key in range(count):
        seen, reward, over, cut, info = env.step(env.sample_actions(key))
        rows.append((seen.tobytes(), reward.tobytes(), over.tobytes(), cut.tobytes()))
        rows.append(info.get("final_info"))
    return str(rows)
