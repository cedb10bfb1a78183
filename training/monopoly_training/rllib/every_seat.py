"""RLlib's multi-agent interface: every seat is an agent."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
from gymnasium import spaces
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from monopoly_env.engine.entry_points import wipe_hidden
from monopoly_env.envs.aec import MonopolyEnv
from monopoly_env.envs.checks import check_list, fail
from monopoly_env.errors import show
from monopoly_training.rllib.options import settled
from monopoly_training.rllib.spaces import (
    GAME_BYTES,
    MASK,
    TABLE,
    LegalActions,
    bot_space,
    rename,
    renamed,
)

ALL = "__all__"
Step = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], dict[str, Any]]


class EverySeat(MultiAgentEnv):  # type: ignore[misc]  # RLlib has no types
    """A multi-agent environment in which ``player_0`` to ``player_7`` decide, one at a time.

    ``env_config`` takes the parameters of :func:`monopoly_env.monopoly_v0.raw_env`, and
    ``bot_seats``: the agents that are mapped to bots (:func:`monopoly_training.rllib.modules.bot`).
    Observations are ``{"observations": float32[n], "action_mask": float32[actions]}``; those of
    bots are the game itself.

    A step returns observations only for the agent that acts next and for those whose game is over.
    Rewards are returned for any agent as soon as they are due. A truncated game gives no reward for
    the standings unless the reward is configured so, because RLlib bootstraps from its value
    estimate.

    Raises: InputError for a bad parameter, one line that names it.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        options = dict(config or {})
        bots = check_list("bot_seats", options.pop("bot_seats", ()), "agents, such as player_1")
        self.table = MonopolyEnv(**settled(options))
        self.agents = self.possible_agents = list(self.table.possible_agents)
        self.bot_seats = _known(bots, self.agents)
        super().__init__()
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            name: bot_space()
            if name in self.bot_seats
            else renamed(self.table.observation_space(name))
            for name in self.agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            name: self._actions() for name in self.agents
        }
        self._number = secrets.randbits(62)  # identifies this table
        self._bot_seed = 0  # identifies the current game
        self._seen: set[str] = set()  # agents that have been asked for an action in this game
        # finished agents not yet reported, because some agent has not acted yet
        self._unseen_out: list[str] = []

    def _actions(self) -> LegalActions:
        """Return the action space of an agent."""
        return LegalActions.of(self.table.action_space(self.agents[0]), self)

    # Stepping

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[dict[str, Any], dict[str, Any]]:
        """Start a new game and return the first actor's observation."""
        super().reset(seed=seed)
        self.table.reset(seed=seed, options=options)
        self._bot_seed = int(self.np_random.integers(1 << 62))
        actor = self.table.agent_selection
        self._seen, self._unseen_out = {actor}, []
        return {actor: self._observe(actor)}, {actor: {}}

    def step(self, action_dict: Mapping[str, Any]) -> Step:
        """Apply the current agent's action. Raises: IllegalAction (the state is unchanged)."""
        table = self.table
        actor = table.agent_selection
        if actor not in action_dict:
            fail(
                "action_dict",
                f"must have an action of {actor}, who decides, not {show([*action_dict])}",
            )
        table.step(int(action_dict[actor]))
        rewards = {name: paid for name, paid in table.rewards.items() if paid or name == actor}
        infos = {name: dict(info) for name, info in table.infos.items() if info}
        cut = any(table.truncations.values())
        out = self._take_out()
        over = not table.agents
        observations = {name: self._observe(name) for name in out}
        if not over:
            actor = table.agent_selection
            self._seen.add(actor)
            observations[actor] = self._observe(actor)
        ends = {name: name in out for name in observations}
        terminated, truncated = (ends, dict.fromkeys(ends, False))
        if cut:
            terminated, truncated = truncated, terminated
        return (
            observations,
            rewards,
            terminated | {ALL: over and not cut},
            truncated | {ALL: over and cut},
            {name: infos.get(name) or self._place(name) for name in observations},
        )

    def _take_out(self) -> list[str]:
        """Return agents that have just finished and have not yet been reported to RLlib.

        RLlib ends an episode when all agents seen so far are done, so no agent may finish before
        every agent has been asked for an action.
        """
        table, out = self.table, self._unseen_out
        while table.agents and table.agent_selection not in self._live():
            out.append(table.agent_selection)
            table.step(None)
        if table.agents and not self._live() <= self._seen:
            return []
        self._unseen_out = []
        return out

    def _live(self) -> set[str]:
        """Return the agents still in the game."""
        table = self.table
        return {
            name
            for name in table.agents
            if not (table.terminations[name] or table.truncations[name])
        }

    # Observing

    def _place(self, agent: str) -> dict[str, Any]:
        """Return an agent's info before the end of the game: its rank if it is bankrupt."""
        record = self.table.game.state
        out = int(record["out"][self.agents.index(agent)])  # 0, or the order of elimination
        return {"rank": int(record["players"]) + 1 - out, "win": 0.0} if out else {}

    def _observe(self, agent: str) -> dict[str, npt.NDArray[Any]]:
        """Return an agent's observation; its mask is empty unless it acts next."""
        if agent not in self.bot_seats:
            return rename(self.table.observe(agent))
        record = self.table.game.state.reshape(1).copy()
        wipe_hidden(record, 0)
        return {
            GAME_BYTES: record.view(np.uint8).reshape(-1),
            TABLE: np.array([self._number, self._bot_seed], np.int64),
        }

    def action_mask(self) -> npt.NDArray[np.int8]:
        """Return the current agent's action mask, int8[actions]."""
        seen: Any = self.table.observe(self.table.agent_selection)
        mask: npt.NDArray[np.int8] = seen[MASK].astype(np.int8)
        return mask

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """Render the position as text or pixels, depending on ``render_mode``."""
        return self.table.render()


def _known(bots: Sequence[object], agents: Sequence[str]) -> frozenset[str]:
    """Check and return the seats of bots. Raises: InputError."""
    for name in bots:
        if name not in agents:
            fail("bot_seats", f"must be of {', '.join(agents)}, not {show(name)}")
    return frozenset(map(str, bots))
