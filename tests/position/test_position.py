"""Positions: exact both ways, readable, and strict about what does not fit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from monopoly_env import Game, load_edition
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.status import Status
from monopoly_env.errors import EditionError, PositionError
from monopoly_env.position import build, describe, read_position
from monopoly_env.position.public_state import UNSOUND, unsound_text
from tests.game.random_play import play_randomly

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


def test_scarce_buildings_and_deals_are_exact_too() -> None:
    start = {
        "players": 3,
        "A": {"deeds": ["mediterranean", "baltic", "reading"]},
        "B": {"deeds": ["oriental", "vermont", "connecticut"], "cards": ["card_chance"]},
        "C": {"deeds": ["park_place", "boardwalk"], "buildings": {"boardwalk": 1}},
        "bank": {"houses": 1, "hotels": 0},
    }
    phases = set()
    for seed in range(6):
        game = Game.from_position(start, seed=seed)
        for _ in play_randomly(game, 60, seed):
            phases.add(game.phase)
            assert Game.from_yaml(game.to_yaml()) == game
    assert phases >= {Phase.CLAIM, Phase.PLACE, Phase.AUCTION, Phase.DEAL, Phase.ANSWER}


def test_a_position_goes_on_as_the_game_would() -> None:
    game = Game(players=3, seed=9)
    for _ in play_randomly(game, 150):
        pass
    twin = Game.from_yaml(game.to_yaml())
    for one, other in zip(play_randomly(game, 100), play_randomly(twin, 100), strict=True):
        assert one == other


def test_an_edited_position_goes_on_from_the_edit() -> None:
    game = Game.from_position(
        {"players": 2, "A": {"cash": 10}, "B": {"deeds": ["reading"]}, "hidden": {"dice": [[1, 4]]}}
    )
    game.play("roll")
    assert game.phase is Phase.DEBT
    text = game.to_yaml()
    assert "task: DEBT, player: A, other: B" in text
    richer = Game.from_yaml(text.replace("cash: 10", "cash: 110"))
    assert richer.phase is not Phase.DEBT
    assert richer.cash == (85, 1525)


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


def test_named_cards_stay_on_top() -> None:
    hidden = {"chance": ["ch_jail", "ch_go"], "dice": [[3, 4]]}
    for seed in range(5):
        game = Game.from_position({"players": 2, "hidden": hidden}, seed=seed)
        assert game.position()["hidden"]["chance"][:2] == ["ch_jail", "ch_go"]
        game.play("roll")
        assert game.hand("A").in_jail


def test_without_hidden_things_another_game_comes_of_it() -> None:
    game = Game(seed=5)
    for _ in play_randomly(game, 50):
        pass
    text = game.to_yaml(hidden=False)
    assert "rng" not in text
    twin = Game.from_yaml(text, seed=1)
    assert twin != game
    assert twin.position(hidden=False) == game.position(hidden=False)


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


FULL: dict[str, Any] = {"players": 3, "A": {"cash": 5}, "hidden": {"rng": 7}}


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"edition": "clasic"}, "edition: there is no edition 'clasic'"),
        ({"edition": 3}, "edition: must be an id"),
        ({"mode": 3}, "mode: must be a name"),
        ({"rules": {"salry": 1}}, "salry: there is no such rule"),
        ({"plyers": 3}, "plyers: there is no such key; did you mean 'players'"),
        ({"players": None}, "players: must be a whole number"),
        ({"D": {}}, "position: D: does not play: there are 3 players"),
        ({"A": {"cash": "5"}}, "A.cash: must be a whole number"),
        ({"A": {"deeds": ["nowhere"]}}, "A.deeds.nowhere: there is no such space"),
        ({"A": {"out": True}}, "turn: A is out of the game"),
        ({"B": {"out": True}, "C": {"out": True}}, "one player is left, so the game is over"),
        ({"A": {"at": "go_to_jail"}}, "rests on Go To Jail"),
        ({"hidden": {"rng": -1}}, "hidden.rng: must be from 0"),
        ({"hidden": {"rng": 2**64}}, "hidden.rng: must be from 0"),
        ({"hidden": {"dice": [[0, 1]]}}, "hidden.dice.1: must be from 1 to 6"),
        ({"hidden": {"dice": [[2, 1]], "dice_used": 2}}, "dice_used: must be from 0 to 1"),
        ({"hidden": {"dice_only": 1}}, "dice_only: must be true or false"),
        ({"hidden": {"chance": ["ch_none"]}}, "ch_none: there is no such card"),
        ({"hidden": []}, "hidden: must be a mapping"),
        ({"engine": {"nothing": 1}}, "engine.nothing: there is no such key"),
        ({"engine": {"laps": {"D": 1}}}, "engine.laps.D: there is no such player"),
        ({"engine": {"laps": {"A": 200}}}, "engine.laps.A: must be from 0 to 127"),
        ({"engine": {"lot": "CAR"}}, "engine.lot.CAR: there is no such AuctionLot"),
        ({"engine": {"unseen": [1]}}, "engine.unseen: must be a list of 2"),
        ({"engine": {"bidders": ["D"]}}, "engine.bidders: must be a player"),
        ({"engine": {"lot_square": 3}}, "engine.lot_square.3: there is no such space"),
        ({"engine": {"deal_give": ["go"]}}, "engine.deal_give.go: there is no such deed"),
        ({"engine": {"over": 1}}, "engine.over: must be true or false"),
        ({"engine": {"agenda": []}}, "engine.agenda: must have one item at least"),
        ({"engine": {"agenda": [{"task": "BUY"}]}}, "agenda.1: the first item, and no other"),
        ({"engine": {"agenda": [{"task": "NAP"}]}}, "agenda.1.task.NAP: there is no such Task"),
        ({"engine": {"agenda": ["TURN"]}}, "agenda.1: must be a mapping"),
        ({"engine": {"agenda": [{"task": "TURN", "who": "A"}]}}, "agenda.1.who: there is no such"),
        ({"engine": {"claims": [{"owner": "A"}]}}, "claims.1: says no"),
        ({"engine": {"claims": [{"amount": 2, "owner": None}]}}, "must be a player who is in"),
    ],
)
def test_what_does_not_fit_is_one_line(change: dict[str, Any], says: str) -> None:
    with pytest.raises(PositionError) as caught:
        Game.from_position({**FULL, **change})
    assert str(caught.value).startswith("position: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("items", "says"),
    [
        ([{"task": "BUY", "square": "oriental"}], "agenda.2.player: is missing: BUY needs it"),
        ([{"task": "BUY", "player": "A"}], "agenda.2.square: is missing"),
        ([{"task": "BUY", "player": "A", "square": "reading"}], "must be a deed that nobody owns"),
        ([{"task": "LAND", "player": "C"}], "agenda.2.player: C is out of the game"),
        ([{"task": "RENT", "player": "B"}], "agenda.2.flag: must be the number of an open claim"),
        ([{"task": "TURN", "player": "A"}], "agenda.2: the first item, and no other"),
        ([{"task": "FINISH"}] * 16, "agenda: must be a list of up to 16 items"),
    ],
)
def test_an_agenda_that_makes_no_sense(items: list[Any], says: str) -> None:
    agenda = [{"task": "THROWN", "player": "A", "other": "A", "square": "go"}, *items]
    position = {
        "players": 4,
        "B": {"deeds": ["reading"]},
        "C": {"out": True},
        "engine": {"agenda": agenda},
    }
    with pytest.raises(PositionError) as caught:
        Game.from_position(position)
    assert says in str(caught.value)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must be a mapping with keys such as players"),
        ("- 1", "must be a mapping with keys such as players"),
        ("players: [", "is not valid YAML"),
        ("players: 2\nplayers: 3", "the key 'players' stands twice"),
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
    with pytest.raises(PositionError, match="cannot be read: Is a directory"):
        Game.from_position(tmp_path)
    with pytest.raises(PositionError, match="must be a mapping or the path"):
        Game.from_position(3)  # type: ignore[arg-type]


def test_a_player_that_jail_rules_do_not_let_in() -> None:
    short = {"mode": "short", "players": 2, "A": {"jail": 1}}
    with pytest.raises(PositionError, match=r"A\.jail: must be from 0 to 0, not 1"):
        Game.from_position(short)


def test_the_text_reads_well() -> None:
    position = {"players": 2, "A": {"cash": 5, "deeds": ["baltic*"], "cards": ["card_chest"]}}
    text = Game.from_position(position, seed=1).to_yaml()
    assert text.splitlines()[0] == "# Monopoly: A decides (TURN)"
    assert "A:\n  at: go\n  cash: 5\n  deeds: [baltic*]\n  cards: [card_chest]\n" in text
    assert list(yaml.safe_load(text)) == [
        "edition", "mode", "players", "turn", "A", "B", "hidden",
    ]  # fmt: skip


def test_every_invariant_has_its_words() -> None:
    assert set(UNSOUND) == set(Status)
    assert unsound_text(Status.MONEY | Status.DICE).count("; ") == 1
