"""The public interface is the one that is kept as text in tests/golden/api."""

from __future__ import annotations

import pytest

from tests.golden.api import FOLDER, SNAPSHOTS, VERSIONS, difference, kept, keys, taken

pytestmark = pytest.mark.promise("api")


@pytest.mark.parametrize("name", SNAPSHOTS)
def test_the_public_interface_is_what_it_was(name: str) -> None:
    changed = difference(name, kept(name), taken(name))
    assert not changed, changed


def test_every_snapshot_says_which_version_it_belongs_to() -> None:
    assert set(VERSIONS) == set(SNAPSHOTS) == {path.stem for path in FOLDER.glob("*.txt")}


def test_a_difference_says_which_version_must_go_up() -> None:
    assert difference("observation", "0 4 seats\n", "0 4 seats\n") == ""
    told = difference("observation", "0 4 seats\n4 1 pot\n", "0 8 seats\n8 1 pot\n")
    assert "-0 4 seats" in told
    assert "+8 1 pot" in told
    assert "raise OBSERVATION_VERSION in monopoly_env/encoding/blocks.py" in told


def test_keys_of_data_are_told_with_their_types() -> None:
    data = {"a": 1, "b": {"c": [1, "x"], "d": None}, "e": [{"f": 1.5}], "g": []}
    assert list(keys(data)) == [
        "a: int", "b.c: [int, str]", "b.d: NoneType", "e[].f: float", "g: []",
    ]  # fmt: skip


def test_the_snapshot_has_what_users_import() -> None:
    lines = kept("python").splitlines()
    for name in ("class Game", "# monopoly_env.bots"):
        assert name in lines
    assert any(line.startswith("class VectorEnv(") for line in lines)
    assert any(line.startswith("    step(self, actions") for line in lines)
