"""Walks through every kind of environment, at random but reproducible, and all that they show.

A walk goes on from wherever an environment stands, through ends and resets, and returns what came
back at each step in a form that can be compared.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import gymnasium
import numpy as np
from pettingzoo.utils import conversions

import monopoly_env  # noqa: F401 - registers the environment
from monopoly_env import Game, SingleSeatEnv, VectorEnv, monopoly_v0
from monopoly_env.envs.autoreset import AutoresetMode
from monopoly_env.envs.config import EnvConfig
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.envs.options import TableOptions
from monopoly_env.envs.step_codes import RUNNING
from tests.envs.players import pick

NAME = "monopoly_env/Monopoly-v0"
Shown = list[Any]


def as_bytes(value: Any) -> Any:
    """Something that was shown, so that it can be compared by ``==``."""
    if isinstance(value, np.ndarray):
        if value.dtype == object:
            return [as_bytes(item) for item in value]
        return value.dtype.str, value.shape, value.tobytes()
    if isinstance(value, dict):
        return {key: as_bytes(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [as_bytes(item) for item in value]
    return value


def walk_aec(env: Any, steps: int, seed: int) -> Shown:
    """Agents in turn, each with everything that PettingZoo keeps of it."""
    random, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        if not env.unwrapped.has_begun or not env.agents:
            env.reset()
        seen, reward, over, cut, info = env.last()
        mask = (seen if isinstance(seen, dict) else info)["action_mask"]
        action = None if over or cut else pick(mask, random)
        tables = (env.rewards, env.terminations, env.truncations, env.infos)
        everybody = as_bytes([dict(table) for table in tables])
        selected = env.agent_selection, list(env.agents)
        shown.append((*selected, as_bytes(seen), reward, as_bytes(info), action, everybody))
        env.step(action)
    shown.append((env.agent_selection, list(env.agents), env.unwrapped.game.position()))
    return shown


def walk_parallel(env: Any, steps: int, seed: int) -> Shown:
    """All agents' actions at once, of which the one that is due counts."""
    random, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        if not getattr(env, "agents", None):
            shown.append(as_bytes(env.reset()))
        actions = {
            agent: pick(env.aec_env.observe(agent)["action_mask"], random)
            for agent in env.agents
            if agent == env.aec_env.agent_selection
        }
        shown.append((list(env.agents), as_bytes(env.step(actions))))
    return shown


def walk_single(env: Any, steps: int, seed: int) -> Shown:
    """The learner's decisions."""
    random, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        mask = env.unwrapped.action_masks()
        if not mask.any():
            shown.append(as_bytes(env.reset()))
            mask = env.unwrapped.action_masks()
        shown.append(as_bytes(env.step(pick(mask, random))))
    shown.append(env.unwrapped.game.position())
    return shown


def walk_vector(env: Any, steps: int, seed: int) -> Shown:
    """All games, stepped together; those that nothing begins anew are reset."""
    games, shown = env.unwrapped, []
    over = games.batch.ended != RUNNING
    for step in range(steps):
        if not games.batch.seeded:
            shown.append(as_bytes(env.reset(seed=3)))
        elif games.autoreset_mode == AutoresetMode.DISABLED and over.any():
            shown.append(as_bytes(env.reset(options={"reset_mask": over})))
        shown.append(as_bytes(env.step(games.sample_actions(seed * 10_000 + step))))
        over = games.batch.ended != RUNNING
        shown.append((games.game_seeds.tolist(), games.actors.tolist()))
    shown += [game.position() for game in games.get_games()] if games.batch.seeded else []
    return shown


def walk_batch(batch: GameBatch, steps: int, seed: int) -> Shown:
    """The arrays that compiled code steps."""
    observations = np.zeros(2 * batch.n * 1365, np.float32)
    masks = np.zeros(batch.n * 342, np.int8)
    shown = []
    for step in range(steps):
        if not batch.seeded:
            batch.seed(3)
            batch.begin(observations, masks)
        batch.action[:] = batch.sample_actions(seed * 10_000 + step)
        assert batch.play(observations, masks)
        arrays = (observations, masks, batch.ended, batch.actors, batch.learner_rewards)
        shown.append([array.tobytes() for array in arrays])
    return shown


def walk_game(game: Game, steps: int, seed: int) -> Shown:
    """One game, to its end at most, with its journal and its record."""
    random, shown = np.random.default_rng(seed), []
    for _ in range(steps):
        if game.over:
            break
        action = pick(game.legal_mask(), random)
        shown.append((action, game.actor, [str(event) for event in game.journal()]))
        game.play(action)
    shown.append((game.position(), game.history, game.record(), game.seed))
    return shown


@dataclass(frozen=True)
class Kind:
    """A kind of environment: how it is made, walked through, and cloned as bytes."""

    make: Callable[..., Any]
    walk: Callable[[Any, int, int], Shown]
    options: tuple[dict[str, Any], ...]
    ours: bool = True  # whether `copy.copy` is ours to define: it is not for others' wrappers
    clones: bool = True  # whether there is clone_state()
    steps: int = 60  # of a walk: some episodes


def make_batch(**options: Any) -> GameBatch:
    """A batch in which every seat decides for itself."""
    config = EnvConfig(TableOptions(**options))
    config.seat_everyone("end")
    return GameBatch(config, 4, autoreset=True)


def make_parallel(**options: Any) -> Any:
    """PettingZoo's conversion of a wrapped environment."""
    return conversions.turn_based_aec_to_parallel(monopoly_v0.env(**options))


def make_wrapped_vector(**options: Any) -> Any:
    """A vector environment in Gymnasium's wrapper."""
    return gymnasium.vector.VectorWrapper(VectorEnv(5, **options))


SHORT = {"rules": {"max_turns": 14}}
SOME_TABLES: tuple[dict[str, Any], ...] = (
    {},
    {"num_players": 2, "reward": "rank", "deals": "menu", "windows": "own"},
    {
        "edition": "yugioh2016",
        "num_players": 6,
        "any_players": True,
        "skip_forced": True,
        "reward": "net_worth",
    },
    {"decides": ["BUY", "AUCTION"], "rest": "veteran", "reward": {"potential": "net_worth"}},
)
AEC_TABLES = (
    *SOME_TABLES,
    {"elimination": "end", "leaves": ["deal", "sell"], "illegal_action": "forfeit"},
    {"observation": "flat", "narrow": True, "mask_dtype": "bool", "deals": "off"},
)
SEATS: tuple[dict[str, Any], ...] = (
    {"opponents": ["random", "fixed_a"], "observation": "dict"},
    {"opponents": ["veteran", "strategist"], "seat": 1, "reward": "net_worth"},
    {"pool": {"random": 2.0, "veteran": 1.0}, "num_players": 3, "play_out": True},
    {"opponents": ["search:4", "random"], "illegal_action": "forfeit", "deals": "off"},
    {"decides": ["TURN", "BUY"], "rest": "fixed_b", "skip_forced": True},
    {"preset": "basic", "narrow": True, "mask_dtype": "float32"},
)
GAMES: tuple[dict[str, Any], ...] = (
    {"pool": ["veteran", "strategist", "random"], "threads": 2},
    {"seats": "all", "buffers": 1, "elimination": "immediate"},
    {"pool": [("random", "fixed_a", "fixed_b"), "veteran"], "observation": "dict", "copy": False},
    {"autoreset_mode": "NextStep", "seats": "all", "rules": {"max_turns": 5}},
    {"autoreset_mode": "Disabled", "opponents": ["random"], "rules": {"max_turns": 5}},
    {"illegal_action": "random", "preset": "basic", "threads": 3, "buffers": 3},
    {"preset": "basic", "narrow": True, "mask_dtype": "float32"},
)
KINDS = {
    "AEC": Kind(monopoly_v0.raw_env, walk_aec, AEC_TABLES),
    "AEC in wrappers": Kind(monopoly_v0.env, walk_aec, AEC_TABLES),
    "parallel": Kind(make_parallel, walk_parallel, AEC_TABLES[:2], ours=False, clones=False),
    "single seat": Kind(SingleSeatEnv, walk_single, SEATS, steps=25),
    "gymnasium.make": Kind(
        lambda **options: gymnasium.make(NAME, **options),
        walk_single,
        SEATS[:2],
        ours=False,
        clones=False,
        steps=25,
    ),
    "vector": Kind(lambda **options: VectorEnv(5, **options), walk_vector, GAMES, steps=40),
    "vector in a wrapper": Kind(
        make_wrapped_vector, walk_vector, GAMES[:1], ours=False, clones=False, steps=40
    ),
    "batch": Kind(make_batch, walk_batch, SOME_TABLES, steps=40),
}
