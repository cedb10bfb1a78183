"""Generated editions are played wherever an edition is named."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from monopoly_training import cli

import monopoly_env
from monopoly_env import Game, VectorEnv, monopoly_v0
from monopoly_env.editions import load_edition
from monopoly_env.editions.generated import spec
from monopoly_env.errors import EditionError, RecordError
from monopoly_env.records import read_records
from monopoly_env.replay import replay

NAME = "random:test:17:dial=0.8"
FULL = "random:test:17:dial=0.8:names=new:v1"


def played(edition: str = NAME) -> Game:
    game = Game(edition=edition, players=3, seed=5)
    for _ in range(150):
        if not game.over:
            game.play(game.legal_actions()[0])
    return game


def test_an_edition_is_found_by_its_name() -> None:
    edition = load_edition(NAME, "short", {"deals": "menu"})
    assert (edition.id, edition.reference) == (NAME, FULL)
    assert edition.modes == ("standard", "short")
    assert edition.value("deals") == 2
    assert edition.value("deal_count") == 3
    assert load_edition(FULL).rules.tobytes() == load_edition(NAME).rules.tobytes()


def test_a_record_replays_anywhere() -> None:
    game = played()
    record = json.loads(json.dumps(game.record()))
    assert record["edition"] == FULL
    assert replay(record) == game


def test_yaml_goes_on_where_the_game_stood() -> None:
    game = played()
    assert Game.from_yaml(game.to_yaml()) == game
    assert Game.from_yaml(game.to_yaml()).edition.names == game.edition.names


def test_another_version_of_the_generator_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    game = played()
    record, text = game.record(), game.to_yaml()
    monkeypatch.setattr(spec, "VERSION", 2)
    with pytest.raises(RecordError, match="is of version 1 of the generator, this is version 2"):
        replay(record)
    with pytest.raises(ValueError, match="is of version 1 of the generator"):
        Game.from_yaml(text)


def test_an_edition_file_may_build_on_one(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("extends: random:train:3\nrules: {salary: 111}\n")
    mine, theirs = load_edition(path), load_edition("random:train:3")
    assert mine.value("salary") == 111
    assert mine.value("price") == theirs.value("price")


def test_environments_take_the_name() -> None:
    single = gymnasium.make(
        "monopoly_env/Monopoly-v0", edition=NAME, opponents=["background", "random"]
    )
    single.reset(seed=1)
    assert single.unwrapped.game.edition.id == NAME  # type: ignore[attr-defined]
    aec: Any = monopoly_v0.env(edition=NAME, num_players=3)
    aec.reset(seed=1)
    assert aec.unwrapped.game.edition.id == NAME
    envs = VectorEnv(2, edition=NAME, opponents=["background"], observation="packed")
    envs.reset(seed=1)
    assert envs.game(1).edition.id == NAME
    assert monopoly_env.load_edition(NAME).id == NAME


def test_commands_take_the_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluated = ["evaluate", "fixed_a", "--against", "random", "--games", "4", "--edition", NAME]
    assert cli.main(evaluated) == 0
    assert cli.main(["editions", NAME]) == 0
    assert cli.main(["editions", "classic", NAME]) == 0
    assert "boardwalk.price" in capsys.readouterr().out
    config = tmp_path / "cup.yaml"
    config.write_text(
        f"agents: [fixed_a, random]\nseats: 2\ngames: 4\nrecords: 2\nedition: {NAME}\n"
    )
    assert cli.main(["tournament", str(config), "--out", str(tmp_path / "cup")]) == 0
    records = list(read_records(tmp_path / "cup" / "records.jsonl.gz"))
    assert {record["edition"] for record in records} == {FULL}
    for record in records:
        replay(record)


def test_a_set_is_refused_where_one_is_needed() -> None:
    with pytest.raises(EditionError, match="names 1,000 editions, and one is needed here"):
        load_edition("random:test")
