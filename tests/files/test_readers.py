"""Every reader goes through ``monopoly_env.files``: the sources are searched for others."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
PACKAGES = ("monopoly_env", "agents/monopoly_agents", "training/monopoly_training")

# Calls that read a file, or take a file's content apart: any function of these names,
OPENING = {"open", "read_text", "read_bytes", "fdopen", "load_file", "safe_open", "safe_load"}
OPENING |= {"ParquetFile", "read_table", "fromfile", "loadtxt", "genfromtxt", "getline"}
# and load or loads of these modules, classes and packages.
LOADING = {"json", "yaml", "torch", "np", "numpy", "pickle", "tomllib", "marshal", "safetensors"}
LOADING |= {"MaskablePPO"}

# Files in which such calls are right, and why.
ALLOWED = {
    "monopoly_env/files.py": "the readers themselves",
    "monopoly_env/compiler/manifest.py": "bytes whose length is checked; compiled code lies beside",
    "monopoly_env/compiler/source_keys.py": "sources of installed modules, which are run anyway",
    "monopoly_env/editions/loader.py": "JSON that the process itself wrote",
    "monopoly_env/editions/sets.py": "JSON that the process itself wrote",
    "training/monopoly_training/web/assets.py": "data of this package",
    "monopoly_env/bots/text_view.py": "an answer of a language model, no file",
    "monopoly_env/text/answers.py": "an answer of a language model, no file",
    "monopoly_env/render/board_data.py": "data of this package",
    "monopoly_env/render/fitting.py": "data of this package",
    "monopoly_env/render/pixels.py": "a picture in memory that was drawn just now",
    "monopoly_env/records/files.py": "a line that was read; files to write to",
    "monopoly_env/envs/_copies.py": "a pickle of the process's own, handed over by Python",
    "training/monopoly_training/fuzz/samples.py": "a pickle of the process's own",
    "training/monopoly_training/league/policies.py": "bytes whose digest was checked; no code is run",
    "training/monopoly_training/common/streams.py": "/dev/null, standard streams",
    "training/monopoly_training/common/memory.py": "/proc and /sys",
    "training/monopoly_training/reference/pictures.py": "a picture in memory that was drawn just now",
    "training/monopoly_training/reference/clients_page.py": "sources and pages of this checkout",
    "training/monopoly_training/reference/trust_page.py": "sources of this checkout",
    "agents/monopoly_agents/external/protocol.py": "a line of a program, of bounded length",
    "training/monopoly_training/tournament/report.py": "a copy of the config through JSON",
    "training/monopoly_training/tournament/ledger.py": "a copy of the header through JSON",
    "training/monopoly_training/runs/checkpoint.py": "bytes that fit their digest",
    "training/monopoly_training/value/heldout.py": "bytes that fit their digest",
    "training/monopoly_training/models/sb3_zip.py": "a pickle, under --trust alone",
    "training/monopoly_training/dataset/parts.py": "a file opened by open_file()",
    "training/monopoly_training/reference/rule_index.py": "sources and cases of this checkout",
    "training/monopoly_training/reference/architecture_page.py": "sources of this checkout",
    "training/monopoly_training/compilation/ahead_of_time.py": "output of a process",
    "training/monopoly_training/bench/compare.py": "sources of a revision; output of a process",
    "training/monopoly_training/bench/machine.py": "/proc/cpuinfo",
    "training/monopoly_training/bench/scaling.py": "/proc/self/status; output of a process",
    "training/monopoly_training/bench/starting.py": "output of a process",
    "training/monopoly_training/bench/anchors.py": "output of a process",
}


def calls(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """The line and the name of each call that may read."""
    foreign = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").partition(".")[0] in LOADING
        for alias in node.names
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and not writes(node):
            function = node.func
            name = getattr(function, "attr", getattr(function, "id", ""))
            of = getattr(getattr(function, "value", None), "id", "")
            loads = name in ("load", "loads") and (of in LOADING or name in foreign)
            ours = isinstance(function, ast.Name) and name != "open"  # of monopoly_env.files
            drawn = of == "canvas"  # a group of a drawing is opened
            if loads or (name in OPENING and not ours and not drawn):
                yield node.lineno, name


def writes(node: ast.Call) -> bool:
    """Whether a call of ``open`` names a mode that reads nothing."""
    words = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
    return any(isinstance(word, str) and word[:1] in tuple("wax") for word in words)


def sources() -> list[Path]:
    return [path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))]


def test_no_reader_goes_around_the_room_of_files() -> None:
    found = {}
    for path in sources():
        name = path.relative_to(ROOT).as_posix()
        if name not in ALLOWED:
            found[name] = list(calls(ast.parse(path.read_text(encoding="utf-8"))))
    assert len(found) > 200
    assert not {name: lines for name, lines in found.items() if lines}, (
        "read through monopoly_env.files, or say in ALLOWED why not"
    )


def test_the_list_of_exceptions_is_current() -> None:
    for name in ALLOWED:
        found = list(calls(ast.parse((ROOT / name).read_text(encoding="utf-8"))))
        assert found, f"{name} reads nothing by itself; take it out of the list"
