"""A folder of compiled code for others: where it may be, and for which processor."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.cli import main
from monopoly_training.compilation import shared_cache

from monopoly_env.compiler.portable import X86_64_V3


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, str]]:
    """The environments of processes that would have been started."""
    environments: list[dict[str, str]] = []

    def run(command: list[str], env: dict[str, str], **_: Any) -> Any:
        assert command[1:] == ["-m", "monopoly_training", "compile"]
        environments.append(env)
        return subprocess.CompletedProcess(command, len(environments) - 1)

    monkeypatch.setattr(shared_cache.subprocess, "run", run)
    return environments


def test_it_is_compiled_into_the_folder(tmp_path: Path, started: list[dict[str, str]]) -> None:
    assert main(["compile", "--to", str(tmp_path / "new")]) == 0
    assert started[0]["MONOPOLY_ENV_CACHE"] == str(tmp_path / "new")
    assert (tmp_path / "new").is_dir()


def test_the_status_is_that_of_compiling(tmp_path: Path, started: list[dict[str, str]]) -> None:
    started.append({})
    assert main(["compile", "--to", str(tmp_path)]) == 1


def test_generic_code(
    tmp_path: Path, started: list[dict[str, str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(shared_cache, "generic_level", lambda: X86_64_V3)
    assert main(["compile", "--to", str(tmp_path), "--cpu", "generic"]) == 0
    assert started[0]["NUMBA_CPU_NAME"] == "x86-64-v3"
    assert "+avx2" in started[0]["NUMBA_CPU_FEATURES"]


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--cpu", "generic"], "--cpu: needs --to FOLDER"),
        (["--to", "{folder}", "--cpu", "z80"], "--cpu: must be one of native, generic, not 'z80'"),
        (["--to", "{file}"], "--to: {file}: File exists; name a folder that can be written"),
        (["--to", "{file}/x"], "--to: {file}/x: Not a directory; name a folder"),
    ],
)
def test_what_cannot_be(
    arguments: list[str],
    line: str,
    tmp_path: Path,
    started: list[dict[str, str]],
    capsys: pytest.CaptureFixture[str],
) -> None:
    file = tmp_path / "file"
    file.touch()
    given = [one.format(file=file, folder=tmp_path) for one in arguments]
    assert main(["compile", *given]) != 0
    told = capsys.readouterr().err
    assert line.format(file=file) in told
    assert len(told.splitlines()) == 1
    assert started == []


def test_no_generic_code_for_other_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(shared_cache, "generic_level", lambda: None)
    assert main(["compile", "--to", str(tmp_path), "--cpu", "generic"]) != 0
    assert "needs x86-64" in capsys.readouterr().err
