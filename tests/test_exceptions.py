"""Errors cross processes: each can be pickled, and made again from its message alone."""

from __future__ import annotations

import ast
import builtins
import copy
import importlib
import pickle
from collections.abc import Iterator
from pathlib import Path

import gymnasium
import numpy as np
import pytest

from monopoly_env import Game, IllegalAction
from monopoly_env.compiler.source_keys import find_packages
from monopoly_env.engine.why import Why

KNOWN = {name for name in dir(builtins) if name.endswith(("Error", "Exception", "Warning"))}


def error_classes() -> Iterator[tuple[str, str]]:
    """The module and the name of each class that is derived from an exception."""
    errors = set(KNOWN)

    def is_error(node: ast.ClassDef) -> bool:
        return any(ast.unparse(base).rpartition(".")[2] in errors for base in node.bases)

    parsed: list[tuple[str, ast.ClassDef]] = []
    for package, folder in find_packages().items():
        for path in folder.rglob("*.py"):
            parts = path.relative_to(folder).with_suffix("").parts
            module = ".".join([package, *(part for part in parts if part != "__init__")])
            tree = ast.parse(Path(path).read_text(encoding="utf-8"))
            parsed += [(module, node) for node in tree.body if isinstance(node, ast.ClassDef)]
    size = 0
    while size < len(errors):
        size = len(errors)
        errors |= {node.name for _, node in parsed if is_error(node)}
    for module, node in parsed:
        if is_error(node):
            yield module, node.name


def test_all_are_found() -> None:
    found = set(error_classes())
    assert ("monopoly_env.game", "IllegalAction") in found
    assert ("monopoly_training.models.card", "ModelError") in found
    assert len(found) > 15


@pytest.mark.parametrize(("module", "name"), sorted(error_classes()), ids=str)
def test_an_error_is_pickled_and_made_of_its_message(module: str, name: str) -> None:
    error = getattr(importlib.import_module(module), name)("what is wrong")
    for twin in (pickle.loads(pickle.dumps(error)), copy.copy(error), type(error)(error)):
        assert type(twin) is type(error)
        assert str(twin) == str(error) == "what is wrong"


def test_an_illegal_action_keeps_its_reason() -> None:
    with pytest.raises(IllegalAction, match="build:boardwalk: ") as caught:
        Game(seed=7).play("build:boardwalk")
    for twin in (pickle.loads(pickle.dumps(caught.value)), IllegalAction(caught.value)):
        assert (twin.action, twin.reason) == ("build:boardwalk", Why.NOT_OWNED)
        assert str(twin) == str(caught.value)


def test_an_illegal_action_in_another_process_is_raised_as_such() -> None:
    envs = gymnasium.make_vec(
        "monopoly_env/Monopoly-v0", num_envs=2, vectorization_mode="async", preset="basic"
    )
    try:
        _, infos = envs.reset(seed=1)
        actions = np.array([np.flatnonzero(mask == 0)[0] for mask in infos["action_mask"]])
        with pytest.raises(IllegalAction, match="not possible in this phase") as caught:
            envs.step(actions)
        assert isinstance(caught.value.reason, Why)
    finally:
        envs.close(terminate=True)
