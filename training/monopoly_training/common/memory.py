"""What a command would take of the memory, worked out before anything starts."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from monopoly_env.errors import InputError, Location

PROCESS = 250_000_000  # bytes of a process that plays games: Python, NumPy, compiled rules
CGROUPS = Path("/sys/fs/cgroup")
UNLIMITED = 1 << 60  # bytes; limits above it are none


def check_memory(keys: str, needs: Mapping[str, float], location: Location | None = None) -> None:
    """Refuse what the memory that is free cannot hold.

    Args:
        keys: the settings that it depends on, with their values, as the error names them.
        needs: bytes by what takes them.
        location: where the settings were given; without it, the error begins with ``keys``.

    Raises: the location's error, one line.
    """
    total, free = sum(needs.values()), available()
    if free is None or total <= free:
        return
    largest = sorted(needs.items(), key=lambda item: -item[1])
    parts = ", ".join(f"{size(need)} {what}" for what, need in largest if need >= 0.01 * total)
    problem = f"takes {size(total)} of memory ({parts}), and {size(free)} are free; lower it"
    if location is None:
        InputError.at(keys).fail(problem)
    location.fail(f"{keys}: {problem}")


def check_jobs(jobs: int, batches: int) -> None:
    """Refuse more processes than the memory holds. Raises: InputError."""
    count = min(jobs, batches)
    if count > 1:
        check_memory("jobs", {f"for {count} processes": count * PROCESS})


def size(count: float) -> str:
    """Bytes as people write them: ``21.5 GB``."""
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.0f} PB"


def available() -> int | None:
    """The bytes that this process may still take; None where nobody says.

    The least of what the machine has free, what control groups allow, as of a container, and the
    limit of the process.
    """
    found = [*_free(), *cgroup_limits(), *_process_limit()]
    return max(min(found), 0) if found else None


def _free() -> list[int]:
    """What the machine has free, swap included."""
    with contextlib.suppress(OSError, ValueError):
        lines = Path("/proc/meminfo").read_text(encoding="ascii").splitlines()
        rows = {name: rest.split() for name, _, rest in (line.partition(":") for line in lines)}
        if "MemAvailable" in rows:
            names = ("MemAvailable", "SwapFree")
            return [1024 * sum(int(rows[name][0]) for name in names if name in rows)]
    with contextlib.suppress(OSError, ValueError, AttributeError):
        return [os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    return []


def cgroup_limits() -> list[int]:
    """What is left below the limits of this process's control groups, of both versions."""
    groups: list[tuple[Path, str, str]] = []
    with contextlib.suppress(OSError):
        for line in Path("/proc/self/cgroup").read_text(encoding="utf-8").splitlines():
            _, controllers, path = line.split(":", 2)
            if not controllers:
                groups += _above(CGROUPS, path, "memory.max", "memory.current")
            elif "memory" in controllers.split(","):
                limit, usage = "memory.limit_in_bytes", "memory.usage_in_bytes"
                groups += _above(CGROUPS / "memory", path, limit, usage)
    left = []
    for folder, limit, usage in groups:
        with contextlib.suppress(OSError, ValueError):  # no such file, or `max`
            most = int((folder / limit).read_text(encoding="ascii"))
            if most < UNLIMITED:
                used = int((folder / usage).read_text(encoding="ascii")) - _cached(folder)
                left.append(most - used)
    return left


def _above(root: Path, path: str, limit: str, usage: str) -> list[tuple[Path, str, str]]:
    """A group and those that it is in; inside a container its own root is all there is."""
    folder = root / path.strip("/")
    chain = [folder, *(one for one in folder.parents if one.is_relative_to(root))]
    return [(one, limit, usage) for one in dict.fromkeys([*chain, root])]


def _cached(folder: Path) -> int:
    """Bytes of files that a group holds in memory and would let go."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        rows = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("inactive_file "))
    return 0


def _process_limit() -> list[int]:
    """What is left below the limit of addresses of this process (``ulimit -v``)."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            return [most - pages * resource.getpagesize()]
    return []
