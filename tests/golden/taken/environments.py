"""The environments, had by their ids: observations, masks, rewards, flags and infos of each step."""

from __future__ import annotations

from functools import partial
from itertools import islice
from typing import Any

import gymnasium
import numpy as np
from lines import Lines, Takers, refused, short, told

from monopoly_env import Game, monopoly_v0

ID = "monopoly_env/Monopoly-v0"
STEPS = 1000
GAMES = 12  # at a time
POSITION: dict[str, Any] = {
    "players": 3, "turn": "B", "B": {"cash": 200, "deeds": ["boardwalk", "park_place"]},
    "C": {"deeds": ["reading*", "oriental", "vermont", "connecticut"],
          "buildings": {"oriental": 3, "vermont": 3, "connecticut": 3}},
}  # fmt: skip
SHAPED = {"name": "win", "potential": "net_worth", "gamma": 0.99, "potential_scale": 2.0}
CUT = {**SHAPED, "truncation": "bootstrap"}
LEARNED = ["BUY", "AUCTION", "ANSWER", "DEED", "CLAIM", "TURN", "END", "BETWEEN", "DEAL"]
LEFT = ["deal", "give", "ask", "give_cash", "ask_cash", "mortgage", "sell"]

AEC: dict[str, dict[str, Any]] = {
    "steps": {"num_players": 3},
    "menu": {"num_players": 5, "deals": "menu", "reward": "rank", "rules": {"max_turns": 40}},
    "own": {"num_players": 4, "deals": "off", "windows": "own", "skip_forced": True,
            "elimination": "end", "rules": {"start_cash": 300}},
    "powers": {"edition": "pokemon1999", "num_players": 6, "reward": SHAPED,
               "rules": {"power_doubles": True, "rent_asked": True, "max_turns": 50}},
    "short": {"edition": "kanto2014", "mode": "short", "num_players": 2, "reward": CUT,
              "rules": {"max_decisions": 400}},
    "eight": {"edition": "nintendo2010", "num_players": 8, "any_players": True, "deals": "off",
              "reward": {"name": "net_worth", "end_scale": 10.0}, "rules": {"max_turns": 60}},
    "rest": {"num_players": 4, "decides": ["BUY", "TURN", "DEBT"], "rest": "strategist",
             "leaves": ["mortgage"], "render_mode": "ansi"},
}  # fmt: skip
SINGLE: dict[str, dict[str, Any]] = {
    "random": {"rules": {"max_turns": 80}},
    "fixed": {"opponents": ["fixed_a", "fixed_b", "fixed_c"], "windows": "own", "deals": "menu"},
    "pool": {"pool": {"fixed_a": 2, "background": 1, "veteran": 1}, "num_players": 5, "seat": 2,
             "observation": "dict", "reward": SHAPED},
    "played_out": {"opponents": ["strategist", "random"], "play_out": True, "deals": "off",
                   "rules": {"start_cash": 200}, "reward": "rank", "skip_forced": True},
    "learned": {"opponents": ["background", "veteran", "fixed_a"], "decides": LEARNED,
                "rest": "veteran", "leaves": LEFT, "skip_forced": True},
    "powers": {"edition": "pokemon_fr2000", "opponents": ["fixed_b", "strategist"],
               "rules": {"power_doubles": True}, "render_mode": "ansi"},
}  # fmt: skip
VECTORS: dict[str, dict[str, Any]] = {
    "random": {"rules": {"max_turns": 40}},
    "pool": {"pool": {"fixed_a": 2, "background": 1, "strategist": 1}, "num_players": 5,
             "windows": "own", "deals": "menu", "buffers": 1, "threads": 2, "reward": CUT,
             "rules": {"max_turns": 60}},
    "tables": {"pool": [("fixed_a", "fixed_b", "veteran"), "random"], "seat": 1, "play_out": True,
               "reward": "rank", "deals": "off", "rules": {"start_cash": 300}},
    "learned": {"opponents": ["veteran", "fixed_c", "background"], "decides": LEARNED,
                "rest": "veteran", "leaves": LEFT, "reward": SHAPED, "observation": "dict"},
    "hybrid": {"opponents": ["random", "random"], "decides": ["BUY", "AUCTION", "DEBT"],
               "rest": "fixed_c", "buffers": 3, "rules": {"start_cash": 500}},
    "all": {"seats": "all", "num_players": 3, "reward": SHAPED, "elimination": "immediate",
            "rules": {"max_turns": 20}},
    "all_menu": {"seats": "all", "num_players": 8, "deals": "menu", "buffers": 1, "threads": 2,
                 "rules": {"start_cash": 250, "max_turns": 25}},
    "all_powers": {"seats": "all", "edition": "pokemon1999", "num_players": 6, "windows": "own",
                   "rules": {"power_doubles": True, "rent_asked": True, "max_turns": 25}},
    "all_short": {"seats": "all", "edition": "kanto2014", "mode": "short", "num_players": 4,
                  "deals": "off", "skip_forced": False, "observation": "dict", "reward": CUT,
                  "rules": {"start_cash": 300}},
    "all_rounds": {"seats": "all", "edition": "pokemon_fr2000", "mode": "time_limit",
                   "num_players": 5, "reward": {"name": "net_worth", "end_scale": 10.0},
                   "rules": {"time_limit_rounds": 3}},
    "house_rules": {"edition": "yugioh2016", "opponents": ["fixed_b"] * 6, "seat": 3,
                    "rules": {"auctions": False, "gifts": True, "free_parking_jackpot": True}},
}  # fmt: skip


def pick(mask: Any, random: np.random.Generator) -> int:
    """A random legal action."""
    return int(random.choice(np.flatnonzero(mask)))


# Every seat an agent


def spaces() -> Lines:
    """The spaces that the environments announce."""
    raw = monopoly_v0.raw_env(num_players=2)
    yield f"{raw.metadata} {raw.possible_agents} {raw.action_space('player_0')}"
    sight = raw.observation_space("player_0")["observation"]
    yield f"{sight.shape} {told(sight.low)} {told(sight.high)} {raw.state_space.dtype}"
    for observation in ("flat", "dict"):
        one = gymnasium.make(ID, observation=observation, disable_env_checker=True)
        yield short(repr((one.action_space, one.observation_space, one.metadata)).encode())
        many = vector(num_envs=2, observation=observation)
        yield short(repr((many.action_space, many.observation_space, many.metadata)).encode())
        many.close()


def aec(name: str) -> Lines:
    """A game without wrappers, and the next one after it: two seeds, one without."""
    env = monopoly_v0.raw_env(**AEC[name])
    for seed in (5, None):
        env.reset(seed=seed)
        yield from aec_game(env, 1, STEPS)
        yield f"state {told(env.state())} {short(env.game.state.tobytes())}"


def aec_game(env: Any, seed: int, steps: int) -> Lines:
    """Random play with every agent, until all are out or so many steps are done."""
    random = np.random.default_rng(seed)
    for number, agent in enumerate(islice(env.agent_iter(10**9), steps)):
        seen, reward, terminated, truncated, info = env.last()
        yield f"{agent} {told(seen)} {reward!r} {terminated} {truncated} {told(info)}"
        if number % 50 == 0:
            yield f"state {told(env.state())} rewards {env.rewards} agents {env.agents}"
            yield from (f"{each} sees {told(env.observe(each))}" for each in env.agents)
            yield str(env.render() if env.render_mode else None)
        out = terminated or truncated
        env.step(None if out else pick(seen["action_mask"], random))


def wrapped() -> Lines:
    """PettingZoo's wrappers: play, then an illegal action; a position; actions as text."""
    env = monopoly_v0.env(num_players=3, reward="rank", rules={"max_turns": 30})
    env.reset(seed=7)
    yield from aec_game(env, 3, 200)
    if env.agents:
        seen = env.last()[0]
        env.step(int(np.argmin(seen["action_mask"])))
        yield from aec_game(env, 4, 10)
    raw = monopoly_v0.raw_env(num_players=3)
    for seed, position in ((1, POSITION), (2, Game(players=3, seed=9)), (None, None)):
        raw.reset(seed=seed, options=None if position is None else {"position": position})
        raw.step("roll")
        yield from aec_game(raw, 6, 60)
        yield refused(partial(raw.step, "build:boardwalk"))


# One seat among bots


class Watcher:
    """A bot that only Python can ask: plays at random and writes down all that it is shown."""

    name = "watcher"

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.random = np.random.default_rng(0)

    def reset(self, seed: int) -> None:
        """A new game."""
        self.lines.append(f"reset {seed}")
        self.random = np.random.default_rng(seed)

    def decide(self, view: Any) -> int:
        """Any legal action."""
        events = "; ".join(map(str, view.events))
        self.lines.append(
            f"seat {view.seat} {told(view.mask)} {told(view.observation)} {view.legal_actions} "
            f"{view.menu} {events} {short(view.record.tobytes())} "
            f"{short(view.game.state.tobytes())}"
        )
        return pick(view.mask, self.random)


def single(name: str) -> Lines:
    """Episodes of one learner, at random."""
    env = gymnasium.make(ID, disable_env_checker=True, **SINGLE[name])
    for seed in (3, None, None, 9):
        yield from episode(env, env.reset(seed=seed), 500)


def episode(env: Any, begun: Any, steps: int) -> Lines:
    """Random play until the episode is over or so many steps are done."""
    random, (seen, info) = np.random.default_rng(2), begun
    yield f"{told(seen)} {told(info)} {env.unwrapped.seat}"
    for number in range(steps):
        mask = info["action_mask"] if "action_mask" in info else seen["action_mask"]
        seen, reward, terminated, truncated, info = env.step(pick(mask, random))
        yield f"{told(seen)} {reward!r} {terminated} {truncated} {told(info)}"
        if number % 50 == 0:
            yield f"{told(env.unwrapped.action_masks())} {env.render() if env.render_mode else None}"
        if terminated or truncated:
            break
    yield short(env.unwrapped.game.state.tobytes())


def asked() -> Lines:
    """A table with bots that only Python can ask, one's own and one by name."""
    watcher = Watcher()
    env = gymnasium.make(
        ID, opponents=[watcher, "search:4", "fixed_a"], disable_env_checker=True,
        rules={"max_turns": 24, "deals": "menu"}, reward=SHAPED,
    )  # fmt: skip
    for seed in (1, 2):
        yield from episode(env, env.reset(seed=seed), 200)
    yield from watcher.lines


def illegal() -> Lines:
    """What an illegal action comes to, and what a position begins."""
    for way in ("raise", "random", "forfeit"):
        env = gymnasium.make(
            ID, illegal_action=way, seat=1, reward=SHAPED, disable_env_checker=True
        )
        _, info = env.reset(seed=4)
        yield refused(
            lambda env=env, info=info: told(env.step(int(np.argmin(info["action_mask"]))))
        )
    env = gymnasium.make(ID, opponents=["fixed_a"] * 2, disable_env_checker=True)
    yield from episode(env, env.reset(seed=8, options={"position": POSITION}), 60)


# Many games


def vector(**parameters: Any) -> Any:
    """The vector environment as Gymnasium makes it."""
    return gymnasium.make_vec(ID, vectorization_mode="vector_entry_point", **parameters)


def picks(masks: Any, random: np.random.Generator) -> Any:
    """A random legal action for each game."""
    return np.argmax(random.random(masks.shape) * masks, axis=1)


def vectors(name: str) -> Lines:
    """Steps of many games, some of which are begun anew on the way, then all from seeds."""
    envs, random = vector(num_envs=GAMES, **VECTORS[name]), np.random.default_rng(11)
    begun = {"seed": 21}, {"options": {"reset_mask": np.arange(GAMES) % 3 == 0}}
    for how in (*begun, {"seed": list(range(70, 70 + GAMES))}):
        seen, info = envs.reset(**how)
        yield f"{told(seen)} {told(info)}"
        yield from vector_steps(envs, seen, random, STEPS)
    envs.close()


def vector_steps(envs: Any, seen: Any, random: np.random.Generator, steps: int) -> Lines:
    """Random play; now and then all that can be asked of the games."""
    for number in range(steps):
        before = seen
        own, offered = picks(envs.action_masks(), random), envs.sample_actions(number)
        actions = np.where(random.random(len(own)) < 0.5, own, offered)
        seen, rewards, terminated, truncated, info = envs.step(actions)
        yield f"{told(seen)} {told(rewards)} {told(terminated)} {told(truncated)} {told(info)}"
        if number % 10 == 0:
            yield f"what was seen before: {told(before)}"
        if number % 100 == 0:
            yield f"{told(envs.game_seeds)} {told(envs.actors)} {told(offered)}"
            yield " ".join(short(envs.game(game).state.tobytes()) for game in range(envs.num_envs))


def vector_positions() -> Lines:
    """Games that begin in a position, and all that follow them."""
    envs, random = vector(num_envs=4, seats="all", num_players=3), np.random.default_rng(5)
    for position in (POSITION, {"edition": "yugioh2016", "players": 3, "A": {"cash": 90}}):
        seen, info = envs.reset(seed=3, options={"position": position})
        yield f"{told(seen)} {told(info)}"
        yield from vector_steps(envs, seen, random, 150)
    envs.close()


# Refusals


BAD: tuple[dict[str, Any], ...] = (
    {"num_players": 1}, {"num_players": 9}, {"num_players": "four"}, {"edition": "clasic"},
    {"windows": "some"}, {"deals": "menus"}, {"deals": "off", "rules": {"deals": "menu"}},
    {"decides": []}, {"decides": ["BYE"]}, {"decides": "BUY"}, {"rest": "nobody", "leaves": ["buy"]},
    {"leaves": ["bye"]}, {"skip_forced": 2}, {"reward": "fame"}, {"reward": {"name": "win", "x": 1}},
    {"reward": {"gamma": 2}}, {"render_mode": "human"}, {"rules": {"salry": 1}}, {"mode": "long"},
    {"elimination": "never"}, {"any_players": "yes"},
)  # fmt: skip
BAD_SEATS: tuple[dict[str, Any], ...] = (
    {"opponents": []}, {"opponents": "random"}, {"opponents": ["nobody"]}, {"opponents": [7]},
    {"opponents": ["random"] * 8}, {"opponents": ["random"], "num_players": 4}, {"seat": 4},
    {"seat": "first"}, {"pool": []}, {"pool": {"random": 0}}, {"pool": ["random", "random"]},
    {"pool": [("random", "fixed_a")]}, {"pool": ["random"], "opponents": ["random"]},
    {"observation": "round"}, {"illegal_action": "ignore"}, {"play_out": 1},
)  # fmt: skip
BAD_VECTORS: tuple[dict[str, Any], ...] = (
    {"seats": "some"}, {"seats": "all", "pool": ["random"]}, {"threads": 0}, {"buffers": 9},
    {"num_envs": 0}, {"opponents": ["search:4"] * 3},
)  # fmt: skip


def bad() -> Lines:
    """What is said of parameters that there cannot be."""
    for given in BAD:
        yield f"{given}: {refused(partial(monopoly_v0.raw_env, **given))}"
    for given in BAD_SEATS:
        make = partial(gymnasium.make, ID, disable_env_checker=True, **given)
        yield f"{given}: {refused(make)}"
    for given in BAD_VECTORS:
        yield f"{given}: {refused(partial(vector, **{'num_envs': 2, **given}))}"
    envs = vector(num_envs=2)
    yield refused(partial(envs.step, np.zeros(2, np.int64)))
    envs.reset(seed=1)
    for actions in (np.zeros(3, np.int64), np.zeros(2), np.full(2, -1), np.array([0, 341])):
        yield refused(partial(envs.step, actions))
    yield refused(partial(envs.reset, seed=[1]))
    yield refused(partial(envs.reset, options={"reset_mask": [1]}))


TAKERS: Takers = {
    "aec/spaces": spaces,
    **{f"aec/{name}": partial(aec, name) for name in AEC},
    "aec/wrapped": wrapped,
    **{f"single/{name}": partial(single, name) for name in SINGLE},
    "single/asked": asked,
    "single/illegal": illegal,
    **{f"vector/{name}": partial(vectors, name) for name in VECTORS},
    "vector/positions": vector_positions,
    "refusals/environments": bad,
}
