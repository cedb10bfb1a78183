"""Whoever waits for the compiler is told so, and nobody else."""

from __future__ import annotations

import pytest
from monopoly_training.common import compile_notice
from monopoly_training.common.progress import NoProgress


class Lines(NoProgress):
    """Keeps what was logged."""

    def __init__(self):
        self.lines = []

    def log(self, text):
        self.lines.append(text)


@pytest.mark.parametrize("jit", [True, False])
def test_it_is_logged_once_if_something_is_missing(jit, tmp_path, monkeypatch):
    monkeypatch.setattr(compile_notice, "JIT", jit)
    monkeypatch.setattr(compile_notice, "folders_of", lambda module: (tmp_path / module,))
    progress = Lines()
    compile_notice.announce(progress, "compiled", "batched", "compiled")
    assert len(progress.lines) == jit
    for module, function in compile_notice.LOOPS.values():
        (tmp_path / module).mkdir()
        (tmp_path / module / f"x.{function}-1.py311.1.nbc").touch()
    compile_notice.announce(progress, "compiled", "sequential")
    assert len(progress.lines) == jit


@pytest.mark.parametrize("kind", compile_notice.LOOPS)
def test_what_is_looked_for_exists(kind):
    from importlib import import_module

    module, function = compile_notice.LOOPS[kind]
    assert hasattr(import_module(module), function)
