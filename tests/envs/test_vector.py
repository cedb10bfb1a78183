"""Many games in one call: the same games as one by one, whole infos, no dependence on threads."""

from __future__ import annotations

import copy
import gc
import os
import pickle
import re
import signal
import subprocess
import sys
import threading
import time

import gymnasium
import numpy as np
import pytest

from monopoly_env import Game, IllegalAction, monopoly_v0
from monopoly_env.envs import SingleSeatEnv, VectorEnv
from monopoly_env.envs._kernel import play_tables
from monopoly_env.envs._thread_pool import CALLER, ThreadPool, shares
from monopoly_env.envs._work_queue import DONE, finish_share, take_share
from monopoly_env.errors import InputError

SHORT = {"max_turns": 60}


def steps(env, count, seed=5):
    """Random legal steps; everything that came back."""
    rows = [env.reset(seed=seed)[0].tobytes()]
    for key in range(count):
        seen, reward, over, cut, info = env.step(env.sample_actions(key))
        rows.append((seen.tobytes(), reward.tobytes(), over.tobytes(), cut.tobytes()))
        rows.append(info.get("final_info"))
    return str(rows)


def test_gymnasium_make_vec():
    env = gymnasium.make_vec(
        "monopoly_env/Monopoly-v0", num_envs=3, vectorization_mode="vector_entry_point"
    )
    assert env.metadata["autoreset_mode"] == gymnasium.vector.AutoresetMode.SAME_STEP
    seen, _ = env.reset(seed=1)
    assert env.observation_space.contains(seen)
    assert env.action_space.shape == (3,)


def test_each_game_is_that_of_a_single_environment():
    """The same seeds and actions: the games of each table, one after the other."""
    parameters = {"skip_forced": True, "rules": SHORT, "reward": "rank"}
    envs = VectorEnv(4, **parameters)
    seen, _ = envs.reset(seed=5)
    singles = [SingleSeatEnv(**parameters) for _ in range(4)]
    for index, single in enumerate(singles):
        first, _ = single.reset(seed=int(envs.game_seeds[index]))
        assert (first == seen[index]).all()
    ended = 0
    for key in range(800):
        actions = envs.sample_actions(key)
        seen, rewards, over, cut, infos = envs.step(actions)
        for index, single in enumerate(singles):
            own, reward, done, gone, info = single.step(int(actions[index]))
            assert reward == pytest.approx(float(rewards[index]))
            assert (done, gone) == (over[index], cut[index])
            if done or gone:
                ended += 1
                assert (infos["final_obs"][index] == own).all()
                assert infos["final_info"]["rank"][index] == info["rank"]
                assert infos["final_info"]["turns"][index] == info["turns"]
                own, _ = single.reset()
            assert (seen[index] == own).all()
            assert (infos["action_mask"][index] == single.action_masks()).all()
            assert single.game == envs.game(index)
    assert ended > 5


def test_with_all_seats_it_is_the_aec_environment():
    envs = VectorEnv(2, seats="all", num_players=3, skip_forced=False, rules=SHORT)
    seen, infos = envs.reset(seed=9)
    aec = monopoly_v0.raw_env(num_players=3, rules=SHORT)
    aec.reset(seed=int(envs.game_seeds[1]))
    total = np.zeros(3)
    for key in range(2000):
        assert aec.agent_selection == f"player_{infos['actor'][1]}"
        shown = aec.observe(aec.agent_selection)
        assert (shown["observation"] == seen[1]).all()
        assert (shown["action_mask"] == infos["action_mask"][1]).all()
        actions = envs.sample_actions(key)
        seen, rewards, over, cut, infos = envs.step(actions)
        aec.step(int(actions[1]))
        total += rewards[1]
        if over[1] or cut[1]:
            expected = [aec.infos[f"player_{seat}"]["rank"] for seat in range(3)]
            assert infos["final_info"]["rank"][1].tolist() == expected
            assert infos["final_info"]["gain"][1] == pytest.approx(total, abs=1e-6)
            assert total.sum() == pytest.approx(0, abs=1e-6)
            return
    pytest.fail("no game ended")


def test_a_game_seed_is_the_seed_of_a_game():
    envs = VectorEnv(3, seats="all", skip_forced=False)
    envs.reset(seed=5)
    assert envs.game_seeds[0] == 5
    for index, seed in enumerate(envs.game_seeds):
        assert envs.game(index) == Game(seed=int(seed))


def test_seeds():
    envs = VectorEnv(4, rules=SHORT)
    assert steps(envs, 300) == steps(envs, 300)
    assert steps(envs, 3, seed=6) != steps(envs, 3)
    envs.reset(seed=[3, 3, 4, 9])
    assert envs.game_seeds.tolist() == [3, 3, 4, 9]
    games = {VectorEnv(1).reset()[0].tobytes() for _ in range(4)}
    assert len(games) > 1
    for seed in ([1, 2], "7", [1, 2, 3, -4]):
        with pytest.raises(InputError, match="seed: must be"):
            envs.reset(seed=seed)


@pytest.mark.parametrize("parameters", [{}, {"seats": "all"}, {"pool": ["random", "fixed_a"]}])
def test_threads_change_nothing(parameters):
    expected = steps(VectorEnv(41, rules=SHORT, **parameters), 200)
    for threads in (2, 3, 41):
        envs = VectorEnv(41, rules=SHORT, threads=threads, **parameters)
        assert steps(envs, 200) == expected
        envs.close()
        assert steps(envs, 200) == expected  # by the caller alone


@pytest.mark.parametrize("n", [1, 2, 7, 64, 1000, 1024])
def test_shares_are_every_game_once(n):
    for threads in (1, 2, 3, 16):
        runs = shares(threads, n)
        assert [index for run in runs for index in range(*run)] == list(range(n))
        assert len(runs) >= min(threads, n)


def test_threads_end_when_the_environment_is_closed_or_forgotten():
    before = set(threading.enumerate())
    envs = [VectorEnv(4, rules=SHORT, threads=3) for _ in range(2)]
    assert steps(envs[0], 2) == steps(envs[1], 2)
    started = set(threading.enumerate()) - before
    assert len(started) == 4
    envs[0].close()
    envs[0].close()  # again does no harm
    envs.clear()
    gc.collect()
    for thread in started:
        thread.join(timeout=60)
        assert not thread.is_alive()


def test_threads_keep_no_process_from_ending():
    code = """
from monopoly_env.envs import VectorEnv
envs = VectorEnv(8, rules={"max_turns": 60}, threads=3)
envs.reset(seed=1)
envs.step(envs.sample_actions(0))
"""
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
@pytest.mark.filterwarnings("ignore:This process:DeprecationWarning")  # of Python 3.12
def test_a_forked_process_steps_without_the_threads():
    envs = VectorEnv(8, rules=SHORT, threads=3)
    expected = steps(envs, 20)
    child = os.fork()
    if child == 0:
        os._exit(0 if steps(envs, 20) == expected else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_a_copy_is_a_new_environment_of_the_same_making():
    parameters = {"pool": {"random": 2, "fixed_a": 1}, "rules": SHORT, "threads": 2, "buffers": 3}
    envs = VectorEnv(6, deals="menu", **parameters)
    expected = steps(envs, 40)
    for twin in (pickle.loads(pickle.dumps(envs)), copy.deepcopy(envs)):
        assert twin._threads.crew is not envs._threads.crew
        assert steps(twin, 40) == expected
        twin.close()
    assert steps(envs, 40) == expected


def test_a_step_before_the_first_reset_is_one_line():
    for threads in (1, 2):
        for actions in (np.zeros(4, np.int64), np.full(4, 341)):
            with pytest.raises(InputError, match="reset"):
                VectorEnv(4, threads=threads).step(actions)


@pytest.mark.parametrize("who", ["the caller", "the other thread", "both"])
def test_an_error_in_a_thread_is_raised_by_step(monkeypatch, who):
    envs = VectorEnv(8, rules=SHORT, threads=2)
    envs.reset(seed=1)
    caller = threading.current_thread()
    begun = threading.Event()

    def fails(*arguments):
        name = "the caller" if threading.current_thread() is caller else "the other thread"
        if name == "the caller" and who == "the other thread":
            begun.wait(60)  # until the other thread has begun, too
        begun.set()
        if who in (name, "both"):
            raise MemoryError("no room")
        return play_tables(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr("monopoly_env.envs.game_batch._kernel.play_tables", fails)
        with pytest.raises(MemoryError, match="no room"):
            envs.step(envs.sample_actions(0))
    envs.reset(seed=1)
    envs.step(envs.sample_actions(0))  # the thread lives on


def test_a_share_at_hand_when_a_thread_fails_is_done():
    """Nobody waits for it for ever."""
    threads = ThreadPool(2, 64)
    failed = []

    def work(desk, thread):
        while (share := take_share(desk, thread)) >= 0:
            if share % 3 == 0:
                failed.append(share)
                raise ValueError(f"share {share}")
            finish_share(desk, thread, 1)

    for _ in range(20):
        failed.clear()
        with pytest.raises(ValueError, match="share 0"):
            threads.play(work)
        assert sorted(failed) == list(range(0, len(threads.shares), 3))
    threads.close()


@pytest.mark.parametrize("where", ["begin", "help", "wait", "work", "sleep"])
def test_ctrl_c_leaves_nothing_undone(monkeypatch, where):
    """Wherever it comes: it is raised when nobody steps any more, and the next step is whole."""
    threads = ThreadPool(2, 64)
    taken = []

    def work(desk, thread):
        while (share := take_share(desk, thread)) >= 0:
            if where == "work" and thread == CALLER and share not in taken:
                taken.append(share)
                raise KeyboardInterrupt
            time.sleep(0.002)  # so that the caller has to wait
            taken.append(share)
            finish_share(desk, thread, 1)

    crew = threads.crew
    if where in ("begin", "help", "wait", "sleep"):
        name = {"begin": "help", "help": "let_go", "wait": "take_rest", "sleep": "sleep"}[where]
        whole, left = getattr(crew, name), [3]

        def interrupted(*arguments):
            if left[0] > 0 and threading.current_thread() is threading.main_thread():
                left[0] -= 1
                raise KeyboardInterrupt
            return whole(*arguments)

        monkeypatch.setattr(crew, name, interrupted)
    for _ in range(5):
        taken.clear()
        try:
            threads.play(work)
        except KeyboardInterrupt:
            assert crew.desk[DONE] == crew.limit
            continue
        assert sorted(set(taken)) == list(range(len(threads.shares)))
    monkeypatch.undo()
    taken.clear()
    where = "nowhere"
    assert threads.play(work) == len(threads.shares)
    threads.close()


INTERRUPTS = """
import faulthandler, random, signal, time
from monopoly_env.envs._work_queue import DONE, finish_share, take_share, watch
from monopoly_env.envs._thread_pool import ThreadPool

faulthandler.dump_traceback_later(60, exit=True)

def work(desk, thread):
    while take_share(desk, thread) >= 0:
        watch(desk, 0, 1 << 60, 500)
        finish_share(desk, thread, 1)

threads = ThreadPool(3, 64)
threads.play(work)
crew, count = threads.crew, 0
signal.signal(signal.SIGALRM, signal.default_int_handler)
end = time.time() + 2
while time.time() < end:
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(2e-5, 8e-4))
        while True:
            threads.play(work)
    except KeyboardInterrupt:
        count += 1
    assert crew.desk[DONE] >= crew.limit - len(threads.shares)
    assert threads.play(work) == len(threads.shares)
assert count > 20
"""


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such timers here")
def test_ctrl_c_at_any_moment_leaves_the_next_step_whole():
    subprocess.run([sys.executable, "-c", INTERRUPTS], check=True, timeout=300)


def test_threads_end_when_closed_though_stepping_goes_on():
    before = set(threading.enumerate())
    for _ in range(30):
        threads = ThreadPool(3, 64)

        def work(desk, thread):
            while take_share(desk, thread) >= 0:
                finish_share(desk, thread, 0)

        threads.play(work)
        threads.close()
        threads.play(work)
    for thread in set(threading.enumerate()) - before:
        if thread.name == "monopoly-env":
            thread.join(timeout=60)
            assert not thread.is_alive()


FORK = """
import os, threading
from monopoly_env.envs._work_queue import finish_share, take_share
from monopoly_env.envs._thread_pool import CALLER, ThreadPool

threads = ThreadPool(2, 64)
holding, go_on = threading.Event(), threading.Event()

def slow(desk, thread):
    while take_share(desk, thread) >= 0:
        if thread == CALLER:
            holding.wait(60)
        else:
            holding.set()
            go_on.wait(60)
        finish_share(desk, thread, 1)

def quick(desk, thread):
    while take_share(desk, thread) >= 0:
        finish_share(desk, thread, 1)

whole = len(threads.shares)
assert threads.play(quick) == whole  # compiled by now
stepping = threading.Thread(target=threads.play, args=(slow,))
stepping.start()
assert holding.wait(60)
child = os.fork()
if child == 0:
    os._exit(0 if threads.play(quick) == whole else 1)
assert os.waitpid(child, 0)[1] == 0
go_on.set()
stepping.join(60)
assert threads.play(quick) == whole
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_in_the_middle_of_a_step_leaves_no_share_behind():
    """What a thread of the parent had in hand is nobody's in the child."""
    subprocess.run([sys.executable, "-c", FORK], check=True, timeout=300)


def test_each_share_is_taken_once_in_each_round():
    threads = ThreadPool(3, 100)
    for count in range(300):
        taken = []

        def work(desk, thread, taken=taken):
            while (share := take_share(desk, thread)) >= 0:
                taken.append(share)
                finish_share(desk, thread, share)

        runs = len(threads.shares)
        assert threads.play(work) == runs * (runs - 1) // 2
        assert sorted(taken) == list(range(runs))
        if count == 200:
            time.sleep(0.1)  # the others fall asleep
        if count == 250:
            threads.close()  # by the caller alone


def test_finished_games_start_anew_in_the_same_step():
    envs = VectorEnv(6, rules=SHORT)
    envs.reset(seed=2)
    ended = 0
    for key in range(600):
        before = envs.game_seeds
        seen, rewards, over, cut, infos = envs.step(envs.sample_actions(key))
        done = over | cut
        assert envs.observation_space.contains(seen)
        assert envs.action_masks().any(axis=1).all()
        assert not (over & cut).any()
        assert ("final_info" in infos) == done.any()
        assert not rewards[~done].any()
        assert (before != envs.game_seeds).tolist() == done.tolist()
        if done.any():
            ended += done.sum()
            assert infos["_final_obs"].tolist() == done.tolist()
            assert infos["final_info"]["seed"][done].tolist() == before[done].tolist()
            assert infos["final_info"]["gain"][done] == pytest.approx(rewards[done])
            for index in np.flatnonzero(~done):
                assert infos["final_obs"][index] is None
            for index in np.flatnonzero(done):
                assert envs.single_observation_space.contains(infos["final_obs"][index])
    assert ended > 10


def test_an_illegal_action_names_its_game_and_steps_nothing():
    for threads in (1, 2, 3):
        envs = VectorEnv(3, threads=threads)
        envs.reset(seed=1)
        games = [envs.game(index) for index in range(3)]
        masks = envs.action_masks().copy()
        for bad in (341, 1000, -1, -2):
            actions = envs.sample_actions()
            actions[2] = bad
            with pytest.raises(IllegalAction, match=r"^game 2: ") as problem:
                envs.step(actions)
            assert "\n" not in str(problem.value)
            assert [envs.game(index) for index in range(3)] == games
            assert (envs.action_masks() == masks).all()
        with pytest.raises(InputError, match="actions: must be whole numbers of shape"):
            envs.step(np.zeros(2, np.int64))
        envs.step(envs.sample_actions())


def test_an_observation_outlives_one_step():
    envs = VectorEnv(2)
    seen, _ = envs.reset(seed=1)
    kept = seen.copy()
    later, *_ = envs.step(envs.sample_actions())
    assert (seen == kept).all()
    assert (later != kept).any()
    envs.step(envs.sample_actions())
    assert (seen != kept).any()


def test_some_games_can_be_reset():
    envs = VectorEnv(4)
    envs.reset(seed=1)
    envs.step(envs.sample_actions())
    games = [envs.game(index) for index in range(4)]
    seen, _ = envs.reset(options={"reset_mask": np.array([True, False, False, True])})
    kept = [envs.game(index) == games[index] for index in range(4)]
    assert kept == [False, True, True, False]
    assert envs.observation_space.contains(seen)
    with pytest.raises(InputError, match="reset_mask: must be bool"):
        envs.reset(options={"reset_mask": [1, 0]})


def test_every_game_begins_in_the_position():
    position = {"players": 4, "turn": "C", "C": {"cash": 777}, "D": {"out": True}}
    envs = VectorEnv(5, rules={"max_turns": 12})
    envs.reset(seed=3, options={"position": position})
    assert len({envs.game(index).state["rng"] for index in range(5)}) == 5
    ended = 0
    for key in range(300):
        ended += sum(np.logical_or(*envs.step(envs.sample_actions(key))[2:4]))
        assert all(envs.game(index).hand("D").out for index in range(5))
    assert ended
    envs.reset(seed=3)
    assert not envs.game(0).hand("D").out


def test_the_pool_is_drawn_by_its_weights():
    envs = VectorEnv(300, pool={"random": 1, "fixed_a": 3})
    envs.reset(seed=1)
    batch = envs.batch
    seats = np.arange(4) != batch.seats[:, None]
    share = batch.episodes["line_up"][:, :4][seats].mean()
    assert share == pytest.approx(0.75, abs=0.05)
    assert len(set(batch.seats.tolist())) == 4


def test_whole_tables_of_a_pool_are_drawn_by_their_weights():
    tables = {("fixed_a", "random"): 1, "fixed_b": 3}
    envs = VectorEnv(400, pool=tables, num_players=3, seat=1)
    envs.reset(seed=1)
    line_ups = envs.batch.episodes["line_up"][:, [2, 0]]
    bots = envs.batch.bots
    drawn = [tuple(bots[number] for number in row) for row in line_ups.tolist()]
    assert set(drawn) == {("fixed_a", "random"), ("fixed_b", "fixed_b")}
    assert drawn.count(("fixed_b", "fixed_b")) / 400 == pytest.approx(0.75, abs=0.07)


@pytest.mark.parametrize(
    ("pool", "problem"),
    [
        ([("random",)], "pool: a table needs 3 bots, not 1: random"),
        ([("random", "random", "nobody")], "there is no bot 'nobody'"),
        ({("random", "random", "fixed_a"): 0}, "pool: the weight of random,random,fixed_a must be"),
        ([("random",) * 3] * 2 + ["search"], "pool: search is not compiled"),
    ],
)
def test_a_pool_of_tables_that_cannot_be_is_one_line(pool, problem):
    with pytest.raises(ValueError, match=re.escape(problem)):
        VectorEnv(2, pool=pool)


def test_bots_of_the_pool_are_legal():
    envs = VectorEnv(8, pool=["fixed_a", "fixed_b", "fixed_c", "background"], rules=SHORT)
    envs.reset(seed=1)
    for key in range(200):
        envs.step(envs.sample_actions(key))
    assert not envs.batch.episodes["faults"].any()


def test_dictionaries_of_observations():
    envs = VectorEnv(3, observation="dict", rules={"max_turns": 8})
    seen, infos = envs.reset(seed=1)
    assert "action_mask" not in infos
    for key in range(100):
        assert envs.observation_space.contains(seen)
        assert (seen["action_mask"] == envs.action_masks()).all()
        seen, _, over, cut, infos = envs.step(envs.sample_actions(key))
        if (over | cut).any():
            break
    index = int(np.flatnonzero(over | cut)[0])
    assert envs.single_observation_space.contains(infos["final_obs"][index])
