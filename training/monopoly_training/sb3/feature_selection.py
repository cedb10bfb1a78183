"""What can ever come up at a table: the part of the observation and of the actions worth learning.

Empty seats, forms of deals that are not played and the rules themselves stay constant through a
run. Leaving them out makes the network half as large and learning faster.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from stable_baselines3.common.vec_env import VecEnvWrapper
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from monopoly_env.editions import Edition
from monopoly_env.encoding.blocks import BLOCKS, OFFSETS, SEATS
from monopoly_env.encoding.observation import HIGH, LOW
from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.rules import Deals
from monopoly_env.engine.state import Int64s
from monopoly_training.sb3.vec_env import MASKS, MonopolyVecEnv

COMPOSING = ("deal", "give", "ask", "give_cash", "ask_cash", "offer", "cancel")


def used_columns(players: int, edition: Edition) -> Int64s:
    """The indices of the observation that can change at such tables, in order."""
    deals = deals_of(edition)
    absent = {f"left{offset}" for offset in range(players, len(SEATS))}
    return np.array(
        [
            OFFSETS[block.name] + index
            for block in BLOCKS
            if is_used(block.name, deals)
            for index, label in enumerate(block.labels)
            if label.partition(".")[0] not in absent
        ],
        np.int64,
    )


def deals_of(edition: Edition) -> Deals:
    """The form of deals that is played."""
    return Deals(int(edition.rules[0]["deals"]))


def is_used(block: str, deals: Deals) -> bool:
    """Whether a block can tell anything under this form of deals."""
    if block == "menu":
        return deals == Deals.MENU
    if block.startswith("deal_") or block in ("offers_left", "refused", "debt_deals"):
        return deals != Deals.OFF
    return block != "rules"


def used_actions(edition: Edition) -> Int64s:
    """The ids of the actions that can be legal under these rules, in order."""
    deals = deals_of(edition)
    absent: set[str] = set()
    if deals != Deals.STEPS:
        absent.update(COMPOSING)
    if deals != Deals.MENU:
        absent.add("propose")
    if deals == Deals.OFF:
        absent.update(("accept", "reject"))
    if not edition.value("power_doubles"):
        absent.update(("power", "to", "attack"))
    if not edition.value("rent_asked"):
        absent.add("ask_rent")
    if not edition.rules["tax_percent"].any():
        absent.update(("tax_flat", "tax_percent"))
    return np.array(
        [index for index, text in enumerate(TEXTS) if text.partition(":")[0] not in absent],
        np.int64,
    )


class FeatureSelection(VecEnvWrapper):
    """An environment of which only some columns are seen and only some actions are known.

    ``seen_before``: all columns as they were before the last step, until the next one.
    """

    venv: MonopolyVecEnv

    def __init__(self, venv: MonopolyVecEnv, columns: Int64s, actions: Int64s) -> None:
        self.columns = columns
        self.actions = actions
        self._whole = self.seen_before = np.zeros((venv.num_envs, 0), np.float32)
        super().__init__(
            venv,
            spaces.Box(LOW[columns], HIGH[columns], dtype=np.float32),
            spaces.Discrete(len(actions)),
        )

    def reset(self) -> Any:
        """Begin new games."""
        return self._seen(self.venv.reset())

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Take the actions, by their numbers among those known here."""
        self.seen_before = self._whole
        self.venv.step_async(self.actions[actions])

    def step_wait(self) -> VecEnvStepReturn:
        """Play the actions."""
        observations, rewards, dones, infos = self.venv.step_wait()
        for index in np.flatnonzero(dones).tolist():
            last = infos[index]["terminal_observation"]
            infos[index]["terminal_observation"] = last[self.columns]
        return self._seen(observations), rewards, dones, infos

    def _seen(self, observations: Any) -> Any:
        self._whole = observations
        return observations.take(self.columns, axis=1)

    def see_again(self, observations: Any) -> None:
        """What was seen last, all columns, where a run goes on from a checkpoint."""
        self._whole = observations

    def env_method(
        self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any
    ) -> list[Any]:
        """Call a method for some games; masks are those of the known actions."""
        found = self.venv.env_method(method_name, *args, indices=indices, **kwargs)
        if method_name == MASKS:
            return [masks[..., self.actions] for masks in found]
        return found
