"""Distribute work over a Ray cluster, with the same results as local processes.

Each piece of work is a Ray task. If its process or node dies, Ray runs it again elsewhere, so a
kill costs only time. Only the driver process writes to the results folder, so nodes need no shared
file system. The files of bots are sent to each node once (:mod:`.file_transfer`).
"""

from __future__ import annotations

import hashlib
import os
import socket
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any, Protocol

import monopoly_env
from monopoly_env import interrupts
from monopoly_env.compiler.cache import SOURCE_KEYS
from monopoly_env.errors import AgentError, InputError
from monopoly_env.extras import require
from monopoly_training.matches.file_transfer import Shipped, local_name, shipped_files
from monopoly_training.matches.warm_node import first_alone

AHEAD = 2  # pieces queued per processor, so that none is idle
ANSWERS = 10.0  # seconds to wait for a cluster to answer
STORE = 256 << 20  # bytes of the object store of a local cluster
GO_ON = "finished work is saved; `resume` continues"


class Work(Protocol):
    """Work that nodes do piece by piece. Instances are pickled and sent to the nodes."""

    @property
    def agents(self) -> tuple[str, ...]:
        """Names of the bots that the work needs. Their files are sent along."""

    def begin(self, names: tuple[str, ...]) -> Callable[[Any], Any]:
        """Return a function that does a piece; called once per process of a node.

        ``names`` are the bots' names on that node.
        """


def source_key() -> str:
    """Return the package version and a digest of the sources, to detect nodes with other code."""
    sources = SOURCE_KEYS.key_of_packages("monopoly_env", "monopoly_agents", "monopoly_training")
    return f"{monopoly_env.version} {sources}"


# --- on a node ---


@dataclass(frozen=True)
class Order:
    """What all tasks of a run share; sent once per node."""

    work: Work
    key: str  # source key that nodes must match
    files: dict[str, Shipped]

    @classmethod
    def of(cls, work: Work) -> Order:
        """Collect everything that a node needs for some work."""
        return cls(work, source_key(), shipped_files(work.agents))


class NodeProblem(InputError):  # noqa: N818  (what it is)
    """A node cannot play; the message names the node."""


def do_here(order: Order, number: int, piece: Any) -> tuple[int, Any]:
    """Do a piece in this process of a node; return its number and result.

    Until a process of the node has done one, the others wait, so that it compiles for all of them.
    Raises: NodeProblem, one line.
    """
    work = order.work
    with first_alone(f"{order.key} {type(work).__qualname__} {work.agents}"):
        return number, begun_here(order)(piece)


_of_this_process: dict[str, Callable[[Any], Any]] = {}


def begun_here(order: Order) -> Callable[[Any], Any]:
    """Return the function that does a piece of this work, created once per process.

    Raises: NodeProblem, one line.
    """
    known = hashlib.sha256(repr((order.key, order.work)).encode()).hexdigest()
    if known not in _of_this_process:
        _of_this_process[known] = order.work.begin(names_here(order))
    return _of_this_process[known]


def names_here(order: Order) -> tuple[str, ...]:
    """Write the bots' files to this node and return the bots' names here.

    Raises: NodeProblem, one line, if the node has other sources or lacks a program.
    """
    node = socket.gethostname()
    own = source_key()
    if own != order.key:
        raise NodeProblem(
            f"node {node} has monopoly-env {own}, and this machine {order.key}; install the "
            "same on all nodes"
        )
    names = tuple(
        local_name(name, order.files[name]) if name in order.files else name
        for name in order.work.agents
    )
    for name in names:
        check_program(name, node)
    return names


def check_program(name: str, node: str) -> None:
    """Check that a program is installed on this node, since programs are not sent along.

    Raises: NodeProblem.
    """
    scheme, _, command = name.partition(":")
    if scheme != "exec":
        return
    from monopoly_agents.external.agent import parse_command

    try:
        parse_command(command)
    except AgentError as problem:
        raise NodeProblem(f"{problem}; that was on node {node}: install it there") from None


# --- on the driver ---


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """Connect to a Ray cluster, or start a local one if ``address`` is None.

    Raises: MissingExtra, InputError.
    """
    require("--backend ray", "ray", extra="ray")
    import ray

    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False}
    if address is None:
        options |= {"address": "local", "object_store_memory": STORE, "include_dashboard": False}
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # Ray would report to its makers
    else:
        options["address"] = address
    mine = not ray.is_initialized()
    check_answers(address)
    try:
        if mine:
            ray.init(**options)
    except Exception as problem:  # noqa: BLE001 - Ray raises errors of any type
        interrupts.check()
        reason = str(problem).partition("\n")[0]
        InputError.at("address").fail(
            f"no Ray cluster answers at {address or 'this machine'}: {reason}; start one with "
            "`ray start --head`, or leave `address` out"
        )
    try:
        yield ray
    finally:
        if mine:
            ray.shutdown()


def check_answers(address: str | None) -> None:
    """Raise an InputError if nothing listens at ``HOST:PORT``; Ray would retry for minutes."""
    host, colon, port = (address or "").removeprefix("ray://").rpartition(":")
    if not colon or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=ANSWERS).close()
    except (OSError, OverflowError) as problem:
        InputError.at("address").fail(
            f"no Ray cluster answers at {address}: {problem}; start one with `ray start --head`, "
            "or leave `address` out"
        )


class Tasks:
    """Submits pieces of some work to a cluster."""

    def __init__(self, ray: Any, work: Work) -> None:
        self._ray = ray
        self._order = ray.put(Order.of(work))
        self._task = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(do_here)

    def results(self, pieces: Iterable[Any]) -> Generator[tuple[int, Any], None, None]:
        """Yield the number (from 0) and result of each piece, as pieces are finished.

        Just enough pieces are in flight to keep every processor busy, so memory use stays bounded.
        Raises: InputError that names a node that cannot do them.
        """
        remaining = enumerate(pieces)
        running = {self._hand_out(*one) for one in islice(remaining, 1)}
        while running:
            room = AHEAD * self._processors() - len(running)
            running |= {self._hand_out(*one) for one in islice(remaining, max(0, room))}
            ready, _ = self._ray.wait(list(running), num_returns=1)
            for reference in ready:
                running.discard(reference)
                yield answer_of(self._ray, reference)

    def in_order(self, pieces: Iterable[Any]) -> list[Any]:
        """Return the results of all pieces, in the order of the pieces."""
        found = dict(self.results(pieces))
        return [found[number] for number in range(len(found))]

    def _hand_out(self, number: int, piece: Any) -> Any:
        return self._task.remote(self._order, number, piece)

    def _processors(self) -> int:
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))


@contextmanager
def tasks_on(address: str | None, work: Work) -> Iterator[Tasks]:
    """Open a cluster for some work. Raises: MissingExtra, InputError."""
    with cluster(address) as ray:
        yield Tasks(ray, work)


def answer_of(ray: Any, reference: Any, passed_on: tuple[type[Exception], ...] = ()) -> Any:
    """Return the result of a task.

    Raises: the task's own InputError, or InputError if Ray fails for good. Errors of the types in
    ``passed_on`` are re-raised for the caller to handle.
    """
    try:
        return ray.get(reference)
    except passed_on:
        raise
    except ray.exceptions.RayTaskError as problem:
        cause = problem.cause
        if isinstance(cause, InputError | AgentError):
            raise type(cause)(str(cause)) from None
        raise
    except ray.exceptions.RayError as problem:
        interrupts.check()
        reason = str(problem).partition("\n")[0]
        InputError.at("backend").fail(f"Ray failed: {reason}; {GO_ON}")
