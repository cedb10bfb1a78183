"""The lock, its hashes and the licenses name the same packages in the same versions."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

pytestmark = pytest.mark.promise("supply")

ROOT = Path(__file__).parents[1]
PINNED = re.compile(r"^([A-Za-z0-9._-]+)==([^\s;\\]+)", re.MULTILINE)


def name(package: str) -> str:
    """The name of a package as indexes have it."""
    return re.sub(r"[-_.]+", "-", package).lower()


def pinned(file: str) -> dict[str, str]:
    """The versions that a file of requirements pins, by package."""
    text = (ROOT / file).read_text(encoding="utf-8")
    return {name(package): version for package, version in PINNED.findall(text)}


def test_all_but_torch_is_pinned_with_hashes() -> None:
    assert {**pinned("requirements.hashes.txt"), "torch": pinned("requirements.lock")["torch"]} == (
        pinned("requirements.lock")
    ), "run `make hashes`"


def test_torch_and_what_it_needs_are_pinned_in_the_versions_of_the_lock() -> None:
    lock, torch = pinned("requirements.lock"), pinned("requirements.torch.txt")
    assert "torch" in torch
    assert {package: lock[package] for package in torch if package in lock} == {
        package: version for package, version in torch.items() if package in lock
    }, "run `make hashes`"


@pytest.mark.parametrize("file", ["requirements.hashes.txt", "requirements.torch.txt"])
def test_every_package_has_a_hash(file: str) -> None:
    text = re.sub(r"^#.*\n", "", (ROOT / file).read_text(encoding="utf-8"), flags=re.MULTILINE)
    for entry in re.split(r"\n(?=\S)", text.strip()):
        assert re.search(r"--hash=sha256:[0-9a-f]{64}$", entry), entry.splitlines()[0]


def test_every_package_has_its_license_listed() -> None:
    page = (ROOT / "docs" / "licenses.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| (\S+) \| (\S+) \| (.+?) \| ", page, re.MULTILINE)[1:]
    assert {name(package): version for package, version, _ in rows} == pinned(
        "requirements.lock"
    ), "run `make licenses`"
    assert [package for package, _, license_ in rows if "UNKNOWN" in license_.upper()] == []
