"""Positions as documents: exact both ways, readable, and strict about what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from monopoly_env import Game, load_edition
from monopoly_env.errors import EditionError, PositionError
from monopoly_env.position import build, describe, read_position
from tests.game.random_play import play_randomly
from tests.position.faults import fault_of

GAMES: list[tuple[str, str, int, dict[str, object]]] = [
    ("classic", "standard", 4, {}),
    ("classic", "standard", 2, {"rent_asked": True, "gifts": True}),
    ("classic", "short", 3, {"deals": "menu", "free_parking_jackpot": True}),
    ("pokemon1999", "standard", 6, {"power_doubles": True, "creditors_in_turn": True}),
    ("pokemon1999", "time_limit", 3, {"time_limit_rounds": 4}),
    ("pokemon_fr2000", "standard", 5, {"houses": 3, "hotels": 1}),
    ("yugioh2016", "short", 7, {"max_decisions": 150}),
]


@pytest.mark.parametrize(("edition", "mode", "players", "rules"), GAMES)
def test_every_position_of_a_game_is_read_as_it_was_written(
    edition: str, mode: str, players: int, rules: dict[str, object]
) -> None:
    game = Game(edition, players, 5, mode, rules)
    for index, _ in enumerate(play_randomly(game, 400)):
        if index % 3 == 0:
            assert Game.from_yaml(game.to_yaml()) == game
    assert Game.from_yaml(game.to_yaml()) == game


def test_a_position_goes_on_as_the_game_would() -> None:
    game = Game(players=3, seed=9)
    for _ in play_randomly(game, 150):
        pass
    twin = Game.from_yaml(game.to_yaml())
    for one, other in zip(play_randomly(game, 100), play_randomly(twin, 100), strict=True):
        assert one == other


def test_little_is_enough_and_the_rest_is_drawn() -> None:
    games = [Game.from_position({"players": 2}, seed=seed) for seed in (1, 1, 2)]
    assert games[0] == games[1] != games[2]
    assert games[0].position(hidden=False) == {
        "edition": "classic", "mode": "standard", "players": 2, "turn": "A",
        "A": {"at": "go", "cash": 1500}, "B": {"at": "go", "cash": 1500},
    }  # fmt: skip
    assert games[0].actor == "A"
    assert games[0].seed is None
    assert Game.from_position({"players": 2}) != Game.from_position({"players": 2})


def test_editions_modes_and_rules_of_a_position(tmp_path: Path) -> None:
    file = tmp_path / "start.yaml"
    file.write_text(
        "edition: kanto2014\nmode: short\nrules: {salary: 300}\nplayers: 2\n", encoding="utf-8"
    )
    game = Game.from_position(file, seed=1)
    assert (game.edition.id, game.edition.mode) == ("kanto2014", "short")
    other = Game.from_position(str(file), edition="classic", mode="standard", rules={"salary": 100})
    assert (other.edition.id, other.edition.mode) == ("classic", "standard")
    assert other.edition.value("salary") == 100
    assert Game.from_position(file, rules={"houses": 9}).edition.overrides == {
        "salary": 300,
        "houses": 9,
    }
    with pytest.raises(EditionError, match="no edition 'clasic'"):
        Game.from_position(file, edition="clasic")


def test_what_an_environment_does() -> None:
    edition = load_edition("pokemon1999")
    games = build(read_position({"players": 2}), edition, seed=3)
    assert games.shape == (1,)
    game = Game.from_record(games, edition)
    assert game == Game.from_position({"players": 2, "edition": "pokemon1999"}, seed=3)
    assert describe(games, edition) == game.position()
    game.play("roll")
    assert games["decisions"][0] == 0


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"edition": "clasic"}, "edition: there is no edition 'clasic'"),
        ({"edition": 3}, "edition: must be an id"),
        ({"mode": 3}, "mode: must be a name"),
        ({"rules": {"salry": 1}}, "salry: there is no such rule"),
        ({"plyers": 3}, "plyers: there is no such key; did you mean 'players'"),
    ],
)
def test_keys_that_do_not_fit(change: dict[str, Any], says: str) -> None:
    assert says in fault_of(change)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must be a mapping with keys such as players"),
        ("- 1", "must be a mapping with keys such as players"),
        ("players: [", "is not valid YAML"),
        ("players: 2\nplayers: 3", "the key 'players' occurs twice"),
        ("{}", "players: is missing: say how many, 2 to 8"),
    ],
)
def test_files_that_are_no_positions(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(PositionError) as caught:
        Game.from_position(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert says in str(caught.value)
    with pytest.raises(PositionError, match="position: "):
        Game.from_yaml(text)


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(PositionError, match="cannot be read: No such file"):
        Game.from_position(tmp_path / "nosuch.yaml")
    with pytest.raises(PositionError, match="cannot be read: it is a folder, not a file"):
        Game.from_position(tmp_path)
    with pytest.raises(PositionError, match="must be a mapping or the path"):
        Game.from_position(3)  # type: ignore[arg-type]


def test_the_text_reads_well() -> None:
    position = {"players": 2, "A": {"cash": 5, "deeds": ["baltic*"], "cards": ["card_chest"]}}
    text = Game.from_position(position, seed=1).to_yaml()
    assert text.splitlines()[0] == "# Monopoly: A decides (TURN)"
    assert "A:\n  at: go\n  cash: 5\n  deeds: [baltic*]\n  cards: [card_chest]\n" in text
    assert list(yaml.safe_load(text)) == [
        "edition", "mode", "players", "turn", "A", "B", "hidden",
    ]  # fmt: skip


@pytest.mark.parametrize(
    "value", ["é" * 10_000, 10**5000, [[1]] * 500], ids=["text", "int", "list"]
)
@pytest.mark.parametrize(
    "key", ["turn", "A.at", "A.jail", "A.deeds", "engine.unseen", "engine.starter"]
)
def test_huge_values_are_shown_in_short(key: str, value: object) -> None:
    position = Game(players=2, seed=1).position()
    place = position
    *outer, last = key.split(".")
    for name in outer:
        place = place.setdefault(name, {})
    place[last] = value
    with pytest.raises(PositionError) as refused:
        Game.from_position(position)
    assert len(str(refused.value)) < 700  # a list of all spaces among it
    assert last in str(refused.value)
