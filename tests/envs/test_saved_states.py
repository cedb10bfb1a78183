"""clone_state and restore_state: rows of vectors, what a state must fit; games set at tables."""

from __future__ import annotations

import copy
import pickle
import zlib
from functools import partial

import gymnasium
import numpy as np
import pytest

from monopoly_env import Game, SingleSeatEnv, VectorEnv, monopoly_v0
from monopoly_env.bots import View
from monopoly_env.errors import AgentError, InputError
from tests.envs.walks import NAME, SHORT, as_bytes, walk_aec, walk_single, walk_vector

pytestmark = pytest.mark.promise("copies")

POSITION = {"players": 2, "turn": "B", "A": {"cash": 200, "deeds": ["boardwalk"]}}


def games_shown(env, rows, steps, key):
    """What is shown of some tables in random steps."""
    shown = []
    for step in range(steps):
        observations, rewards, over, cut, _ = env.step(env.sample_actions(key + step))
        parts = (observations, rewards, over, cut, env.action_masks(), env.game_seeds)
        shown.append([as_bytes(np.asarray(part)[rows]) for part in parts])
    return shown


def vector(n=6, **options):
    parameters = {"pool": ["veteran", "random"], **SHORT, **options}
    return VectorEnv(n, **parameters)


# Rows of vectors


@pytest.mark.parametrize("indices", [[4, 1], np.array([4, 1]), range(4, 0, -3), (np.int8(4), 1)])
def test_some_games_go_to_other_tables_and_the_rest_go_on(indices):
    env, other = vector(), vector(9)
    env.reset(seed=1)
    other.reset(seed=2)
    walk_vector(env, 40, 1)
    untouched = copy.deepcopy(other)
    observations, infos = other.restore_state(env.clone_state(indices), [7, 0])
    assert other.get_games([7, 0]) == env.get_games([4, 1])
    np.testing.assert_array_equal(observations[[7, 0]], env.observations[[4, 1]])
    np.testing.assert_array_equal(infos["action_mask"][[7, 0]], env.action_masks()[[4, 1]])
    rest = [1, 2, 3, 4, 5, 6, 8]
    assert games_shown(copy.deepcopy(other), rest, 60, 3) == games_shown(untouched, rest, 60, 3)
    assert games_shown(other, [7, 0], 60, 3) == games_shown(env, [4, 1], 60, 3)


def test_a_mask_names_games_too_and_one_game_fits_any_number_of_tables():
    env = vector()
    env.reset(seed=1)
    walk_vector(env, 30, 1)
    state = env.clone_state(np.arange(6) == 2)
    assert state == env.clone_state(2) == env.clone_state([2])
    env.restore_state(state, [0, 5])
    assert env.get_games([0, 5]) == env.get_games([2]) * 2
    fresh = vector(4)
    fresh.restore_state(state, range(4))
    assert games_shown(fresh, [0], 40, 1) == games_shown(copy.deepcopy(env), [2], 40, 1)


def test_a_state_is_the_same_bytes_for_the_same_games_and_can_be_put_back_again_and_again():
    env, other = vector(), vector(threads=2, buffers=1)
    env.reset(seed=1)
    other.reset(seed=1)
    walk_vector(env, 30, 1)
    walk_vector(other, 30, 1)
    state = env.clone_state()
    assert other.clone_state() == state
    expected = walk_vector(env, 50, 2)
    for _ in range(2):
        env.restore_state(bytearray(state))
        assert env.clone_state() == state
        assert walk_vector(env, 50, 2) == expected
    other.close()


def test_a_state_of_all_games_has_the_weights_of_the_pool():
    env, other = vector(rules={"max_turns": 4}), vector(rules={"max_turns": 4})
    env.reset(seed=1)
    env.batch.set_pool_weights([1, 0])
    other.restore_state(env.clone_state())
    assert walk_vector(env, 60, 1) == walk_vector(other, 60, 1)


def test_where_games_begin_is_in_the_state():
    env, other = (
        VectorEnv(3, num_players=2, deals="off", rules={"max_turns": 4}) for _ in range(2)
    )
    env.reset(seed=1, options={"position": POSITION})
    other.restore_state(env.clone_state())
    expected = walk_vector(env, 80, 1)
    assert walk_vector(other, 80, 1) == expected
    assert "boardwalk" in other.game(0).hand("A").deeds
    other.reset(seed=1)  # and then no more
    assert "boardwalk" not in other.game(0).hand("A").deeds


@pytest.mark.parametrize("mode", ["NextStep", "Disabled"])
@pytest.mark.parametrize("options", [{"seats": "all"}, {"opponents": ["random"] * 2}])
def test_games_that_are_over_are_over_in_the_state(mode, options):
    """Which the next step begins anew, or a reset; what is observed is still the end."""
    rules = {"max_turns": 4}
    env, other = (VectorEnv(4, autoreset_mode=mode, rules=rules, **options) for _ in range(2))
    env.reset(seed=1)
    for key in range(200):
        env.step(env.sample_actions(key))
        if env._over.any():
            break
    observations, infos = other.restore_state(env.clone_state())
    assert observations.tobytes() == env.observations.tobytes()
    assert infos["action_mask"].tobytes() == env.action_masks().tobytes()
    assert (other._over == env._over).all()
    assert 0 < env._over.sum() < 4
    one = VectorEnv(1, autoreset_mode=mode, rules=rules, **options)
    index = int(env._over.argmax())
    assert (
        one.restore_state(env.clone_state(index), [0])[0][0].tobytes()
        == observations[index].tobytes()
    )
    assert one._over.all()
    assert walk_vector(other, 30, 2) == walk_vector(env, 30, 2)


def test_arrays_of_a_copy_are_handed_out_as_before():
    for copies in (True, False):
        env = vector(copy=copies)
        env.reset(seed=1)
        twin = copy.deepcopy(env)
        for observations in (twin.observations, twin.step(twin.sample_actions())[0]):
            assert observations.flags.writeable == copies
        twin.restore_state(env.clone_state())
        assert twin.restore_state(env.clone_state())[0].flags.writeable == copies


def test_states_of_environments_before_the_first_reset():
    for make in (monopoly_v0.raw_env, monopoly_v0.env, SingleSeatEnv):
        env, other = make(), make()
        other.reset(seed=1)
        other.restore_state(env.clone_state())
        with pytest.raises((InputError, AssertionError), match="reset"):
            other.step(0)
        other.reset(seed=2)
    env, other = vector(), vector()
    state = env.clone_state()
    other.reset(seed=1)
    with pytest.raises(InputError, match="state: was taken before the first reset"):
        other.restore_state(state, range(6))
    other.restore_state(state)
    with pytest.raises(InputError, match="no game is running"):
        other.step(np.zeros(6, np.int64))


def test_search_goes_back_to_the_root():
    """In Gymnasium's wrappers too, as search does with other environments."""
    env = gymnasium.make(NAME, opponents=["random", "fixed_a"])
    env.reset(seed=3)
    root = env.unwrapped.clone_state()
    branches = [walk_single(env, 5, 1)]
    for _ in range(2):
        observation, info = env.unwrapped.restore_state(root)
        assert observation.shape == (1365,)
        assert (info["action_mask"] == env.unwrapped.action_masks()).all()
        branches.append(walk_single(env, 5, 1))
    assert branches[1:] == branches[:1] * 2


# What a state must fit


def refused(restore, state):
    """The line that refuses a state; nothing has changed then."""
    with pytest.raises(InputError) as problem:
        restore(state)
    assert "\n" not in str(problem.value)
    return str(problem.value)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("damage", [0, 9, 16, 40, 200, -5, -1])
def test_damaged_states_are_refused(damage):
    env = SingleSeatEnv()
    env.reset(seed=1)
    state = env.clone_state()
    bad = bytearray(state)
    bad[damage] ^= 4
    before = env.clone_state()
    assert refused(env.restore_state, bytes(bad)).startswith("state: is ")
    for cut in (0, 5, 17, 50, len(state) - 1):
        assert refused(env.restore_state, state[:cut]).startswith("state: is ")
    assert refused(env.restore_state, state + b"x").startswith("state: is damaged")
    assert env.clone_state() == before


@pytest.mark.promise("bad_input")
def test_a_state_that_ends_too_early_is_refused_even_if_its_checksum_fits():
    env = vector()
    env.reset(seed=1)
    body = env.clone_state()[:-5000]
    state = body + zlib.crc32(body).to_bytes(4, "little")
    assert "ends too early" in refused(env.restore_state, state)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("more", [b"x", b"x" * 8, b"\xff" * 200])
@pytest.mark.parametrize(
    "env",
    [
        SingleSeatEnv(),
        monopoly_v0.raw_env(),
        vector(),
        vector(autoreset_mode="NextStep"),
    ],
    ids=lambda env: type(env).__name__,
)
def test_a_state_with_more_at_its_end_is_refused_even_if_its_checksum_fits(env, more):
    env.reset(seed=1)
    before = env.clone_state()
    body = before[:-4] + more
    text = refused(env.restore_state, body + zlib.crc32(body).to_bytes(4, "little"))
    assert text.startswith("state: ")
    assert env.clone_state() == before


@pytest.mark.promise("bad_input")
def test_agents_and_last_actors_that_there_are_not_are_refused():
    aec, games = monopoly_v0.raw_env(), vector(2, autoreset_mode="NextStep")
    for env, place in ((aec, -4 - 4), (games, -4 - 1)):  # the agent selected, the last actor
        env.reset(seed=1)
        before = env.clone_state()
        body = bytearray(before[:-4])
        body[place + 4] = 9
        state = bytes(body) + zlib.crc32(body).to_bytes(4, "little")
        assert refused(env.restore_state, state).startswith("state: is damaged")
        assert env.clone_state() == before


class Drawer:
    """Draws its actions, and has a state of its own."""

    def __init__(self, name: str = "drawer") -> None:
        self.name = name
        self.refuses = False

    def reset(self, seed: int) -> None:
        self.random = np.random.default_rng(seed)

    def decide(self, view: View) -> int:
        return int(self.random.choice(np.flatnonzero(view.mask)))

    def clone_state(self) -> bytes:
        return pickle.dumps(self.random)

    def restore_state(self, state: bytes) -> None:
        self.random = pickle.loads(state)
        if self.refuses:
            raise ValueError("not mine")


def table(*bots):
    """An environment with these bots, some decisions into its first game."""
    env = SingleSeatEnv(bots, rules={"max_turns": 30})
    env.reset(seed=len(bots))
    walk_single(env, 5, 1)
    return env


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "others",
    [
        (Drawer(), Drawer()),
        (Drawer(), Drawer("another")),
        (Drawer(), "random"),
        ("random", Drawer()),
    ],
    ids=["not shared", "another name", "one less", "another seat"],
)
def test_a_state_of_other_bots_in_python_is_refused(others):
    bot = Drawer()
    state = table(bot, bot).clone_state()
    env = table(*others)
    before = env.clone_state()
    text = refused(env.restore_state, state)
    assert text.startswith("state: has other bots (opponents, pool, rest)")
    assert env.clone_state() == before


def test_a_state_of_bots_in_the_same_seats_fits():
    bot, own = Drawer(), Drawer()
    env, other = (
        table(bot, Drawer("left"), bot),
        SingleSeatEnv([own, Drawer("left"), own], rules={"max_turns": 30}),
    )
    other.restore_state(env.clone_state())
    assert walk_single(other, 20, 2) == walk_single(env, 20, 2)


@pytest.mark.promise("bad_input")
def test_parts_of_bots_in_python_that_do_not_fit_change_nothing():
    env = table(Drawer(), Drawer())
    before = env.clone_state()
    size = len(pickle.dumps(np.random.default_rng(1))) + 8
    for cut in (size, size // 2, 2 * size, 3):
        body = before[: -4 - cut]
        state = body + zlib.crc32(body).to_bytes(4, "little")
        text = refused(env.restore_state, state)
        assert text == "state: has no states of 2 Python bots; clone the state again"
        assert env.clone_state() == before


@pytest.mark.promise("bad_input")
def test_a_bot_that_refuses_its_state_changes_nothing():
    first, second = Drawer(), Drawer("second")
    env = table(first, second)
    state = env.clone_state()
    walk_single(env, 5, 2)
    before = env.clone_state()
    second.refuses = True
    with pytest.raises(AgentError) as problem:
        env.restore_state(state)
    text = "opponents: restore_state() of second failed: ValueError: not mine; "
    assert str(problem.value).startswith(text)
    assert "\n" not in str(problem.value)
    assert env.clone_state() == before
    second.refuses = False
    env.restore_state(state)
    assert env.clone_state() == state


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("state", [None, 3, "text", [1], np.zeros(4), {}, b"", b"monopoly"])
def test_what_is_no_state_is_refused(state):
    for env in (SingleSeatEnv(), vector(), monopoly_v0.raw_env()):
        env.reset(seed=1)
        assert refused(env.restore_state, state).startswith("state: ")


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"rules": {"max_turns": 15}}, "is played by other rules"),
        ({"edition": "pokemon1999"}, "is played by other rules"),
        ({"deals": "menu"}, "is played by other rules"),
        ({"num_players": 3}, "has another number of players"),
        ({"pool": ["veteran"]}, "has other bots"),
        ({"pool": ["random", "veteran"]}, "has other bots"),
        ({"reward": "rank"}, "has another reward"),
        ({"reward": {"name": "win", "gamma": 0.9}}, "has another reward"),
        ({"seat": 0}, "has other options"),
        ({"skip_forced": False}, "has other options"),
        ({"play_out": True}, "has other options"),
        ({"leaves": ["deal"]}, "has other"),
    ],
)
def test_states_of_other_environments_are_refused(options, problem):
    env, other = vector(), vector(**options)
    for one in (env, other):
        one.reset(seed=1)
    before = other.clone_state()
    for indices in (None, [0]):
        text = refused(partial(other.restore_state, indices=indices), env.clone_state(indices))
        assert text.startswith(f"state: {problem}")
        assert text.endswith("restore it in an environment that is made as the one it is of")
    assert other.clone_state() == before


@pytest.mark.promise("bad_input")
def test_states_of_other_kinds_and_numbers_of_games_are_refused():
    single, games, aec = SingleSeatEnv(), VectorEnv(1), monopoly_v0.raw_env()
    for env in (single, games, aec):
        env.reset(seed=1)
    text = refused(single.restore_state, games.clone_state())
    assert text.startswith("state: is of a vector environment, not of a single-seat environment")
    assert "is of a single-seat" in refused(aec.restore_state, single.clone_state())
    env = vector()
    env.reset(seed=1)
    assert "has 6 games, not 4" in refused(vector(4).restore_state, env.clone_state())
    state = env.clone_state([1, 2])
    assert "has 2 games, not 3" in refused(partial(env.restore_state, indices=[1, 2, 3]), state)
    assert "has 2 games, not 6" in refused(env.restore_state, state)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "indices",
    [6, -1, [0, 6], [-1], [1, 1], [1.0], "1", [[0]], ["a"], [True, False], 2**70, [None], {1: 2}],
)
def test_indices_that_cannot_be_are_one_line(indices):
    env = vector()
    env.reset(seed=1)
    state = env.clone_state([0])
    for call in (env.clone_state, env.get_games, lambda i: env.restore_state(state, i)):
        assert refused(call, indices).startswith("indices: ")


# Games set at tables


def test_games_are_set_at_tables_and_go_on_exactly():
    env = VectorEnv(4, seats="all", rules={"max_turns": 30})
    env.reset(seed=1)
    walk_vector(env, 40, 1)
    games = env.get_games()
    other = VectorEnv(6, seats="all", rules={"max_turns": 30})
    other.reset(seed=2)
    before = other.get_games()
    other.set_games(games[:3], [5, 0, 2])
    assert other.get_games([5, 0, 2]) == games[:3]
    assert other.get_games([1, 3, 4]) == [before[1], before[3], before[4]]
    twin = games[0].copy()
    for step in range(20):
        actions = other.sample_actions(step)
        twin.play(int(actions[5]))
        other.step(actions)
        while not twin.over and len(twin.legal_ids()) == 1:
            twin.play(twin.legal_ids()[0])  # skip_forced
        assert other.game(5) == twin


def test_positions_one_a_table_with_a_mask_and_later_games_begin_there_too():
    env = VectorEnv(4, num_players=2, rules={"max_turns": 3}, deals="off")
    rich = {"players": 2, "A": {"deeds": ["park_place"]}}
    with pytest.raises(InputError, match="reset_mask: leaves games that never began"):
        env.reset(options={"positions": [rich], "reset_mask": np.arange(4) == 1})
    env.reset(seed=1)
    mask = np.array([True, False, False, True])
    env.reset(seed=3, options={"positions": [rich, POSITION], "reset_mask": mask})
    seeds = env.game_seeds
    for _ in range(3):
        for index, deed in enumerate(("park_place", None, None, "boardwalk")):
            owned = env.game(index).hand("A").deeds
            assert (deed in owned) if deed else not {"park_place", "boardwalk"} & set(owned)
        for key in range(20):
            env.step(env.sample_actions(key))
    assert (env.game_seeds != seeds).all()
    env.reset(options={"reset_mask": mask})  # again where they began
    assert "boardwalk" in env.game(3).hand("A").deeds
    env.reset()
    assert "boardwalk" not in env.game(3).hand("A").deeds


def test_a_game_goes_on_alike_wherever_it_is_set():
    """Bots draw their random numbers from the position: no seed is needed."""
    game = Game(players=3, seed=5)
    for _ in range(40):
        game.play(game.legal_ids()[0])
    options = {"opponents": ["random", "veteran"], "seat": game.actor_seat}
    after = []  # the learner's next action, and what the bots made of it
    for seed in (None, 1, 2):
        env = SingleSeatEnv(**options, skip_forced=True)
        env.reset(seed=seed)
        env.reset(options={"position": game})
        assert env.game == game
        action = int(env.action_masks().argmax())
        env.step(action)
        after.append(env.game)
        games = VectorEnv(3, **options)
        games.reset(seed=seed)
        games.set_games([game], [2])
        games.set_games([game] * 2, [0, 1])
        assert games.get_games() == [game] * 3
        games.step(np.full(3, action))
        after += games.get_games()
    assert after == after[:1] * len(after)
    assert after[0] != game


def test_with_a_seed_what_is_hidden_is_drawn_from_it():
    game = Game(players=3, seed=5)
    one, other = SingleSeatEnv(["random"] * 2), SingleSeatEnv(["random"] * 2)
    for env in (one, other):
        env.reset(seed=4, options={"position": game})
    assert walk_single(one, 60, 1) == walk_single(other, 60, 1)
    other.reset(seed=5, options={"position": game})
    assert one.game.state["rng"] != other.game.state["rng"]


def test_the_games_after_a_position_are_those_of_the_seed():
    plain, env = SingleSeatEnv(), SingleSeatEnv()
    for one in (plain, env):
        one.reset(seed=4)
    env.reset(options={"position": Game(seed=9)})
    plain.reset()
    assert plain.reset()[0].tobytes() == env.reset()[0].tobytes()


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("positions", "problem"),
    [
        ([Game(players=2)], "positions: 2 games begin and need one position each, not 1"),
        (POSITION, "positions: must be a list of positions"),
        ("x.yaml", "positions: must be a list of positions"),
        ([POSITION, Game(players=3)], "positions: 1: has 3 players; make the environment with"),
        ([POSITION, 3], "positions: 1: position: must be a mapping or the path"),
        ([{"players": 2, "A": {"cash": "x"}}, POSITION], "positions: 0: position: A.cash"),
        (
            [POSITION, {**POSITION, "edition": "pokemon1999"}],
            "positions: 1: is played by other rules",
        ),
        (
            [Game("pokemon1999", 2), Game("pokemon1999", 2)],
            "positions: 0: is played by other rules",
        ),
    ],
)
def test_positions_that_cannot_be_are_one_line_and_change_nothing(positions, problem):
    env = VectorEnv(3, num_players=2)
    env.reset(seed=1)
    state = env.clone_state()
    options = {"positions": positions, "reset_mask": np.array([True, False, True])}
    assert refused(lambda options: env.reset(options=options), options).startswith(problem)
    assert env.clone_state() == state


def test_positions_in_which_nobody_decides_leave_the_tables_as_they_were():
    env = VectorEnv(3, num_players=2, decides=["CLAIM"], rules={"max_turns": 2}, deals="off")
    own = VectorEnv(3, num_players=2, decides=["TURN"], rules={"max_turns": 2}, deals="off")
    own.reset(seed=1)
    with pytest.raises(InputError, match="decides: no game came to a decision"):
        env.reset(seed=1)
    games = own.get_games()
    state = own.clone_state()
    own.set_games(games[:1], [1])
    assert own.clone_state() != state


def test_aec_takes_a_list_of_one_position_too():
    env = monopoly_v0.raw_env(num_players=2)
    env.reset(seed=1, options={"positions": [POSITION]})
    other = monopoly_v0.raw_env(num_players=2)
    other.reset(seed=1, options={"position": POSITION})
    assert walk_aec(env, 30, 1) == walk_aec(other, 30, 1)
