"""Compiled code that is handed on: to other places, users and processors."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from monopoly_env.compiler import cache, manifest, portable
from monopoly_env.compiler.cache import find_folders
from monopoly_env.compiler.jit import JIT

needs_jit = pytest.mark.skipif(not JIT, reason="nothing is compiled")

USE = """
    from numba.core import event
    from monopoly_env.compiler.cache import CACHE_FOLDER
    from monopoly_env.compiler.manifest import write_manifest

    compiled = []

    class Listener(event.Listener):
        def on_start(self, event):
            compiled.append(event.data["dispatcher"].py_func.__name__)

        def on_end(self, event):
            pass

    event.register("numba:compile", Listener())
    from monopoly_env.engine.masks import nth_set
    print(nth_set(0b1010, 1), *compiled)
"""
WRITE = USE + "    write_manifest()\n"


def use(folder: Path | str, code: str = USE, **variables: str) -> tuple[list[str], list[str]]:
    """What a fresh Python with this folder prints, and what it logs."""
    environment = os.environ | {"MONOPOLY_ENV_CACHE": str(folder)} | variables
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(code)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.split(), done.stderr.splitlines()


@pytest.fixture
def shipped(tmp_path: Path) -> Path:
    """A folder with the code of one function, moved away from where it was compiled."""
    made, moved = tmp_path / "made", tmp_path / "elsewhere" / "moved"
    printed, logged = use(made, WRITE)
    assert printed[0] == "3"
    assert "nth_set" in printed
    assert logged == []
    moved.parent.mkdir()
    made.rename(moved)
    return moved


@needs_jit
def test_a_moved_folder_serves(shipped: Path) -> None:
    assert use(shipped) == (["3"], [])


@needs_jit
def test_another_path_of_the_package(shipped: Path, tmp_path: Path) -> None:
    """The sources count, not where they lie."""
    root = Path(cache.__file__).parent.parent
    copied = tmp_path / "site" / "monopoly_env"
    shutil.copytree(root, copied, ignore=shutil.ignore_patterns("__pycache__"))
    path = f"import sys; sys.path.insert(0, {str(copied.parent)!r})\n"
    code = path + textwrap.dedent(USE) + "import monopoly_env; print(monopoly_env.__file__)\n"
    printed, logged = use(shipped, code)
    assert printed == ["3", str(copied / "__init__.py")]
    assert logged == []


@needs_jit
def test_a_folder_that_cannot_be_written_is_read(shipped: Path, tmp_path: Path) -> None:
    cannot = "import tempfile\nplain = tempfile.TemporaryFile\n"
    cannot += "def refuse(*args, dir=None, **more):\n"
    cannot += (
        f"    if str(dir).startswith({str(shipped)!r}): raise PermissionError(13, 'read-only')\n"
    )
    cannot += "    return plain(*args, dir=dir, **more)\n"
    cannot += "tempfile.TemporaryFile = refuse\n"
    code = cannot + textwrap.dedent(USE) + "print(CACHE_FOLDER)\n"
    printed, logged = use(shipped, code, TMPDIR=str(tmp_path))
    assert printed[:1] == ["3"]
    assert Path(printed[-1]).parent == tmp_path
    assert len(printed) == 2  # nothing was compiled
    assert logged == []


@needs_jit
@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("python", "3.9.1", "it is for Python 3.9.1, not 3."),
        ("numba", "0.1", "it is for Numba 0.1, not 0."),
        ("system", "Plan9 sparc", "it is for Plan9 sparc, not "),
        ("sources", "0123", "its monopoly-env 0.1.0 has other sources"),
        ("processor", "z80", "it is for the processor z80, not "),
    ],
)
def test_what_does_not_fit_is_said_in_one_line(
    key: str, value: str, told: str, tmp_path: Path
) -> None:
    """And games are played all the same."""
    found = manifest.manifest() | {key: value}
    (tmp_path / manifest.NAME).write_text(json.dumps(found))
    printed, logged = use(tmp_path)
    assert printed[0] == "3"
    assert len(logged) == 1
    assert logged[0].startswith(f"MONOPOLY_ENV_CACHE={tmp_path}: {told}")
    assert logged[0].endswith("monopoly-env compile --to FOLDER makes one that fits")
    assert use(tmp_path)[1] == []  # compiled by now


@needs_jit
def test_another_processor_links_what_was_compiled(shipped: Path) -> None:
    """LLVM's code of the parts is the same for all; the machine code is made anew."""
    other = {"NUMBA_CPU_NAME": "nehalem", "NUMBA_CPU_FEATURES": "+sse4.2,+popcnt"}
    printed, logged = use(shipped, **other)
    assert printed == ["3", "nth_set"]  # its callee, lowest, is there
    assert len(logged) == 1
    assert "not nehalem" in logged[0]


@needs_jit
@pytest.mark.skipif(
    portable.generic_level() is None or not portable.supports(portable.X86_64_V3),
    reason="no generic code for this processor",
)
def test_generic_code_serves_this_processor(tmp_path: Path) -> None:
    level = portable.X86_64_V3
    generic = {"NUMBA_CPU_NAME": level.name, "NUMBA_CPU_FEATURES": level.flags}
    assert "nth_set" in use(tmp_path, WRITE, **generic)[0]
    assert use(tmp_path) == (["3"], [])


@needs_jit
def test_damaged_files_are_compiled_anew(shipped: Path) -> None:
    for path in shipped.rglob("*.nb?"):
        path.write_bytes(path.read_bytes()[:40])
    printed, _ = use(shipped)
    assert printed[0] == "3"
    assert "nth_set" in printed
    assert use(shipped)[0] == ["3"]


def test_folders(tmp_path: Path) -> None:
    """A named folder is written; what a wheel brings is read after it."""
    brought, file = tmp_path / "brought", tmp_path / "file"
    brought.mkdir()
    file.write_text("no folder")
    assert find_folders(str(tmp_path / "new"), brought) == (tmp_path / "new", (brought,))
    written, read = find_folders(str(file), tmp_path / "none")
    assert read == (file,)
    assert written != file


def test_generic_code_needs_every_feature(monkeypatch: pytest.MonkeyPatch) -> None:
    has = dict.fromkeys(portable.X86_64_V3.features, True)
    monkeypatch.setattr(portable.binding, "get_host_cpu_features", lambda: has)
    assert portable.supports.__wrapped__(portable.X86_64_V3)
    has["avx2"] = False
    assert not portable.supports.__wrapped__(portable.X86_64_V3)
