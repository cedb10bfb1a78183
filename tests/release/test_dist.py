"""What `make dist-test` checks before it installs anything."""

from __future__ import annotations

import re
import tomllib
import zipfile
from pathlib import Path

import yaml

import monopoly_env
from tests.release.dist import ROOT, SHIPS, difference, expected_files, readme_examples


def wheel_of(path: Path, names: set[str], licensed: bool = True) -> Path:
    with zipfile.ZipFile(path, "w") as archive:
        for name in names:
            archive.writestr(name, "")
        if licensed:
            archive.writestr("monopoly_env-1.dist-info/licenses/LICENSE", "")
    return path


def test_a_wheel_without_a_file_of_the_packages_is_refused(tmp_path):
    files = expected_files()
    for name in (
        "monopoly_env/editions/classic.yaml",
        "monopoly_env/value/value.safetensors",
        "monopoly_training/configs/train/quick.yaml",
        "monopoly_training/models/champion/model.safetensors",
        "monopoly_agents/registry.py",
    ):
        assert name in files
        wheel = wheel_of(tmp_path / "a.whl", files - {name})
        assert difference(wheel, files) == [f"missing from the wheel: {name}"]
    assert difference(wheel_of(tmp_path / "b.whl", files), files) == []
    more = wheel_of(tmp_path / "c.whl", {*files, "tests/conftest.py"}, licensed=False)
    assert difference(more, files) == [
        "in the wheel, and not in the packages: tests/conftest.py",
        "missing from the wheel: LICENSE",
    ]


def test_the_readme_has_examples_for_the_core_packages():
    assert all("import" in example for example in readme_examples())


def test_the_version_stands_in_one_place_and_is_cited():
    with (ROOT / "pyproject.toml").open("rb") as file:
        version = tomllib.load(file)["project"]["version"]
    assert monopoly_env.version == version
    cited = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    assert cited["version"] == version, "CITATION.cff names another version"
    for folder in SHIPS:
        for path in (ROOT / folder).rglob("*.py"):
            text = path.read_text(encoding="utf-8")
            assert not re.search(r"^(__)?version(__)? = [\"']", text, re.MULTILINE), path


def test_the_changelog_keeps_its_form():
    """Sections of a version: those of Keep a Changelog, each once, in its order."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    kinds = ["Added", "Changed", "Deprecated", "Removed", "Fixed", "Security"]
    versions = re.split(r"^## ", text, flags=re.MULTILINE)[1:]
    assert versions[0].startswith("[Unreleased]")
    for version in versions:
        assert re.match(r"\[(Unreleased|\d+\.\d+\.\d+\] - \d{4}-\d\d-\d\d)", version)
        found = re.findall(r"^### (.*)$", version, re.MULTILINE)
        assert found == [kind for kind in kinds if kind in found]
