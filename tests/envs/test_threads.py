"""Threads that step games together: the same results, and nothing left behind whatever happens."""

from __future__ import annotations

import gc
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

from monopoly_env.envs import VectorEnv
from monopoly_env.envs._call import play_at
from monopoly_env.envs._thread_pool import CALLER, ThreadPool, chunks
from monopoly_env.envs._work_queue import DONE, finish_chunk, take_chunk
from tests.envs.players import SHORT, steps


@pytest.mark.promise("everywhere")
@pytest.mark.parametrize("parameters", [{}, {"seats": "all"}, {"pool": ["random", "fixed_a"]}])
def test_threads_change_nothing(parameters):
    expected = steps(VectorEnv(41, rules=SHORT, **parameters), 200)
    for threads in (2, 3, 41):
        envs = VectorEnv(41, rules=SHORT, threads=threads, **parameters)
        assert steps(envs, 200) == expected
        envs.close()
        assert steps(envs, 200) == expected  # by the caller alone


@pytest.mark.parametrize("n", [1, 2, 7, 64, 1000, 1024])
def test_chunks_are_every_game_once(n):
    for threads in (1, 2, 3, 16):
        runs = chunks(threads, n)
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
        return play_at(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr("monopoly_env.envs.game_batch._call.play_at", fails)
        with pytest.raises(MemoryError, match="no room"):
            envs.step(envs.sample_actions(0))
    envs.reset(seed=1)
    envs.step(envs.sample_actions(0))  # the thread lives on


def test_a_chunk_at_hand_when_a_thread_fails_is_done():
    """Nobody waits for it for ever."""
    threads = ThreadPool(2, 64)
    failed = []

    def work(queue, thread):
        while (chunk := take_chunk(queue, thread)) >= 0:
            if chunk % 3 == 0:
                failed.append(chunk)
                raise ValueError(f"chunk {chunk}")
            finish_chunk(queue, thread)

    for _ in range(20):
        failed.clear()
        with pytest.raises(ValueError, match="chunk 0"):
            threads.run(work)
        assert sorted(failed) == list(range(0, len(threads.chunks), 3))
    threads.close()


@pytest.mark.promise("resume")
@pytest.mark.parametrize("where", ["begin", "work", "wait", "task", "sleep"])
def test_ctrl_c_leaves_nothing_undone(monkeypatch, where):
    """Wherever it comes: it is raised when nobody steps any more, and the next step is whole."""
    threads = ThreadPool(2, 64)
    taken = []

    def work(queue, thread):
        while (chunk := take_chunk(queue, thread)) >= 0:
            if where == "task" and thread == CALLER and chunk not in taken:
                taken.append(chunk)
                raise KeyboardInterrupt
            time.sleep(0.002)  # so that the caller has to wait
            taken.append(chunk)
            finish_chunk(queue, thread)

    workers = threads.workers
    if where in ("begin", "work", "wait", "sleep"):
        name = {
            "begin": "work",
            "work": "abandon_chunk",
            "wait": "take_remaining",
            "sleep": "sleep",
        }[where]
        whole, left = getattr(workers, name), [3]

        def interrupted(*arguments):
            if left[0] > 0 and threading.current_thread() is threading.main_thread():
                left[0] -= 1
                raise KeyboardInterrupt
            return whole(*arguments)

        monkeypatch.setattr(workers, name, interrupted)
    for _ in range(5):
        taken.clear()
        try:
            threads.run(work)
        except KeyboardInterrupt:
            assert workers.queue[DONE] == workers.limit
            continue
        assert sorted(set(taken)) == list(range(len(threads.chunks)))
    monkeypatch.undo()
    taken.clear()
    where = "nowhere"
    threads.run(work)
    assert sorted(taken) == list(range(len(threads.chunks)))
    threads.close()


INTERRUPTS = """
import faulthandler, random, signal, time
from monopoly_env.envs._work_queue import DONE, LIMIT, finish_chunk, line_of, take_chunk, watch
from monopoly_env.envs._thread_pool import ThreadPool

faulthandler.dump_traceback_later(60, exit=True)

finished = []  # with the end of the generation: a late thread may still be at the one before

def work(queue, thread):
    while (chunk := take_chunk(queue, thread)) >= 0:
        watch(queue, 0, 1 << 60, 500)
        finished.append((queue[line_of(thread) + LIMIT], chunk))
        finish_chunk(queue, thread)

threads = ThreadPool(3, 64)
threads.run(work)
workers, count = threads.workers, 0
signal.signal(signal.SIGALRM, signal.default_int_handler)
end = time.time() + 2
while time.time() < end:
    try:
        signal.setitimer(signal.ITIMER_REAL, random.uniform(2e-5, 8e-4))
        while True:
            threads.run(work)
    except KeyboardInterrupt:
        count += 1
    assert workers.queue[DONE] >= workers.limit - len(threads.chunks)
    finished.clear()
    threads.run(work)
    done = sorted(chunk for limit, chunk in finished if limit == workers.limit)
    assert done == list(range(len(threads.chunks)))
assert count > 20
"""


@pytest.mark.promise("resume")
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="no such timers here")
def test_ctrl_c_at_any_moment_leaves_the_next_step_whole():
    subprocess.run([sys.executable, "-c", INTERRUPTS], check=True, timeout=300)


def test_threads_end_when_closed_though_stepping_goes_on():
    before = set(threading.enumerate())
    for _ in range(30):
        threads = ThreadPool(3, 64)

        def work(queue, thread):
            while take_chunk(queue, thread) >= 0:
                finish_chunk(queue, thread)

        threads.run(work)
        threads.close()
        threads.run(work)
    for thread in set(threading.enumerate()) - before:
        if thread.name == "monopoly-env":
            thread.join(timeout=60)
            assert not thread.is_alive()


FORK = """
import os, threading
from monopoly_env.envs._work_queue import finish_chunk, take_chunk
from monopoly_env.envs._thread_pool import CALLER, ThreadPool

threads = ThreadPool(2, 64)
holding, go_on = threading.Event(), threading.Event()

def slow(queue, thread):
    while take_chunk(queue, thread) >= 0:
        if thread == CALLER:
            holding.wait(60)
        else:
            holding.set()
            go_on.wait(60)
        finish_chunk(queue, thread)

finished = []

def quick(queue, thread):
    while (chunk := take_chunk(queue, thread)) >= 0:
        finished.append(chunk)
        finish_chunk(queue, thread)

def is_whole():
    finished.clear()
    threads.run(quick)
    return sorted(finished) == list(range(len(threads.chunks)))

assert is_whole()  # compiled by now
stepping = threading.Thread(target=threads.run, args=(slow,))
stepping.start()
assert holding.wait(60)
child = os.fork()
if child == 0:
    os._exit(0 if is_whole() else 1)
assert os.waitpid(child, 0)[1] == 0
go_on.set()
stepping.join(60)
assert is_whole()
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_fork_in_the_middle_of_a_step_leaves_no_chunk_behind():
    """What a thread of the parent had in hand is nobody's in the child."""
    subprocess.run([sys.executable, "-c", FORK], check=True, timeout=300)


def test_each_chunk_is_taken_once_in_each_generation():
    threads = ThreadPool(3, 100)
    for count in range(300):
        taken = []

        def work(queue, thread, taken=taken):
            while (chunk := take_chunk(queue, thread)) >= 0:
                taken.append(chunk)
                finish_chunk(queue, thread)

        runs = len(threads.chunks)
        threads.run(work)
        assert sorted(taken) == list(range(runs))
        if count == 200:
            time.sleep(0.1)  # the others fall asleep
        if count == 250:
            threads.close()  # by the caller alone
