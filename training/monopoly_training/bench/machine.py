"""What figures were measured on."""

from __future__ import annotations

import os
import platform
from pathlib import Path
from typing import Any

from monopoly_training.common.files import PACKAGES, package_version


def machine() -> dict[str, Any]:
    """The processor, versions, and what changes figures: bounds checks, other programs."""
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
    """The processor's name, where the system tells."""
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def is_real_time() -> bool:
    """Whether the system lets this process run before all ordinary ones, as ``chrt -f`` asks it to."""
    if not hasattr(os, "sched_getscheduler"):
        return False
    return os.sched_getscheduler(0) in (os.SCHED_FIFO, os.SCHED_RR)
