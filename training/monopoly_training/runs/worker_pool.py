"""Where a run's rollout workers live: in processes of this machine, or as actors on a Ray cluster."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from contextlib import ExitStack, contextmanager
from typing import Any, Protocol

from monopoly_env import interrupts
from monopoly_env.errors import InputError
from monopoly_training.matches.workers import (
    RAY,
    WorkOptions,
    live_with_parent,
    submit,
    worker_processes,
)
from monopoly_training.runs.config_schema import TrainConfig
from monopoly_training.runs.rollout_worker import (
    Arrays,
    PlayRollouts,
    Rollout,
    RolloutOrder,
    RolloutWorker,
)

MOST_DEATHS = 100  # of workers, in one run


class WorkerPool(Protocol):
    """Workers that play rollouts, each its share of the games."""

    def begin(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, states: Sequence[Any]
    ) -> None:
        """Let all of them play a rollout. ``states``: where the games of each are; None: at first."""

    def rollouts(self) -> list[Rollout]:
        """What they have played, by number, when all are done."""


@contextmanager
def open_workers(config: TrainConfig, work: WorkOptions) -> Iterator[WorkerPool]:
    """The workers of a run, where ``work`` says. Raises: MissingExtra, InputError."""
    if work.backend == RAY:
        from monopoly_training.matches.on_ray import cluster

        with cluster(work.address) as ray:
            workers = RayWorkers(ray, config)
            try:
                yield workers
            finally:
                workers.close()
        return
    with ExitStack() as stack:
        pools = [
            stack.enter_context(worker_processes(1, begin_worker, config, number))
            for number in range(config.ppo.workers)
        ]
        yield ProcessWorkers(pools)


# --- processes of this machine ---

_of_this_process: list[RolloutWorker] = []


def begin_worker(config: TrainConfig, number: int) -> None:
    """Make the worker of this process; it ends with the process that started it."""
    live_with_parent()
    _of_this_process.append(RolloutWorker(config, number))


def collect_here(order: RolloutOrder, policy: Arrays, past: Arrays | None, state: Any) -> Rollout:
    """Play a rollout with the worker of this process."""
    return _of_this_process[-1].collect(order, policy, past, state)


class ProcessWorkers:
    """Each worker in a process of its own."""

    def __init__(self, pools: Sequence[ProcessPoolExecutor]) -> None:
        self._pools = pools
        self._running: list[Future[Rollout]] = []
        self._begun = False

    def begin(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, states: Sequence[Any]
    ) -> None:
        """Let all of them play a rollout; the states are told once, when they begin."""
        told = [None] * len(states) if self._begun else states
        self._running = [
            submit(pool, collect_here, order, policy, past, state)
            for pool, state in zip(self._pools, told, strict=True)
        ]
        self._begun = True

    def rollouts(self) -> list[Rollout]:
        """What they have played. A process that dies ends the run, as in all commands."""
        return [future.result() for future in self._running]


# --- actors on a cluster ---


class WorkerActor:
    """A worker on a node. Ray makes it there, from what all nodes are sent."""

    def __init__(self, order: Any, number: int) -> None:
        self._order, self._number = order, number
        self._worker: RolloutWorker | None = None  # made by the first call, whose errors come back

    def collect(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, state: Any
    ) -> Rollout:
        """Play a rollout. Ray hands in what is sent by reference as the arrays themselves."""
        from monopoly_training.matches.on_ray import begun_here

        if self._worker is None:
            made: RolloutWorker = begun_here(self._order)(self._number)
            self._worker = made
        return self._worker.collect(order, policy, past, state)


class RayWorkers:
    """Each worker is an actor. One that dies is replaced, and plays its rollout again."""

    def __init__(self, ray: Any, config: TrainConfig) -> None:
        from monopoly_training.matches.on_ray import Order

        self._ray = ray
        self._order = ray.put(Order.of(PlayRollouts(config)))
        # No processors are reserved: where a node is lost, its workers crowd onto those that are left.
        self._kind = ray.remote(scheduling_strategy="SPREAD", max_restarts=0)(WorkerActor)
        self._actors = [self._new_actor(number) for number in range(config.ppo.workers)]
        self._deaths = 0
        self._told = [False] * config.ppo.workers  # whether it is where its games are
        self._running: list[Any] = []
        self._sent: tuple[Any, ...] = ()
        self._states: Sequence[Any] = ()

    def _new_actor(self, number: int) -> Any:
        return self._kind.remote(self._order, number)

    def close(self) -> None:
        """End the actors, whatever they are doing."""
        for actor in self._actors:
            self._ray.kill(actor)

    def begin(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, states: Sequence[Any]
    ) -> None:
        """Let all of them play a rollout. Weights are put once, and travel once a node."""
        put = self._ray.put
        self._sent = (order, put(dict(policy)), None if past is None else put(dict(past)))
        self._states = states
        self._running = [self._collect(number) for number in range(len(self._actors))]

    def _collect(self, number: int) -> Any:
        state = None if self._told[number] else self._states[number]
        self._told[number] = True
        return self._actors[number].collect.remote(*self._sent, state)

    def rollouts(self) -> list[Rollout]:
        """What they have played; whatever dies meanwhile costs time only."""
        return [self._rollout(number) for number in range(len(self._actors))]

    def _rollout(self, number: int) -> Rollout:
        """What one of them has played, or the one that takes its place."""
        from monopoly_training.matches.on_ray import answer_of

        errors = self._ray.exceptions
        while True:
            try:
                rollout: Rollout = answer_of(self._ray, self._running[number], lost(errors))
                return rollout
            except lost(errors):
                interrupts.check()
                self._deaths += 1
                if self._deaths > MOST_DEATHS:
                    InputError.at("backend").fail(
                        f"{MOST_DEATHS} rollout workers have died; `resume` continues from the last "
                        "checkpoint"
                    )
                self._ray.kill(self._actors[number])  # one that cannot be reached may be alive
                self._actors[number] = self._new_actor(number)
                self._told[number] = False
                self._running[number] = self._collect(number)


def lost(errors: Any) -> tuple[type[Exception], ...]:
    """What Ray raises where a worker, or what it has made, is gone."""
    return (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError)
