"""What works without any extra: every command runs, or says in one line which extra it needs."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.cli import command_names, load_command, main

from monopoly_env.extras import EXTRAS, MissingExtra, is_installed, need, require

ROOT = Path(__file__).parents[3]
PROGRAM = Path(__file__).with_name("core_commands.py")
POSITION = "players: 2\nA: {cash: 300}\n"
RANKING = """
bots: [random, fixed_a]
tables: {duel: {opponents: [fixed_a]}}
seeds: 2
seed: 1
anchor: fixed_a
"""
REFUSED = {  # by the first words of a command line: the package that is missing
    "acceptance fit": "torch",
    "bench --only sb3_share": "torch",
    "bench --plot": "matplotlib",
    "convert": "minari",
    "demo": "torch",
    "evaluate model:x.zip": "sb3_contrib",
    "export champion --onnx": "torch",
    "export champion --folder": "safetensors",
    "export rllib:checkpoint": "ray",
    "exploit": "cma",
    "generate": "pyarrow",
    "play --port": "starlette",
    "mcp": "mcp",
    "plot": "matplotlib",
    "replay played --game 1 --png": "resvg_py",
    "replay played --game 1 --gif": "PIL",
    "replay played --game 1 --mp4": "imageio_ffmpeg",
    "tokens short --tokenizer": "bpe_openai",
    "league": "torch",
    "train": "torch",
    "tune": "cma",
    "value fit": "torch",
    "watch": "starlette",
}
OTHER_EXTRAS = {"export champion --onnx": "onnx", "export rllib:checkpoint": "rllib"}
# Distributions whose import name is another one.
IMPORTED_AS = {
    "stable-baselines3": "stable_baselines3", "sb3-contrib": "sb3_contrib", "resvg-py": "resvg_py",
    "pillow": "PIL", "pygame-ce": "pygame", "imageio-ffmpeg": "imageio_ffmpeg",
    "mlflow-skinny": "mlflow", "bpe-openai": "bpe_openai",
    "inspect-ai": "inspect_ai", "kaggle-environments": "kaggle_environments",
}  # fmt: skip


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, Any]]:
    """What every command line of core_commands.py did, in a process of its own."""
    folder = tmp_path_factory.mktemp("core")
    (folder / "x.zip").touch()
    (folder / "curves").mkdir()
    (folder / "position.yaml").write_text(POSITION)
    (folder / "ranking.yaml").write_text(RANKING)
    (folder / "cases.yaml").write_text((ROOT / "tests/rulebook/cases/auction.yaml").read_text())
    run = subprocess.run(
        [sys.executable, PROGRAM, folder],
        capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL,
    )  # fmt: skip
    assert run.returncode == 0, run.stderr
    done: list[dict[str, Any]] = json.loads(run.stdout)
    return done


def line_of(run: dict[str, Any]) -> str:
    return " ".join(run["words"])


def line_start(run: dict[str, Any]) -> str | None:
    """Which of REFUSED a command line begins with."""
    return next((words for words in REFUSED if line_of(run).startswith(words)), None)


def missing_in(run: dict[str, Any]) -> str | None:
    """The package whose absence a command line must report."""
    return REFUSED.get(line_start(run) or "")


def test_every_command_is_run(runs):
    assert {run["words"][0] for run in runs} == set(command_names())
    assert sum(missing_in(run) is not None for run in runs) == len(REFUSED)


def test_commands_need_no_extra_or_name_it_in_one_line(runs):
    for run in runs:
        package = missing_in(run)
        if package is None:
            assert run["status"] == 0, run
            assert "error" not in run["err"], run
        else:
            assert run["status"] == 2, run
            assert run["out"] == "", run
            (line,) = run["err"].splitlines()
            assert f"needs {package}, which is not installed" in line
            extra = OTHER_EXTRAS.get(line_start(run), EXTRAS[package])
            assert line.endswith(f"pip install 'monopoly-env[{extra}]'")


def test_a_report_without_pictures_says_so(runs):
    for run in runs:
        if run["words"][0] in ("tournament", "compare"):
            assert run["err"] == (
                "the report is without pictures and games.parquet: matplotlib and pyarrow are not "
                "installed; pip install 'monopoly-env[eval]'\n"
            )


@pytest.mark.parametrize("command", sorted({words.split()[0] for words in REFUSED}))
def test_help_names_the_extra(command, capsys):
    assert main([command, "--help"]) == 0
    text = " ".join(re.sub(r"[│╭╮╰╯─]", " ", capsys.readouterr().out).split())
    for words, package in REFUSED.items():
        option = ([word for word in words.split() if word.startswith("--")] or [None])[-1]
        if words.split()[0] != command or command == "evaluate":
            continue
        if option in (None, "--only"):
            assert f"extra {EXTRAS[package]}" in text
        else:
            param = next(p for p in load_command(command).params if option in p.opts)
            assert f"(extra {OTHER_EXTRAS.get(words, EXTRAS[package])})" in param.help


def test_the_table_of_extras_is_that_of_the_project():
    with (ROOT / "pyproject.toml").open("rb") as file:
        extras = tomllib.load(file)["project"]["optional-dependencies"]
    listed: dict[str, set[str]] = {}
    for extra, requirements in extras.items():
        for requirement in requirements:
            name = re.split(r"[\[<>=~! ]", requirement)[0]
            listed.setdefault(IMPORTED_AS.get(name, name), set()).add(extra)
    for package, extra in EXTRAS.items():
        assert extra in listed[package], package
    tools = {"dev", "all", "docs", "notebooks"}
    assert {p for p, names in listed.items() if not names <= tools} == EXTRAS.keys() | {
        "monopoly-env"
    }


def test_a_package_that_is_not_there_is_one_line(monkeypatch):
    monkeypatch.setitem(sys.modules, "torch", None)
    assert not is_installed("torch")
    assert is_installed("numpy")
    says = r"^a film: needs torch, which is not installed; .* pip install 'monopoly-env\[train\]'$"
    with pytest.raises(MissingExtra, match=says):
        require("a film", "numpy", "torch")
    with pytest.raises(MissingExtra, match=says):
        need("a film", "torch.nn")


def test_a_package_that_is_broken_is_one_line(monkeypatch, tmp_path):
    (tmp_path / "trackio.py").write_text("raise ImportError('libfoo is missing')")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "trackio", raising=False)
    with pytest.raises(MissingExtra, match=r"trackio, which cannot be imported \(libfoo is miss"):
        need("tracking", "trackio")
