"""Copies and saved states go on as the original would, whatever the environment and the moment."""

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
import zlib
from pathlib import Path
from types import MappingProxyType

import cloudpickle
import numpy as np
import pytest

from monopoly_env import Game, SingleSeatEnv, VectorEnv, monopoly_v0
from monopoly_env.agent import AgentSpec, find_agent, make_agent
from monopoly_env.bots import View
from monopoly_env.engine.phases import Phase
from monopoly_env.envs.game_batch import GameBatch
from monopoly_env.errors import CopyError, InputError
from tests.envs.walks import KINDS, SHORT, walk_aec, walk_game, walk_single, walk_vector

pytestmark = pytest.mark.promise("copies")

CASES = [
    pytest.param(kind, {**SHORT, **options}, id=f"{name} {number}")
    for name, kind in KINDS.items()
    for number, options in enumerate(kind.options)
]


def by_pickle(protocol):
    return lambda env: pickle.loads(pickle.dumps(env, protocol))


WAYS = {
    "deepcopy": copy.deepcopy,
    "pickle 2": by_pickle(2),
    "pickle 5": by_pickle(pickle.HIGHEST_PROTOCOL),
    "cloudpickle": lambda env: cloudpickle.loads(cloudpickle.dumps(env)),
}


def twins_of(env, kind, options):
    """Copies of every way, by its name."""
    ways = WAYS | ({"copy": copy.copy} if kind.ours else {})
    twins = {name: way(env) for name, way in ways.items()}
    if kind.clones:
        twins["clone_state"] = kind.make(**options)
        twins["clone_state"].restore_state(env.clone_state())
    return twins


def begin(env):
    """A first reset with a seed."""
    if isinstance(env, GameBatch):
        env.seed(3)
        env.begin(np.empty(0, np.float32), np.empty(0, np.int8))
    else:
        env.reset(seed=3)


@pytest.mark.parametrize(("kind", "options"), CASES)
def test_a_copy_goes_on_as_the_original_would(kind, options):
    """From before the first reset, and from random moments of some episodes, ends among them.

    The original goes on when some copies have, and others go on after it: they share nothing.
    """
    env = kind.make(**options)
    random = np.random.default_rng(len(str(options)))
    for stop in range(4):
        twins = list(twins_of(env, kind, options).items())
        twins.insert(2, ("original", env))
        if stop == 0:
            for _, one in twins:
                begin(one)
        expected = kind.walk(twins[0][1], kind.steps, 10 + stop)
        for name, twin in twins[1:]:
            assert kind.walk(twin, kind.steps, 10 + stop) == expected, (name, stop)
        kind.walk(env, int(random.integers(1, kind.steps)), stop)


@pytest.mark.parametrize(
    "phase", [Phase.BUY, Phase.AUCTION, Phase.DEBT, Phase.DEED, Phase.DEAL, Phase.ANSWER]
)
@pytest.mark.parametrize("make", [monopoly_v0.raw_env, monopoly_v0.env])
def test_in_the_middle_of_every_kind_of_decision(make, phase):
    env = make(num_players=4)
    env.reset(seed=5)
    for step in range(20_000):
        if env.unwrapped.game.phase is phase and not env.last()[2]:
            break
        walk_aec(env, 1, step)
    else:
        pytest.fail("no such decision")
    fresh = make(num_players=4)
    fresh.restore_state(env.clone_state())
    twins = [way(env) for way in (copy.deepcopy, copy.copy, by_pickle(4))]
    expected = walk_aec(env, 40, 1)
    for twin in (*twins, fresh):
        assert walk_aec(twin, 40, 1) == expected


@pytest.mark.parametrize("stop", [0, 1, 60, 400])
def test_a_game_keeps_its_journal_and_its_record(stop):
    game = Game(players=3, seed=4)
    walk_game(game, stop, 1)
    for twin in (way(game) for way in (*WAYS.values(), copy.copy)):
        copied = twin.copy()
        assert walk_game(twin, 30, 2) == walk_game(copied, 30, 2)
    expected = walk_game(game.copy(), 30, 2)
    assert walk_game(game, 30, 2) == expected


def test_after_an_illegal_action_that_ended_the_game():
    env = monopoly_v0.env(num_players=3)
    env.reset(seed=1)
    walk_aec(env, 5, 1)
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))
    fresh = monopoly_v0.env(num_players=3)
    fresh.restore_state(env.clone_state())
    for twin in (fresh, copy.deepcopy(env)):
        assert twin.agents == env.agents
        assert (twin.rewards, twin.truncations) == (env.rewards, env.truncations)
    expected = walk_aec(copy.deepcopy(env), 12, 1)
    assert walk_aec(fresh, 12, 1) == walk_aec(env, 12, 1) == expected


def test_after_a_forfeit():
    env = SingleSeatEnv(["random"] * 2, illegal_action="forfeit")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(~env.action_masks())[0]))
    fresh = SingleSeatEnv(["random"] * 2, illegal_action="forfeit")
    info = fresh.restore_state(env.clone_state())[1]
    assert info["rank"] == 3
    assert not info["action_mask"].any()
    for twin in (fresh, copy.deepcopy(env)):
        with pytest.raises(InputError, match="the episode is over"):
            twin.step(0)
        assert not twin.action_masks().any()
        assert twin.reset()[0].tobytes() == copy.deepcopy(env).reset()[0].tobytes()


class Counting(SingleSeatEnv):
    """An environment with something of its own."""

    def __init__(self, **options):
        super().__init__(["random"], **options)
        self.actions = []

    def step(self, action):
        self.actions.append(action)
        return super().step(action)


def test_what_a_subclass_adds_is_copied_too():
    env = Counting()
    walk_single(env, 5, 1)
    for twin in (way(env) for way in (*WAYS.values(), copy.copy)):
        assert type(twin) is Counting
        assert twin.actions == env.actions
        assert twin.actions is not env.actions
        assert walk_single(twin, 10, 2) == walk_single(copy.deepcopy(env), 10, 2)


def test_options_that_python_cannot_copy_are_no_obstacle():
    rules, reward = (MappingProxyType(x) for x in ({"max_turns": 9}, {"name": "rank"}))
    for make in (SingleSeatEnv, monopoly_v0.env, lambda **options: VectorEnv(2, **options)):
        env = make(rules=rules, reward=reward, preset="paper")
        twins = [way(env) for way in WAYS.values()]
        states = []
        for one in (env, *twins):
            one.reset(seed=1)
            states.append(one.clone_state())
        assert states == states[:1] * len(states)


def test_spaces_go_on_drawing_as_before():
    env = SingleSeatEnv()
    env.reset(seed=1)
    env.action_space.seed(7)
    env.np_random.random()
    twin = copy.deepcopy(env)
    assert [env.action_space.sample() for _ in range(9)] == [
        twin.action_space.sample() for _ in range(9)
    ]
    assert env.np_random.random() == twin.np_random.random()


# Bots that only Python can ask


class Counter:
    """Takes the legal actions in turn."""

    name = "counter"

    def reset(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def decide(self, view: View) -> int:
        return int(self.random.choice(np.flatnonzero(view.mask)))


class Stateful(Counter):
    """The same, with a state of its own."""

    def clone_state(self) -> bytes:
        return pickle.dumps(self.random)

    def restore_state(self, state: bytes) -> None:
        self.random = pickle.loads(state)


def test_bots_in_python_are_copied_with_what_they_remember():
    bot = Counter()
    env = SingleSeatEnv([bot, bot, Counter()], rules=SHORT["rules"])
    walk_single(env, 20, 1)
    twins = [way(env) for way in (*WAYS.values(), copy.copy)]
    for twin in twins:
        bots = list(twin._agents.values())
        assert bots[0] is bots[1]
        assert bots[0] is not bot
        assert bots[0] is not bots[2]
    expected = walk_single(twins[0], 40, 2)
    for twin in (env, *twins[1:]):
        assert walk_single(twin, 40, 2) == expected


def test_bots_in_python_have_states_if_they_say_so():
    env = SingleSeatEnv([Stateful(), make_agent("search:4"), "random"], rules=SHORT["rules"])
    walk_single(env, 9, 1)
    state = env.clone_state()
    fresh = SingleSeatEnv([Stateful(), make_agent("search:4"), "random"], rules=SHORT["rules"])
    fresh.restore_state(state)
    expected = walk_single(env, 15, 2)
    assert walk_single(fresh, 15, 2) == expected
    env.restore_state(state)
    assert walk_single(env, 15, 2) == expected
    with pytest.raises(CopyError, match=r"^opponents: counter has no clone_state\(\).*deepcopy"):
        SingleSeatEnv([Counter()]).clone_state()


def test_a_bot_that_cannot_be_copied_is_named(tmp_path):
    bot = Counter()
    env = SingleSeatEnv([bot])
    env.reset(seed=1)
    bot.file = (tmp_path / "log").open("w")
    before = env.game
    for way in (*WAYS.values(), copy.copy):
        with pytest.raises(
            CopyError, match=r"^opponents: counter cannot be (copied|pickled) \("
        ) as e:
            way(env)
        assert "\n" not in str(e.value)
        assert isinstance(e.value, TypeError)
    assert env.game == before
    bot.file.close()


def test_the_program_of_a_bot_cannot_be_copied_while_it_runs(tmp_path):
    script = tmp_path / "bot.py"
    script.write_text("import sys\nfor line in sys.stdin: pass\n")
    env = SingleSeatEnv([f"exec:decision=0.2 first=0.2 {sys.executable} {script}"], seat=1)
    copy.deepcopy(env)  # before it was started
    env.reset(seed=1)
    bot = env._agents[1]
    if bot._process is None:  # it was stopped for being late
        bot._greet(View.of(env.game))
    with pytest.raises(CopyError, match=r"^opponents: exec:.* cannot be copied: its program runs"):
        copy.deepcopy(env)
    bot.close()


def test_what_plain_pickles_refuse_goes_by_cloudpickle():
    bot = Counter()
    bot.key = lambda: 3
    env = SingleSeatEnv([bot, bot])
    walk_single(env, 5, 1)
    twin = pickle.loads(pickle.dumps(env))
    assert twin._agents[1] is twin._agents[2]
    assert twin._agents[1].key() == 3
    assert walk_single(twin, 20, 1) == walk_single(env, 20, 1)


@pytest.mark.parametrize("name", ["veteran", "strategist", "random", "search"])
def test_bots_by_name_and_specs_are_pickled_as_names(name):
    spec = find_agent(name)[0]
    assert pickle.loads(pickle.dumps(spec)) is spec
    assert copy.deepcopy(spec) is spec
    own = AgentSpec("own", "another", Counter)
    assert pickle.loads(pickle.dumps(own)) == own


@pytest.mark.parametrize("name", ["veteran", "random", "fixed_a"])
def test_compiled_agents_are_copied_without_addresses(name):
    agent, game = make_agent(name), Game(seed=3)
    agent.reset(5)
    for _ in range(30):
        game.play(agent.decide(View.of(game)))
    for twin in (way(agent) for way in WAYS.values()):
        one, other, original = game.copy(), game.copy(), copy.deepcopy(agent)
        for _ in range(60):
            one.play(twin.decide(View.of(one)))
            other.play(original.decide(View.of(other)))
        assert one == other


def test_a_pickle_goes_on_in_another_process(tmp_path):
    made = {
        "single.pickle": SingleSeatEnv(["veteran", "search:4"], rules=SHORT["rules"]),
        "vector.pickle": VectorEnv(3, pool=["veteran", "random"], rules=SHORT["rules"], threads=2),
    }
    walks = {"single.pickle": walk_single, "vector.pickle": walk_vector}
    expected = {}
    for name, env in made.items():
        walks[name](env, 15, 1)
        (tmp_path / name).write_bytes(pickle.dumps(env))
        expected[name] = zlib.crc32(repr(walks[name](env, 20, 2)).encode())
    code = """
import pickle, sys, zlib
from pathlib import Path
from tests.envs.walks import walk_single, walk_vector
for name, walk in (("single.pickle", walk_single), ("vector.pickle", walk_vector)):
    env = pickle.loads(Path(sys.argv[1], name).read_bytes())
    print(zlib.crc32(repr(walk(env, 20, 2)).encode()))
"""
    command = [sys.executable, "-c", code, str(tmp_path)]
    root = Path(__file__).parents[2]
    done = subprocess.run(command, cwd=root, capture_output=True, text=True, check=False)
    assert [int(line) for line in done.stdout.split()] == list(expected.values()), done.stderr


def test_a_copy_has_threads_of_its_own():
    env = VectorEnv(6, threads=2)
    env.reset(seed=1)
    twin = copy.deepcopy(env)
    assert twin._threads.workers is not env._threads.workers
    env.close()
    closed = copy.deepcopy(env)
    assert closed._threads.workers.ended
    assert walk_vector(twin, 9, 1) == walk_vector(closed, 9, 1)
    twin.close()
