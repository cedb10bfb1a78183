"""Estimate a command's memory use before it starts, and refuse what does not fit."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from monopoly_env.errors import InputError, Location

PROCESS = 250_000_000  # bytes of one process that plays games: Python, NumPy, compiled rules
CGROUPS = Path("/sys/fs/cgroup")
UNLIMITED = 1 << 60  # bytes; a higher limit means that there is no limit


def check_memory(keys: str, needs: Mapping[str, float], location: Location | None = None) -> None:
    """Raise an error if the estimated memory use exceeds the available memory.

    Args:
        keys: the settings that determine the need, with their values, for the error message.
        needs: bytes by consumer.
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
    """Check that the processes fit in memory. Raises: InputError."""
    count = min(jobs, batches)
    if count > 1:
        check_memory("jobs", {f"for {count} processes": count * PROCESS})


def size(count: float) -> str:
    """Format bytes for people: ``21.5 GB``."""
    for unit in ("bytes", "KB", "MB", "GB", "TB"):
        if count < 1000:
            return f"{count:.0f} {unit}" if unit == "bytes" else f"{count:.1f} {unit}"
        count /= 1000
    return f"{count:,.0f} PB"


def available() -> int | None:
    """Return the bytes that this process may still allocate, or None if unknown.

    This is the minimum of the machine's free memory, the control group limits (as in a container)
    and the limit of the process.
    """
    found = [*_free(), *cgroup_limits(), *_process_limit()]
    return max(min(found), 0) if found else None


def _free() -> list[int]:
    """Return the machine's free memory, including swap."""
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
    """Return the bytes left below each control group limit of this process (cgroup v1 and v2)."""
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
        with contextlib.suppress(OSError, ValueError):  # no such file, or the limit is `max`
            most = int((folder / limit).read_text(encoding="ascii"))
            if most < UNLIMITED:
                used = int((folder / usage).read_text(encoding="ascii")) - _cached(folder)
                left.append(most - used)
    return left


def _above(root: Path, path: str, limit: str, usage: str) -> list[tuple[Path, str, str]]:
    """Return a group and its ancestors up to ``root``; a container sees only its own root."""
    folder = root / path.strip("/")
    chain = [folder, *(one for one in folder.parents if one.is_relative_to(root))]
    return [(one, limit, usage) for one in dict.fromkeys([*chain, root])]


def _cached(folder: Path) -> int:
    """Return the bytes of reclaimable file cache that a group holds."""
    with contextlib.suppress(OSError, ValueError, IndexError):
        rows = (folder / "memory.stat").read_text(encoding="ascii").splitlines()
        return next(int(row.split()[1]) for row in rows if row.startswith("inactive_file "))
    return 0


def _process_limit() -> list[int]:
    """Return the bytes left below this process's address space limit (``ulimit -v``)."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        most, _ = resource.getrlimit(resource.RLIMIT_AS)
        if most != resource.RLIM_INFINITY:
            pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0])
            return [most - pages * resource.getpagesize()]
    return []
