"""Records have no hidden padding, and the generated dispatch is current."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from monopoly_env import engine
from monopoly_env.compiler.records import fields
from monopoly_env.engine import write_dispatch
from monopoly_env.engine.actions import (
    ARGUMENTS,
    BASE,
    IDS,
    KIND_OF,
    KINDS,
    N_ACTIONS,
    TEXTS,
    VALUE_OF,
)
from monopoly_env.engine.journal import JOURNAL
from monopoly_env.engine.policy import VIEW
from monopoly_env.engine.rules import RULES, RuleSet
from monopoly_env.engine.state import GAME, GameState


@pytest.mark.parametrize("dtype", [GAME, RULES, JOURNAL, VIEW])
def test_no_implicit_padding(dtype: np.dtype) -> None:
    used = sum(dtype[name].itemsize for name in dtype.names)
    assert used == dtype.itemsize


def test_every_module_of_the_engine_has_its_tests() -> None:
    """The table of actions, the records and what is written from them are tested here."""
    here = {"__init__", "actions", "state", "write_dispatch"}
    modules = {path.stem for path in Path(engine.__file__).parent.glob("*.py")} - here
    tested = {path.stem.removeprefix("test_") for path in Path(__file__).parent.glob("test_*.py")}
    assert modules <= tested, f"no tests/engine/test_….py for {sorted(modules - tested)}"


def test_every_field_says_what_it_is() -> None:
    for record in (GameState, RuleSet):
        for name, field in fields(record).items():
            assert field.meaning, name


def test_dispatch_is_current() -> None:
    ruff = [sys.executable, "-m", "ruff", "format", "--stdin-filename", write_dispatch.TARGET, "-"]
    source = write_dispatch.dispatch_source()
    formatted = subprocess.run(
        ruff, input=source, capture_output=True, text=True, check=True
    ).stdout
    assert formatted == write_dispatch.TARGET.read_text(encoding="utf-8"), (
        "run `python -m monopoly_env.engine.write_dispatch`, then `ruff format`"
    )


def test_ids_are_the_table() -> None:
    assert N_ACTIONS == len(set(TEXTS)) == 342
    for kind, name in enumerate(KINDS):
        base = int(BASE[kind])
        for index, value in enumerate(ARGUMENTS[name].values):
            assert KIND_OF[base + index] == kind
            assert VALUE_OF[base + index] == value
            assert IDS[TEXTS[base + index]] == base + index


def test_the_action_space_stays_where_it_is() -> None:
    """Policies are trained on these ids: moving one is a version event."""
    expected = {
        "roll": 0,
        "buy": 5,
        "auction": 6,
        "raise:1": 8,
        "to:go": 21,
        "build:boardwalk": 105,
        "mortgage:mediterranean": 136,
        "deal:left1": 221,
        "give:mediterranean": 228,
        "accept": 308,
        "propose:1": 310,
        "propose:32": 341,
    }
    assert {text: IDS[text] for text in expected} == expected
