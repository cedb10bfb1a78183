"""docs/your_edition.md works exactly as written: its files, commands, programs and outputs."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest

from monopoly_env.editions import load_edition
from monopoly_env.engine.board import SPACE_IDS

PAGE = (Path(__file__).parents[2] / "docs" / "your_edition.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def add_to_file(text: str) -> None:
    """A YAML block goes to the end of the file that its first line names."""
    name = text.partition("\n")[0].removeprefix("# ")
    with Path(name).open("a", encoding="utf-8") as file:
        file.write(text)


def run_lines(text: str, capsys: pytest.CaptureFixture[str]) -> str:
    """Run each line as a command; returns what the last one said."""
    cli = pytest.importorskip("monopoly_training.cli")
    said = ""
    for line in text.splitlines():
        name, *arguments = shlex.split(line, comments=True)
        assert name == "monopoly-env"
        capsys.readouterr()
        status = cli.main(arguments)
        said = "".join(capsys.readouterr())
        assert status == (2 if line.endswith("# fails") else 0), said
    return said


def squeeze(text: str) -> str:
    return " ".join(text.split())


def test_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    said = ""
    for kind, text in BLOCKS:
        if kind == "yaml":
            add_to_file(text)
        elif kind == "sh":
            said = run_lines(text, capsys)
        elif kind == "python":
            exec(compile(text, "your_edition.md", "exec"), names)
        else:
            assert kind == "text"
            for line in text.splitlines():
                assert squeeze(line) in squeeze(said)
    edition = names["game"].edition
    assert edition.id == "harbor"
    assert edition.names.space(SPACE_IDS.index("boardwalk")) == "New Quay"
    assert edition.modes == ("standard", "short", "evening")
    assert names["env"].unwrapped.spec.kwargs["edition"] == "harbor.yaml"


def test_the_edition_is_classic_but_for_what_it_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCKS:
        if kind == "yaml":
            add_to_file(text)
    changed = load_edition("classic").differences(load_edition("harbor.yaml"))
    keys = {part: {row.key for row in changed if row.part == part} for part in ("rules", "board")}
    assert keys["rules"] == {"players", "modes", "salary", "free_parking_jackpot", "railroad_rent"}
    assert {key.partition(".")[0] for key in keys["board"]} == {
        "park_place", "boardwalk", "luxury_tax"
    }  # fmt: skip


def test_the_smaller_board_has_the_route_and_the_rules_that_it_names(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for kind, text in BLOCKS:
        if kind == "yaml":
            add_to_file(text)
    islet = load_edition("islet.yaml")
    route = [SPACE_IDS[square] for square in islet.route]
    assert len(route) == 13
    assert route[0] == "go"
    assert route[-2:] == ["park_place", "boardwalk"]
    rules = islet.rules[0]
    assert rules["price"][SPACE_IDS.index("park_place")] == 200
    assert (rules["no_mortgages"], rules["menu_unit"]) == (1, 50)


def test_every_step_is_there() -> None:
    assert [kind for kind, _ in BLOCKS].count("yaml") == 8
    assert [kind for kind, _ in BLOCKS].count("python") == 4
    assert "monopoly-env editions classic harbor.yaml" in PAGE
