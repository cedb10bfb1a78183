"""Describe the machine on which benchmarks run."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from monopoly_training.common.files import PACKAGES, package_version


def machine() -> dict[str, Any]:
    """Return the processor, versions, and conditions that affect speed."""
    return {
        "processor": processor(),
        "cores": os.cpu_count(),
        "system": f"{platform.system()} {platform.machine()}",
        "python": platform.python_version(),
        "versions": {name: package_version(name) for name in PACKAGES},
        "bounds_checks": os.environ.get("NUMBA_BOUNDSCHECK", "0") == "1",
        "real_time": is_real_time(),
    }


def processor() -> str:
    """Return the processor's name, as far as known."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def is_real_time() -> bool:
    """Return whether this process has real-time priority, as with ``chrt -f``."""
    if not hasattr(os, "sched_getscheduler"):
        return False
    return os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)
