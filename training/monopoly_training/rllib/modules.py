"""RLModules: a masked policy with a good initialization, and bots that hold a seat."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from gymnasium import spaces
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModule, RLModuleSpec
from torch import nn

from monopoly_env.agent import Agent, find_spec, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.engine.state import GAME
from monopoly_env.envs.checks import fail
from monopoly_env.errors import show
from monopoly_env.view import View
from monopoly_training.rllib.options import edition_of
from monopoly_training.rllib.spaces import GAME_BYTES, MASK, OBSERVATIONS, TABLE, first_logits

ILLEGAL = -1e8  # the logit of an illegal action


class MaskedModule(DefaultPPOTorchRLModule):  # type: ignore[misc]  # RLlib has no types
    """PPO's default module with action masks; it takes the same ``model_config``.

    Initially, all kinds of action are equally likely: see :func:`monopoly_env.learners.kind_bias`.
    """

    def __init__(self, *, observation_space: spaces.Space[Any], **arguments: Any) -> None:
        if not isinstance(observation_space, spaces.Dict) or not {OBSERVATIONS, MASK} <= set(
            observation_space
        ):
            fail(
                "observation_space",
                f"must have {OBSERVATIONS} and {MASK}, not be {show(observation_space)}; "
                "OneSeat and EverySeat have them",
            )
        super().__init__(observation_space=observation_space[OBSERVATIONS], **arguments)
        self.observation_space = observation_space

    def setup(self) -> None:
        """Build the networks."""
        super().setup()
        last = [layer for layer in self.pi.modules() if isinstance(layer, nn.Linear)][-1]
        with torch.no_grad():
            last.bias.copy_(torch.from_numpy(first_logits(self.action_space)))
            last.weight.mul_(0.01)  # nearly independent of the observation

    def _forward(self, batch: dict[str, Any], **arguments: Any) -> dict[str, Any]:
        return self._masked(super()._forward(bare(batch), **arguments), batch)

    def _forward_train(self, batch: dict[str, Any], **arguments: Any) -> dict[str, Any]:
        return self._masked(super()._forward_train(bare(batch), **arguments), batch)

    def compute_values(self, batch: dict[str, Any], embeddings: Any = None) -> Any:
        """Return values, (n,)."""
        return super().compute_values(bare(batch), embeddings)

    def _masked(self, outputs: dict[str, Any], batch: dict[str, Any]) -> dict[str, Any]:
        """Mask illegal actions in the action distribution."""
        legal = batch[Columns.OBS][MASK] > 0
        logits = outputs[Columns.ACTION_DIST_INPUTS]
        return outputs | {Columns.ACTION_DIST_INPUTS: logits.masked_fill(~legal, ILLEGAL)}


def bare(batch: dict[str, Any]) -> dict[str, Any]:
    """Return the batch with the masks removed from its observations."""
    return {**batch, Columns.OBS: batch[Columns.OBS][OBSERVATIONS]}


# Bots


def bot(name: str, env_config: Mapping[str, Any]) -> RLModuleSpec:
    """Return the spec of a module that plays a bot and is not trained.

    Args:
        name: any bot, such as ``fixed_a`` or ``model:PATH``; see ``monopoly-env agents``.
        env_config: the environment's, with the bots' seats in ``bot_seats``.

    Raises: AgentError for an unknown bot.

    ``MultiRLModuleSpec(rl_module_specs={"rival": bot("fixed_a", env_config), …})``
    """
    find_spec(name)
    return RLModuleSpec(
        module_class=BotModule, model_config={"bot": name, "env_config": dict(env_config)}
    )


class BotModule(RLModule):  # type: ignore[misc]  # RLlib has no types
    """A module in which a bot decides for the seats in ``bot_seats``; see :func:`bot`.

    These seats observe the game's record without hidden information, and an id of the table, by
    which the module keeps one bot per table and seat.
    """

    framework = "torch"

    def setup(self) -> None:
        """Load the edition."""
        self.edition = edition_of(self.model_config["env_config"])
        self.action_ids = getattr(self.action_space, "action_ids", None)
        self.bots: dict[tuple[int, ...], tuple[int, Agent]] = {}  # by table and seat: (game, bot)

    def _forward(self, batch: dict[str, Any], **_: Any) -> dict[str, Any]:
        seen = batch[Columns.OBS]
        games = np.ascontiguousarray(seen[GAME_BYTES], np.uint8).view(GAME).reshape(-1)
        tables = np.asarray(seen[TABLE], np.int64).tolist()
        chosen = np.array([self._decide(games, i, *tables[i]) for i in range(len(games))], np.int64)
        numbers = chosen if self.action_ids is None else np.searchsorted(self.action_ids, chosen)
        return {Columns.ACTIONS: torch.from_numpy(numbers)}

    def _decide(self, games: Any, i: int, table: int, seed: int) -> int:
        """Return the action of a table's current agent; a bot is reset only for a new game."""
        view = View(games, i, self.edition)
        known = self.bots.get((table, view.seat))
        if known is None or known[0] != seed:
            agent = known[1] if known is not None else make_agent(self.model_config["bot"])
            agent.reset(bot_seed(seed, view.seat))
            self.bots[table, view.seat] = known = (seed, agent)
        return int(known[1].decide(view))

    def _forward_train(self, *_: Any, **__: Any) -> dict[str, Any]:
        fail("policies_to_train", "names a bot; leave it out, bots do not learn")

    def compile(self, *_: Any, **__: Any) -> None:
        """Do nothing; RLlib calls it on every module."""

    def to(self, *_: Any, **__: Any) -> BotModule:
        """Do nothing; bots have no device."""
        return self
