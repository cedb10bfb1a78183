"""Fingerprints: what is told of two versions, without taking any."""

from __future__ import annotations

import importlib.metadata
import json
from pathlib import Path

import numpy as np
import pytest

from tests.golden import fingerprints
from tests.golden.fingerprints import (
    Fingerprint,
    Fingerprints,
    NotTaken,
    compare,
    first_difference,
    main,
    table,
)
from tests.golden.taken.lines import lasting_json, refused, told

Capture = pytest.CaptureFixture[str]


def found(raised: str = "", **hashes: str) -> Fingerprints:
    return {name: Fingerprint(name, sha, 2, 0.1, raised) for name, sha in hashes.items()}


def verdicts(old: Fingerprints, new: Fingerprints) -> dict[str, str]:
    return {row.name: row.verdict for row in compare(old, new)}


def test_what_is_in_one_version_only_differs() -> None:
    both = verdicts(found(a="1", b="2", c="3"), found(b="2", c="4", d="5"))
    assert both == {"a": "differs", "b": "equal", "c": "differs", "d": "differs"}


def test_an_error_is_not_equal_even_in_both() -> None:
    assert verdicts(found("KeyError: 1", a="1"), found("KeyError: 1", a="1")) == {"a": "raised"}
    assert verdicts(found(a="1"), found("KeyError: 1", a="1")) == {"a": "raised"}


def test_the_table_names_what_differs() -> None:
    lines = list(table(compare(found(games="1" * 64, aec="2"), found(games="1" * 64, aec="3"))))
    assert lines[0] == f"games  {'1' * 16}  {'1' * 16}  equal"
    assert lines[1].split() == ["aec", "2", "3", "differs"]
    assert lines[2:] == ["1 of 2 equal", "not equal: aec"]
    assert list(table(compare(found(a="1"), found(a="1"))))[1:] == ["1 of 1 equal"]


def test_the_first_line_that_differs() -> None:
    assert list(first_difference(["a", "b"], ["a", "b"])) == []
    where, old, new = first_difference(["a", "b" * 200 + "1", "x"], ["a", "b" * 200 + "2", "y"])
    assert where == "  line 2, from letter 201 on"
    assert (old, new) == (f"    old: …{'b' * 100}1", f"    new: …{'b' * 100}2")
    assert list(first_difference(["a"], ["a", "b"]))[1:] == [
        "    old: (no such line)",
        "    new: b",
    ]


@pytest.fixture
def faked(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> dict[str, dict[str, str]]:
    """Lines by name that the two versions are said to have."""
    versions: dict[str, dict[str, str]] = {"old": {}, "new": {}}

    def take(_tree: Path, _env: object, lines: Path, _only: object, told: object) -> Fingerprints:
        assert callable(told)
        for name, text in versions.get(lines.name, versions["new"]).items():
            path = fingerprints.lines_file(lines, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return found(**versions.get(lines.name, versions["new"]))

    monkeypatch.setattr(fingerprints, "take", take)
    monkeypatch.setattr(fingerprints, "checkout", lambda _: tmp_path)
    return versions


def test_the_command_fails_and_shows_the_line(
    faked: dict[str, dict[str, str]], capsys: Capture
) -> None:
    faked["old"] = faked["new"] = {"games/menu": "A roll\nA buy\n"}
    assert main(["--against", "HEAD"]) == 0
    faked["new"] = {"games/menu": "A roll\nA auction\n"}
    assert main(["--against", "HEAD"]) == 1
    said = capsys.readouterr().out
    assert "not equal: games/menu" in said
    assert "games/menu: differs\n  line 2, from letter 3 on\n    old: A buy\n" in said
    assert main([]) == 0


def test_a_revision_that_does_not_exist(capsys: Capture) -> None:
    with pytest.raises(NotTaken, match="git rev-parse"):
        fingerprints.checkout("no-such-revision")
    assert main(["--against", "no-such-revision"]) == 2
    assert capsys.readouterr().err.startswith("error: git rev-parse")


def test_a_checkout_brings_its_own_configs_and_entry_points(tmp_path: Path) -> None:
    (tmp_path / "training" / "monopoly_training").mkdir(parents=True)
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs" / "__init__.py").touch()
    (tmp_path / "pyproject.toml").write_text(
        '[project]\nname = "monopoly-env"\nversion = "0.0.7"\n'
        '[project.entry-points."monopoly_env.agents"]\nbots = "elsewhere:agents"\n'
    )
    fingerprints._install(tmp_path)
    assert (tmp_path / "training" / "monopoly_training" / "configs" / "__init__.py").exists()
    (about,) = importlib.metadata.distributions(path=[str(tmp_path)])
    assert (about.name, about.version) == ("monopoly-env", "0.0.7")
    assert [(e.group, e.value) for e in about.entry_points] == [
        ("monopoly_env.agents", "elsewhere:agents")
    ]


def test_types_that_look_alike_are_told_apart() -> None:
    values = [True, np.True_, 1, 1.0, np.float32(1), [1], (1,), np.ones(2, np.int8), np.ones(2)]
    assert len({told(value) for value in values}) == len(values)
    assert told(np.zeros(99)) != told(np.zeros((3, 33))) != told(np.ones((3, 33)))


def test_what_differs_between_two_runs_is_left_out() -> None:
    row = {"version": "1", "games": [{"seconds": 2.5, "wins": 3}], "code": "f00"}
    assert lasting_json(json.dumps(row)) == '{"games": [{"wins": 3}]}'
    assert lasting_json('{"b": 1, "a": 2}') == '{"b": 1, "a": 2}'


def test_an_error_is_told_with_its_families() -> None:
    assert refused(lambda: int("x")).startswith("ValueError < Exception: invalid literal")
    assert refused(lambda: 3) == "no error: 3"
