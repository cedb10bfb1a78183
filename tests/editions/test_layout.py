"""Small boards: the section `layout` of an edition file, and how such a board is played."""

from __future__ import annotations

import numpy as np
import pytest

from monopoly_env import Game, IllegalAction
from monopoly_env.editions import load_edition
from monopoly_env.editions.loader import editions
from monopoly_env.engine.board import SPACE_IDS
from monopoly_env.engine.rules import LAYOUT, LAYOUT_AT, RULES
from monopoly_env.engine.why import Why
from monopoly_env.errors import PositionError
from monopoly_env.records import edition_hash
from tests.editions.books import fails

ROUTE = (
    "go mediterranean chest_1 baltic chance_1 jail chest_2 free_parking chance_2 go_to_jail "
    "chance_3 boardwalk"
).split()


def names(squares):
    return [SPACE_IDS[square] for square in squares]


def at(text):
    return Game.from_yaml(f"edition: mini\nplayers: 2\n{text}", seed=1)


def test_the_mini_edition_has_twelve_spaces():
    edition = load_edition("mini")
    assert names(edition.route) == ROUTE
    assert [row.id for row in edition.board_rows()] == ROUTE
    assert (edition.min_players, edition.max_players, edition.modes) == (2, 2, ("standard",))
    assert "mini" not in editions()


def test_the_layout_is_the_end_of_the_record_and_blank_on_the_whole_board():
    assert [name for name in RULES.names if name in LAYOUT] == list(LAYOUT)
    for id_ in editions():
        edition = load_edition(id_)
        assert edition.route == tuple(range(40))
        assert not np.frombuffer(edition.rules.tobytes()[LAYOUT_AT:], np.uint8).any()


def test_a_layout_counts_in_the_hash(write):
    same = load_edition(write("extends: classic", "same.yaml"))
    units = load_edition(write("extends: classic\nlayout: {menu_unit: 50}", "units.yaml"))
    park = [*ROUTE[:-1], "park_place", "boardwalk"]
    longer = load_edition(
        write(f"extends: mini\nlayout: {{route: [{', '.join(park)}]}}", "longer.yaml")
    )
    assert edition_hash(same) == edition_hash(load_edition())
    assert edition_hash(units) != edition_hash(same)
    assert edition_hash(longer) != edition_hash(load_edition("mini"))
    assert names(longer.route) == park


@pytest.mark.parametrize(
    ("start", "dice", "end", "cash"),
    [
        ("go", (5, 6), "boardwalk", 300),
        ("boardwalk", (1, 2), "chest_1", 300),  # whose card leads back to Boardwalk
        ("boardwalk", (1, 3), "baltic", 300),
        ("jail", (1, 3), "jail", 300),  # by way of Go To Jail
        ("free_parking", (6, 5), "chest_2", 300),  # and this one's
    ],
)
def test_tokens_follow_the_route(start, dice, end, cash):
    game = at(f"A: {{at: {start}, cash: 300}}\nB: {{cash: 300}}\nturn: A")
    game.play("roll", dice=dice)
    expected = "boardwalk" if end.startswith("chest") else end
    assert SPACE_IDS[game.state["position"][0]] == expected
    assert game.cash[0] == cash


def test_passing_go_once_round_pays_the_salary_once():
    rules = "rules: {salary: 200}\n"
    game = at(f"{rules}A: {{at: baltic, cash: 300}}\nB: {{cash: 300}}\nturn: A")
    game.play("roll", dice=(6, 6))
    assert SPACE_IDS[game.state["position"][0]] == "baltic"
    assert game.cash[0] == 500


def test_there_are_no_mortgages():
    game = at("A: {cash: 300, deeds: [baltic]}\nB: {cash: 300}\nturn: A")
    assert not [text for text in game.legal_actions() if text.startswith("mortgage")]
    assert game.why("mortgage:baltic") is Why.NO_MORTGAGES
    with pytest.raises(IllegalAction, match="no mortgages"):
        game.play("mortgage:baltic")


def test_the_menu_offers_multiples_of_its_unit():
    seen = 0
    for seed in range(40):
        game = Game(edition="mini", players=2, seed=seed)
        rng = np.random.default_rng(seed)
        while not game.over:
            game.play(int(rng.choice(game.legal_ids())))
            assert all(cash % 100 == 0 for cash in game.cash)
            seen += int(game.state["deal_give_cash"]) > 0
            assert set(names(game.state["position"][:2])) <= set(ROUTE)
            assert int(game.status()) == 0
    assert seen


def test_dealt_deeds_are_those_of_the_route():
    game = Game(edition="mini", players=2, seed=3, rules={"deal_count": 3})
    owned = [SPACE_IDS[square] for square in np.flatnonzero(game.state["owner"] >= 0)]
    assert sorted(owned) == ["baltic", "boardwalk", "mediterranean"]


@pytest.mark.parametrize("text", ["A: {at: reading}", "A: {deeds: [reading]}\nB: {cash: 100}"])
def test_a_position_keeps_to_the_route(text):
    with pytest.raises(PositionError, match="reading is not on the board of this edition"):
        at(text)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("extends: classic\nlayout: {route: [go, jail]}", "layout.route: must have 12"),
        (f"extends: mini\nlayout: {{route: [{', '.join(ROUTE[1:])}, go]}}", "must begin with go"),
        ("extends: mini\nlayout: {route: [go, moon]}", "layout.route"),
        ("extends: mini\nlayout: {mortgages: 3}", "mortgages: must be true or false"),
        ("extends: mini\nlayout: {menu_unit: 500}", "menu_unit"),
        (
            "extends: mini\ndecks: {chance: [ch_reading]}",
            "ch_reading leads to a space off the route",
        ),
        (
            "extends: mini\ndecks: {chance: [ch_utility]}",
            "ch_utility leads to a space off the route",
        ),
    ],
)
def test_a_layout_that_cannot_be_is_refused(write, text, said):
    assert said in fails(write(text))
