"""Takes fingerprints of the packages that can be imported here: one a line, as JSON.

``python tests/golden/taken TREE LINES [GROUP …]``: the packages must be those of TREE; what the
fingerprints are taken of is kept in LINES.
"""

from __future__ import annotations

import hashlib
import json
import sys
import time
import traceback
import warnings
from contextlib import redirect_stdout
from pathlib import Path
from typing import TextIO

import commands
import environments
import folders
import games
from lines import Takers

PACKAGES = ("monopoly_env", "monopoly_agents", "monopoly_training")
TAKERS: Takers = games.TAKERS | environments.TAKERS | commands.TAKERS | folders.TAKERS


def chosen(only: list[str]) -> list[str]:
    """The fingerprints of these groups, or of these names; all if none is named."""
    groups = dict.fromkeys(name.partition("/")[0] for name in TAKERS)
    unknown = [name for name in only if name not in groups and name not in TAKERS]
    if unknown:
        sys.exit(f"no group {', '.join(unknown)}; groups are {', '.join(groups)}")
    return [name for name in TAKERS if not only or name in only or name.partition("/")[0] in only]


def take(name: str, folder: Path) -> dict[str, object]:
    """One fingerprint, as JSON has it; an error ends it."""
    path = folder / f"{name}.txt"
    path.parent.mkdir(parents=True, exist_ok=True)
    began, digest, lines, raised = time.perf_counter(), hashlib.sha256(), 0, ""
    with (
        path.open("w", encoding="utf-8", newline="\n") as file,
        redirect_stdout(sys.stderr),  # standard output is for fingerprints
    ):
        try:
            for said in TAKERS[name]():
                line = said.replace(str(Path.cwd()), ".")  # another one in each run
                digest.update(line.encode() + b"\n")
                file.write(line + "\n")
                lines += 1
        except (Exception, SystemExit) as problem:  # noqa: BLE001 - the others are still taken
            raised = " ".join(f"{type(problem).__name__}: {problem}".split())
            traceback.print_exc()
    seconds = time.perf_counter() - began
    return {"name": name, "sha256": digest.hexdigest(), "lines": lines, "seconds": seconds,
            "raised": raised}  # fmt: skip


def strangers(tree: Path) -> list[str]:
    """Modules of the project that came from another tree."""
    return [
        f"{name} is {module.__file__}"
        for name, module in sys.modules.items()
        if name.partition(".")[0] in PACKAGES
        and getattr(module, "__file__", None)
        and not Path(str(module.__file__)).resolve().is_relative_to(tree.resolve())
    ]


def warning(message: Warning | str, category: type[Warning], *_: object) -> str:
    """A warning without the place in the code, which may move."""
    return f"{category.__name__}: {message}\n"


def main(tree: str, folder: str, *only: str) -> None:
    """Take them, one after the other."""
    out: TextIO = sys.stdout
    warnings.formatwarning = warning
    for name in chosen(list(only)):
        out.write(json.dumps(take(name, Path(folder))) + "\n")
        out.flush()
        if found := strangers(Path(tree)):
            sys.exit(f"not the packages of {tree}: {found[0]}")


if __name__ == "__main__":
    main(*sys.argv[1:])
