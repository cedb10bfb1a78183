"""The manifest of a folder of compiled code: what it was compiled for, and whether it fits."""

from __future__ import annotations

import json
import platform
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import numba
import numpy as np
from llvmlite import binding

from monopoly_env.compiler.cache import (
    BOUNDS_CHECKED,
    CACHE_FOLDER,
    FOLDERS,
    NAMED,
    SOURCE_KEYS,
    VARIABLE,
)
from monopoly_env.compiler.link_choice import ENTRY, LINKING
from monopoly_env.compiler.portable import generic_level, supports

NAME = "manifest.json"
MOST_BYTES = 1 << 20
PACKAGE = "monopoly-env"
PROCESSOR = "processor"
REMEDY = "monopoly-env compile --to FOLDER makes one that fits"
KEYS = {  # the keys that must match, with their names
    "python": "Python",
    "numba": "Numba",
    "numpy": "NumPy",
    "system": "",
    "package": PACKAGE,
    "sources": "sources",
    "linking": "linking",
    "bounds_checked": "bounds checks",
    PROCESSOR: "the processor",
}


def manifest() -> dict[str, str]:
    """Return the manifest of this process."""
    try:
        package = version(PACKAGE)
    except PackageNotFoundError:
        package = "unknown"
    return {
        "python": platform.python_version(),
        "numba": numba.__version__,
        "numpy": np.__version__,
        "system": f"{platform.system()} {platform.machine()}",
        "package": package,
        "sources": SOURCE_KEYS.key_of_packages("monopoly_env"),
        "linking": LINKING.kind,
        "bounds_checked": str(BOUNDS_CHECKED),
        PROCESSOR: str(numba.config.CPU_NAME or binding.get_host_cpu_name()),
    }


def write_manifest(folder: Path = CACHE_FOLDER) -> None:
    """Write the manifest of this process into a folder."""
    text = json.dumps(manifest(), indent=2) + "\n"
    (folder / NAME).write_text(text, encoding="utf-8")


def read_manifest(folder: Path) -> dict[str, Any] | None:
    """Return the manifest of a folder; None if it has no valid one."""
    try:
        path = folder / NAME
        if not path.is_file() or path.stat().st_size > MOST_BYTES:
            return None
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    return found if isinstance(found, dict) else None


def difference(found: dict[str, Any], here: dict[str, str]) -> str:
    """Return the first difference between a manifest and this process; empty if none."""
    for key, words in KEYS.items():
        was, now = str(found.get(key, "unknown")), here[key]
        if was == now or (key == PROCESSOR and _stands_for_all(was)):
            continue
        if key == "sources":
            return f"its {PACKAGE} {found.get('package')} has other sources"
        return f"it is for {words} {was}, not {now}".replace("  ", " ")
    return ""


def _stands_for_all(processor: str) -> bool:
    """Return whether code for a processor of this name also runs here."""
    level = generic_level()
    return level is not None and processor == level.name and supports(level)


def why_compiled_anew() -> str:
    """Return why prebuilt code is not used, in one line; empty if it is.

    Called when something is compiled although MONOPOLY_ENV_CACHE names a read-only folder, or one
    with a manifest.
    """
    named = Path(NAMED).absolute() if NAMED else None
    folders = FOLDERS.shipped if named is None else (named,)
    for folder in folders:
        found = read_manifest(folder)
        what = f"{VARIABLE}={NAMED}" if folder == named else f"compiled code in {folder}"
        if found is None:
            if folder in FOLDERS.shipped:
                return f"{what}: cannot be written and has no {NAME}; {_remedy()}"
            continue
        if LINKING.kind != ENTRY:
            return f"{what}: is not used with {LINKING.kind} linking; {_remedy()}"
        other = difference(found, manifest())
        if other:
            return f"{what}: {other}; {_remedy()}"
    return ""


def _remedy() -> str:
    return f"compiling into {CACHE_FOLDER}; {REMEDY}"
