"""Multi-core benchmarks: the same steps on several threads, and in several processes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from monopoly_training.bench.environments import step_rates, vector
from monopoly_training.bench.timing import ROUNDS, Result, result

CHILD = """
import json, sys, time
from monopoly_training.bench.environments import step_rates, vector
from monopoly_training.bench.scaling import most_resident
env = vector()
env.step(env.sample_actions(0))
print(most_resident(), flush=True)
for line in sys.stdin:
    print(json.dumps(step_rates(env, float(line), time.perf_counter, 1)), flush=True)
"""


def most_resident() -> int:
    """Return the peak resident memory of this process in bytes."""
    status = Path("/proc/self/status")
    if status.exists():  # on Linux, ru_maxrss would include the parent process
        fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        return int(fields["VmHWM"].split()[0]) * 1024
    import resource

    scale = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * scale


class Worker:
    """A Python process with its own vector environment."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", CHILD], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.bytes = int(self._answer())  # peak resident memory so far

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.wait()

    def begin(self, seconds: float) -> None:
        """Start stepping for a number of seconds."""
        assert self._process.stdin is not None
        self._process.stdin.write(f"{seconds}\n")
        self._process.stdin.flush()

    def end(self) -> float:
        """Wait for the result; return steps per second of wall-clock time."""
        return float(json.loads(self._answer())[0])

    def _answer(self) -> str:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ChildProcessError("a process that was measured ended early; see its error above")
        return line


def process_rates(counts: list[int], seconds: float) -> tuple[dict[int, list[float]], int]:
    """Return total steps per second by number of processes and round, and one process's bytes."""
    by_count: dict[int, list[float]] = {count: [] for count in counts}
    with ExitStack() as stack:
        workers = [stack.enter_context(Worker()) for _ in range(max(counts))]
        for _ in range(ROUNDS):
            for count in counts:
                for worker in workers[:count]:
                    worker.begin(seconds / ROUNDS / 2)  # half for the warm-up of each round
                by_count[count].append(sum(worker.end() for worker in workers[:count]))
        return by_count, workers[0].bytes


def thread_rates(counts: list[int], seconds: float) -> dict[int, list[float]]:
    """Return wall-clock steps per second of one environment by number of threads and round."""
    envs = {count: vector(threads=count) for count in counts}
    by_count: dict[int, list[float]] = {count: [] for count in counts}
    for _ in range(ROUNDS):  # alternating, so that other load affects all
        for count, env in envs.items():
            by_count[count] += step_rates(env, seconds / ROUNDS / 2, time.perf_counter, 1)
    for env in envs.values():
        env.close()
    return by_count


def ratios(by_count: dict[int, list[float]]) -> list[float]:
    """Return the ratio of two to one, by round."""
    return [two / one for one, two in zip(by_count[1], by_count[2], strict=True)]


def threads2(seconds: float) -> Iterator[Result]:
    """Measure a batch on two threads, relative to one."""
    by_count = thread_rates([1, 2], seconds)
    yield result(
        "threads2",
        ratios(by_count),
        "×",
        "batch step on 2 threads ÷ on 1, by the clock",
        _detail(by_count),
    )


def procs2(seconds: float) -> Iterator[Result]:
    """Measure a batch in each of two processes, relative to one, and the memory of a process."""
    by_count, size = process_rates([1, 2], seconds)
    yield result(
        "procs2",
        ratios(by_count),
        "×",
        "batch step in 2 processes ÷ in 1, by the clock",
        _detail(by_count),
    )
    yield result(
        "bytes_per_worker",
        [size],
        "bytes",
        "resident memory of a process with 1,024 games, Python and compiler included",
    )


def _detail(by_count: dict[int, list[float]]) -> dict[str, Any]:
    middle = {
        f"{count} at once": round(sorted(rates)[len(rates) // 2])
        for count, rates in by_count.items()
    }
    return {"cores": os.cpu_count(), "steps_per_s": middle}
