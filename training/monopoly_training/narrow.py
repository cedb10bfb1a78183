"""The part of the observation that can ever change at a table: all that a network needs to read.

Empty seats, forms of deals that are not played and the rules themselves stay constant through a
run; leaving them out makes the network's first layer half as large.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnv, VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from monopoly_env.encoding.blocks import BLOCKS, OFFSETS, SEATS
from monopoly_env.encoding.observation import HIGH, LOW
from monopoly_env.engine.state import Int64s


def columns_of(players: int, deals: str) -> Int64s:
    """The indices of the observation that matter at such tables, in order."""
    absent = {f"left{offset}" for offset in range(players, len(SEATS))}
    found = []
    for block in BLOCKS:
        if not is_used(block.name, deals):
            continue
        for index, label in enumerate(block.labels):
            if label.partition(".")[0] not in absent:
                found.append(OFFSETS[block.name] + index)
    return np.array(found, np.int64)


def is_used(block: str, deals: str) -> bool:
    """Whether a block can tell anything under this form of deals."""
    if block == "rules":
        return False
    if block == "menu":
        return deals == "menu"
    if block.startswith("deal_") or block in ("offers_left", "refused", "debt_deals"):
        return deals != "off"
    return True


class Columns(VecEnvWrapper):
    """An environment of which only some columns of the observation are seen."""

    def __init__(self, venv: VecEnv, columns: Int64s) -> None:
        self.columns = columns
        super().__init__(venv, spaces.Box(LOW[columns], HIGH[columns], dtype=np.float32))

    def reset(self) -> Any:
        """Begin new games."""
        return self._seen(self.venv.reset())

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for index in np.flatnonzero(dones).tolist():
            last = infos[index]["terminal_observation"]
            infos[index]["terminal_observation"] = last[self.columns]
        return self._seen(observations), rewards, dones, infos

    def _seen(self, observations: Any) -> Any:
        return observations[:, self.columns]
