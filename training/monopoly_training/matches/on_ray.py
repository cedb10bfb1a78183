"""Batches on a Ray cluster: the same games as in this machine's processes, on more machines.

A batch is a task. Ray plays it again elsewhere if its process or its node dies, so that a kill costs
time only. What a batch leaves in a folder, such as a part of a data set or a bot's traceback, comes
back as bytes and is written by the process that asked: nodes need no folder in common. Files that
bots are named by travel once, and are kept on each node by the digest of what they hold.
"""

from __future__ import annotations

import hashlib
import shutil
import socket
import tempfile
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import Any, TypeVar

import monopoly_env
from monopoly_env import interrupts
from monopoly_env.compiler.cache import SOURCE_KEYS
from monopoly_env.errors import AgentError, InputError
from monopoly_env.extras import require
from monopoly_env.files import read_bytes
from monopoly_training.common.files import write_atomic
from monopoly_training.matches.bot_errors import FOLDER as ERRORS
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrants_again
from monopoly_training.matches.runner import Players
from monopoly_training.matches.schedule import Batch

R = TypeVar("R")
AHEAD = 2  # batches that wait for each processor, so that none is idle
FILE_BYTES = 1 << 30  # the most of a file that a bot is named by
ANSWERS = 10.0  # seconds in which a cluster does
STORE = 256 << 20  # bytes of the object store of a cluster on this machine alone
KEPT = Path(tempfile.gettempdir()) / "monopoly-env-bots"  # of files that came with a task
GO_ON = "finished work is saved; `resume` continues"


def source_key() -> str:
    """What plays the games: the version, and a digest of the sources."""
    sources = SOURCE_KEYS.key_of_packages("monopoly_env", "monopoly_agents", "monopoly_training")
    return f"{monopoly_env.version} {sources}"


# --- bots' files ---


@dataclass(frozen=True)
class Shipped:
    """A file or a folder that a bot is named by, as it travels."""

    digest: str
    name: str  # of the file or the folder
    files: dict[str, bytes]  # by path in the folder; "" for a file

    @classmethod
    def of(cls, path: Path) -> Shipped:
        """What is there. Raises: InputError for a file that is too large."""
        found = [path] if path.is_file() else sorted(p for p in path.rglob("*") if p.is_file())
        files = {}
        for one in found:
            key = "" if one == path else one.relative_to(path).as_posix()
            files[key] = read_bytes(one, InputError.at(str(one)), FILE_BYTES)
        digest = hashlib.sha256()
        for key, data in files.items():
            digest.update(f"{key}\0{len(data)}\0".encode() + data)
        return cls(digest.hexdigest(), path.name, files)

    def put(self, folder: Path) -> Path:
        """Write it below a folder, unless it is there already; where it is then."""
        target = folder / self.digest / self.name
        if not target.exists():
            folder.mkdir(parents=True, exist_ok=True)
            part = Path(tempfile.mkdtemp(dir=folder))
            for key, data in self.files.items():
                path = part / self.name / key if key else part / self.name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_bytes(data)
            try:
                part.rename(folder / self.digest)
            except OSError:  # another process was faster
                shutil.rmtree(part)
        return target


def path_in(name: str) -> Path | None:
    """The file or folder that a bot is named by: ``model:PATH``, ``python:FILE:NAME``; or None."""
    scheme, colon, rest = name.partition(":")
    if not colon or scheme == "exec":
        return None
    for text in (rest, rest.rpartition(":")[0]):
        if text and Path(text).exists():
            return Path(text)
    return None


def shipped_files(names: Iterable[str]) -> dict[str, Shipped]:
    """The files of these bots, and what lies beside a file under the same name, by bot."""
    found = {}
    for name in dict.fromkeys(names):
        path = path_in(name)
        if path is None:
            continue
        if path.is_file() and (card := path.with_suffix(".json")) != path and card.exists():
            both = {one.name: read_bytes(one, InputError.at(str(one)), FILE_BYTES)
                    for one in (path, card)}  # fmt: skip
            digest = hashlib.sha256(b"".join(both[key] for key in sorted(both))).hexdigest()
            found[name] = Shipped(digest, "", both)
        else:
            found[name] = Shipped.of(path)
    return found


def local_name(name: str, shipped: Shipped) -> str:
    """The name by which a bot is found here, after its files have been put down."""
    path = path_in_text(name)
    put = shipped.put(KEPT)
    if not shipped.name:  # a file with its card
        put = KEPT / shipped.digest / Path(path).name
    return name.replace(path, str(put), 1)


def path_in_text(name: str) -> str:
    """The part of a bot's name that is a path on the machine that asked."""
    rest = name.partition(":")[2]
    scheme = name.partition(":")[0]
    return rest.rpartition(":")[0] if scheme == "python" else rest


# --- on a node ---


@dataclass(frozen=True)
class Order:
    """What all tasks of a run share; it travels once a node."""

    job: Any
    key: str  # of the sources
    files: dict[str, Shipped]


@dataclass(frozen=True)
class Done:
    """A batch that was played elsewhere: its result, and what it left in its folder."""

    result: Any
    files: dict[str, bytes]


class NodeProblem(InputError):  # noqa: N818  (what it is)
    """Something that keeps a node from playing; the message names the node."""


def play_here(order: Order, batch: Batch) -> Done:
    """Play a batch in this process of a node. Raises: NodeProblem, one line."""
    players, job = players_of(order)
    before = {path for path in job.folder.rglob("*") if path.is_file()}
    result = job.do(players, batch)
    files = {}
    for path in job.folder.rglob("*"):
        if path.is_file() and path not in before:
            files[path.relative_to(job.folder).as_posix()] = read_bytes(
                path, InputError.at(str(path)), FILE_BYTES
            )
            if path.parent.name != ERRORS:  # those of bots are told once
                path.unlink()
    return Done(result, files)


_of_this_process: dict[str, tuple[Players, Any]] = {}


def players_of(order: Order) -> tuple[Players, Any]:
    """The bots of a run and its job, with a folder of this process; made once."""
    known = hashlib.sha256(repr((order.key, order.job)).encode()).hexdigest()
    if known not in _of_this_process:
        node = socket.gethostname()
        own = source_key()
        if own != order.key:
            raise NodeProblem(
                f"node {node} has monopoly-env {own}, and this machine {order.key}; install the "
                "same on all nodes"
            )
        names = [
            local_name(name, order.files[name]) if name in order.files else name
            for name in order.job.agents
        ]
        for name in names:
            check_program(name, node)
        folder = Path(tempfile.mkdtemp(prefix="monopoly-env-"))
        line_up = [
            replace(one, name=called)
            for one, called in zip(
                entrants_again(names, order.job.trust), order.job.agents, strict=True
            )
        ]
        players = Players(line_up, ErrorLog(folder))
        _of_this_process[known] = players, replace(order.job, folder=folder)
    return _of_this_process[known]


def check_program(name: str, node: str) -> None:
    """Programs do not travel. Raises: NodeProblem for one that is not on this node."""
    scheme, _, command = name.partition(":")
    if scheme != "exec":
        return
    from monopoly_agents.external.agent import parse_command

    try:
        parse_command(command)
    except AgentError as problem:
        raise NodeProblem(f"{problem}; that was on node {node}: install it there") from None


# --- on the machine that asks ---


@contextmanager
def cluster(address: str | None) -> Iterator[Any]:
    """Ray, connected to a cluster, or to one of this machine alone if there is no ``address``.

    Raises: MissingExtra, InputError.
    """
    require("--backend ray", "ray", extra="ray")
    import ray

    options: dict[str, Any] = {"log_to_driver": False, "configure_logging": False}
    if address is None:
        options |= {"address": "local", "object_store_memory": STORE, "include_dashboard": False}
    else:
        options["address"] = address
    mine = not ray.is_initialized()
    check_answers(address)
    try:
        if mine:
            ray.init(**options)
    except (ConnectionError, ValueError, RuntimeError) as problem:
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
    """Raise an InputError if nothing listens at ``HOST:PORT``: Ray itself would try for minutes."""
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


def do_on_ray(job: Any, todo: Iterable[Batch], address: str | None) -> Generator[Any, None, None]:
    """Do batches on a cluster; the result of each is handed out as it is finished.

    So many are under way that no processor is idle, and no more: memory here does not grow.
    Raises: InputError that names the node, for one that cannot play.
    """
    remaining = iter(todo)
    first = list(islice(remaining, 1))
    if not first:
        return
    with cluster(address) as ray:
        order = ray.put(Order(job, source_key(), shipped_files(job.agents)))
        task = ray.remote(num_cpus=1, max_retries=-1, retry_exceptions=False)(play_here)
        running = {task.remote(order, batch): batch for batch in first}
        while running:
            room = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 1))) - len(running)
            running |= {task.remote(order, batch): batch for batch in islice(remaining, room)}
            ready, _ = ray.wait(list(running), num_returns=1)
            for reference in ready:
                del running[reference]
                done = answer_of(ray, reference)
                keep_files(job.folder, done.files)
                yield done.result


def answer_of(ray: Any, reference: Any) -> Any:
    """What a task has come to. Raises: its InputError; InputError for what Ray cannot mend."""
    try:
        return ray.get(reference)
    except ray.exceptions.RayTaskError as problem:
        cause = problem.cause
        if isinstance(cause, InputError | AgentError):
            raise type(cause)(str(cause)) from None
        raise
    except ray.exceptions.RayError as problem:
        interrupts.check()
        reason = str(problem).partition("\n")[0]
        InputError.at("backend").fail(f"Ray failed: {reason}; {GO_ON}")


def keep_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write what a batch left; of errors of a bot the first is kept, and told."""
    errors = ErrorLog(folder)
    for name, data in files.items():
        path = folder / name
        if path.parent.name == ERRORS:
            errors.take(path, data)
        else:
            write_atomic(path, data)
