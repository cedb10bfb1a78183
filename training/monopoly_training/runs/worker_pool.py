"""Pools of rollout workers: local processes, or actors on a Ray cluster."""

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
    exit_with_parent,
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

MOST_DEATHS = 100  # maximum number of worker deaths in one run


class WorkerPool(Protocol):
    """Workers that each play a share of a run's games."""

    def begin(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, states: Sequence[Any]
    ) -> None:
        """Start a rollout on all workers.

        ``states`` are their games' states; None for new games.
        """

    def rollouts(self) -> list[Rollout]:
        """Wait for all rollouts and return them by worker number."""


@contextmanager
def open_workers(config: TrainConfig, work: WorkOptions) -> Iterator[WorkerPool]:
    """Open the workers of a run with the backend in ``work``. Raises: MissingExtra, InputError."""
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


# --- local processes ---

_of_this_process: list[RolloutWorker] = []


def begin_worker(config: TrainConfig, number: int) -> None:
    """Create the worker of this process, which exits with its parent."""
    exit_with_parent()
    _of_this_process.append(RolloutWorker(config, number))


def collect_here(order: RolloutOrder, policy: Arrays, past: Arrays | None, state: Any) -> Rollout:
    """Play a rollout with the worker of this process."""
    return _of_this_process[-1].collect(order, policy, past, state)


class ProcessWorkers:
    """A pool with one process per worker."""

    def __init__(self, pools: Sequence[ProcessPoolExecutor]) -> None:
        self._pools = pools
        self._running: list[Future[Rollout]] = []
        self._begun = False

    def begin(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, states: Sequence[Any]
    ) -> None:
        """Start a rollout on all workers; states are sent only the first time."""
        sent = [None] * len(states) if self._begun else states
        self._running = [
            submit(pool, collect_here, order, policy, past, state)
            for pool, state in zip(self._pools, sent, strict=True)
        ]
        self._begun = True

    def rollouts(self) -> list[Rollout]:
        """Return the rollouts. If a process dies, the run ends."""
        return [future.result() for future in self._running]


# --- actors on a cluster ---


class WorkerActor:
    """A worker on a node, created there by Ray."""

    def __init__(self, order: Any, number: int) -> None:
        self._order, self._number = order, number
        # created by the first call, so that errors reach the driver
        self._worker: RolloutWorker | None = None

    def collect(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, state: Any
    ) -> Rollout:
        """Play a rollout. Ray resolves references in the arguments to arrays."""
        from monopoly_training.matches.on_ray import begun_here

        if self._worker is None:
            made: RolloutWorker = begun_here(self._order)(self._number)
            self._worker = made
        return self._worker.collect(order, policy, past, state)


class RayWorkers:
    """A pool with one actor per worker. An actor that dies is replaced and repeats its rollout."""

    def __init__(self, ray: Any, config: TrainConfig) -> None:
        from monopoly_training.matches.on_ray import Order

        self._ray = ray
        self._order = ray.put(Order.of(PlayRollouts(config)))
        # No CPUs are reserved: if a node is lost, its workers move to the remaining ones.
        self._kind = ray.remote(scheduling_strategy="SPREAD", max_restarts=0)(WorkerActor)
        self._actors = [self._new_actor(number) for number in range(config.ppo.workers)]
        self._deaths = 0
        # whether each actor has received its games' state
        self._has_state = [False] * config.ppo.workers
        self._running: list[Any] = []
        self._sent: tuple[Any, ...] = ()
        self._states: Sequence[Any] = ()

    def _new_actor(self, number: int) -> Any:
        return self._kind.remote(self._order, number)

    def close(self) -> None:
        """Kill the actors, whatever they are doing."""
        for actor in self._actors:
            self._ray.kill(actor)

    def begin(
        self, order: RolloutOrder, policy: Arrays, past: Arrays | None, states: Sequence[Any]
    ) -> None:
        """Start a rollout on all workers. Weights are stored once and sent once per node."""
        put = self._ray.put
        self._sent = (order, put(dict(policy)), None if past is None else put(dict(past)))
        self._states = states
        self._running = [self._collect(number) for number in range(len(self._actors))]

    def _collect(self, number: int) -> Any:
        state = None if self._has_state[number] else self._states[number]
        self._has_state[number] = True
        return self._actors[number].collect.remote(*self._sent, state)

    def rollouts(self) -> list[Rollout]:
        """Return the rollouts. A death in the meantime costs only time."""
        return [self._rollout(number) for number in range(len(self._actors))]

    def _rollout(self, number: int) -> Rollout:
        """Return the rollout of one worker, or of its replacement."""
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
                self._ray.kill(self._actors[number])  # an unreachable actor may still be alive
                self._actors[number] = self._new_actor(number)
                self._has_state[number] = False
                self._running[number] = self._collect(number)


def lost(errors: Any) -> tuple[type[Exception], ...]:
    """Return the errors that Ray raises if a worker or its result is lost."""
    return (errors.RayActorError, errors.ObjectLostError, errors.WorkerCrashedError)
