"""The six rule books as data, users' own editions, and what the loader says of mistakes."""

from pathlib import Path

import numpy as np
import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from monopoly_env.editions.loader import (
    FOLDER,
    Edition,
    EditionError,
    editions,
    load_edition,
)
from monopoly_env.editions.values import BOARD_FIELDS, DECK_FIELDS, FIELDS
from monopoly_env.engine.board import (
    CARD_CHANCE,
    CARD_CHEST,
    CHANCE_SQUARES,
    CHEST_SQUARES,
    DEEDS,
    GROUP_SQUARES,
    SPACE_IDS,
    STREETS,
)
from monopoly_env.engine.cards import CARD_IDS, CHANCE, CHEST, CardKind

IDS = ("classic", "kanto2014", "pokemon1999", "pokemon_fr2000", "nintendo2010", "yugioh2016")
SHARED = ("classic", "kanto2014", "nintendo2010", "yugioh2016")  # one rule text
P, F = "pokemon1999", "pokemon_fr2000"

# What each group of books says: shared text, P, F. Rules that all have alike stand in ALIKE.
ALIKE = {
    "start_cash": 1500,
    "deal_count": 0,
    "deal_paid": 0,
    "houses": 32,
    "hotels": 12,
    "salary": 200,
    "landing_bonus": 0,
    "auctions": 1,
    "auction_opening": 1,
    "buy_after_laps": 0,
    "rent_asked": 0,
    "railroad_rent": [25, 50, 100, 200],
    "utility_multiplier": [4, 10],
    "jail_fine": 50,
    "jail_tries": 3,
    "hotel_houses": 4,
    "even_building": 1,
    "limited_buildings": 1,
    "lift_percent": 10,
    "mortgage_beside_buildings": 0,
    "bankrupt_keep_percent": 10,
    "deals": 1,
    "trade_limit": 2,
    "debt_trade_limit": 4,
    "gifts": 0,
    "creditors_in_turn": 0,
    "end_bankruptcies": 0,
    "time_limit_rounds": 0,
    "power_doubles": 0,
    "power_rest": 200,
    "power_leech": 50,
    "free_parking_jackpot": 0,
    "between_windows": 1,
    "max_turns": 1000,
    "max_decisions": 1_000_000,
}
DIFFERENT = {
    "rent_deadline": (1, 2, 2),
    "double_rent_beside_mortgage": (0, 1, 0),
    "utility_fresh_throw": (1, 0, 0),
    "jail_fine_tries": (3, 2, 3),
    "sell_group_always": (0, 1, 1),
    "scarce_opens_at_price": (0, 0, 1),
    "deal_keep_percent": (10, 10, 0),
    "property_for_debt": (0, 0, 1),
    "bankrupt_mortgages": (1, 0, 0),
}
SHORT = {
    "deal_count": (3, 3, 2),
    "deal_paid": (0, 0, 1),
    "hotel_houses": (3, 3, 3),
    "jail_tries": (1, 1, 3),
    "end_bankruptcies": (1, 1, 2),
    "time_limit_rounds": (0, 0, 0),
}


def column(edition: str) -> int:
    return {P: 1, F: 2}.get(edition, 0)


def fails(*args: object, **kwargs: object) -> str:
    """The message of the error, which must be one printable line."""
    with pytest.raises(EditionError) as caught:
        load_edition(*args, **kwargs)  # type: ignore[arg-type]
    message = str(caught.value)
    assert message.isprintable()
    assert message
    return message


def edition_or_message(*args: object, **kwargs: object) -> Edition | str:
    try:
        return load_edition(*args, **kwargs)  # type: ignore[arg-type]
    except EditionError as problem:
        return str(problem)


@pytest.fixture
def write(tmp_path: Path):
    """Write an edition file and return its path."""

    def write_(text: object, name: str = "mine.yaml") -> Path:
        path = tmp_path / name
        content = text if isinstance(text, str) else yaml.safe_dump(text)
        path.write_text(content, encoding="utf-8")
        return path

    return write_


# --- the six rule books ---


def test_there_are_six_editions_and_classic_is_the_default():
    assert editions()[0] == "classic"
    assert sorted(editions()) == sorted(IDS)
    assert load_edition().id == "classic"
    assert load_edition().mode == "standard"


@pytest.mark.parametrize("id_", IDS)
def test_rules_of_the_standard_game(id_: str):
    edition = load_edition(id_)
    expected = {**ALIKE, **{name: row[column(id_)] for name, row in DIFFERENT.items()}}
    assert {row.name: row.value for row in edition.rule_rows()} == expected


def test_every_rule_is_checked_above():
    assert {*ALIKE, *DIFFERENT, *BOARD_FIELDS, *DECK_FIELDS} == set(FIELDS)


@pytest.mark.parametrize("id_", IDS)
def test_rules_of_the_short_game(id_: str):
    short, standard = load_edition(id_, "short"), load_edition(id_)
    for name, row in SHORT.items():
        assert short.value(name) == row[column(id_)], name
    same = [name for name in (*ALIKE, *DIFFERENT) if name not in SHORT]
    assert [short.value(name) for name in same] == [standard.value(name) for name in same]


@pytest.mark.parametrize("id_", [P, F])
def test_rules_of_the_time_limit_game(id_: str):
    limited, standard = load_edition(id_, "time_limit"), load_edition(id_)
    changed = {"deal_count": 2, "deal_paid": 1, "time_limit_rounds": 30}
    for name in (*ALIKE, *DIFFERENT, *BOARD_FIELDS):
        assert limited.value(name) == changed.get(name, standard.value(name)), name
    assert load_edition(id_, "time_limit", {"time_limit_rounds": 8}).value("time_limit_rounds") == 8


@pytest.mark.parametrize("id_", SHARED)
def test_the_shared_text_has_no_time_limit_game(id_: str):
    assert load_edition(id_).modes == ("standard", "short")
    message = fails(id_, "time_limit")
    assert f"{id_}: has no mode 'time_limit'; its modes are standard, short" in message
    assert f"{P}, {F} have it" in message


@pytest.mark.parametrize("id_", IDS)
def test_taxes(id_: str):
    rules = load_edition(id_).rules[0]
    assert rules["tax"][4] == 200
    assert rules["tax"][38] == (75 if id_ == P else 100)
    assert rules["tax"].sum() == 200 + rules["tax"][38]
    assert rules["tax_percent"].tolist() == [10 if id_ == P and s == 4 else 0 for s in range(40)]
    assert load_edition(id_, "short").rules["tax_percent"].sum() == 0


@pytest.mark.parametrize("id_", IDS)
def test_board(id_: str):
    rules = load_edition(id_).rules[0]
    assert rules["price"].sum() == 5690
    assert np.flatnonzero(rules["price"]).tolist() == list(DEEDS)
    assert np.array_equal(rules["mortgage"] * 2, rules["price"])
    for name in ("house_price", "hotel_price", "rent"):
        used = rules[name].reshape(40, -1).any(axis=1)
        assert np.flatnonzero(used).tolist() == list(STREETS), name
    assert np.array_equal(rules["house_price"], rules["hotel_price"])
    for squares in GROUP_SQUARES[:8]:
        assert len(set(rules["house_price"][list(squares)].tolist())) == 1
    assert (np.diff(rules["rent"][list(STREETS)], axis=1) > 0).all()
    assert rules["rent"][39].tolist() == [50, 200, 600, 1400, 1700, 2000]
    assert rules["rent"][[19, 34, 37], 0].tolist() == [16, 28, 35]
    assert rules["house_price"][[1, 11, 21, 31]].tolist() == [50, 100, 150, 200]


@pytest.mark.parametrize("id_", IDS)
def test_decks(id_: str):
    edition = load_edition(id_)
    assert edition.value("deck_size") == [16, 16]
    chance, chest = edition.deck_rows(CHANCE), edition.deck_rows(CHEST)
    assert [row.id for row in chance] == [card for card in CARD_IDS if card.startswith("ch_")]
    before_2008 = id_ in (P, F)
    party = "cc_opera" if before_2008 else "cc_birthday"
    amounts = {row.id: row.amount for row in chest}
    assert len(amounts) == 16
    assert amounts[party] == (50 if before_2008 else 10)
    assert amounts["cc_school"] == (150 if before_2008 else 50)
    assert amounts["cc_stock"] == (45 if before_2008 else 50)
    assert amounts["cc_hospital"] == 100
    kept = [row.id for row in (*chance, *chest) if row.kind == "keep"]
    assert kept == ["ch_goojf", "cc_goojf"]
    repairs = [(row.amount, row.hotel) for row in (*chance, *chest) if row.kind == "repairs"]
    assert repairs == [(25, 100), (40, 115)]
    moves = {row.id: row.square for row in chance if row.kind == "move_to"}
    assert moves == {
        "ch_go": "go",
        "ch_illinois": "illinois",
        "ch_st_charles": "st_charles",
        "ch_reading": "reading",
        "ch_boardwalk": "boardwalk",
    }


@pytest.mark.parametrize("id_", IDS)
@pytest.mark.parametrize("mode", ["standard", "short", "time_limit"])
def test_every_rule_has_a_source_in_its_own_book(id_: str, mode: str):
    edition = load_edition(id_)
    if mode not in edition.modes:
        return
    edition = load_edition(id_, mode)
    assert all(row.source for row in edition.rule_rows())
    assert set(BOARD_FIELDS) | {"deck", "deck_size", "players"} <= set(edition.sources)
    if id_ != "classic":  # what classic says of its own text may not show under another book
        shared = set(load_edition("classic").sources.items())
        general = ("setting", "house rule", "silent", "with Power Doubles", "only in the short")
        for name, source in shared & set(edition.sources.items()):
            assert source.startswith(general), name


@pytest.mark.parametrize("id_", IDS)
def test_built_in_files_say_only_what_differs(id_: str):
    raw = yaml.safe_load((FOLDER / f"{id_}.yaml").read_text(encoding="utf-8"))
    assert raw["id"] == id_
    assert {"title", "year", "publisher", "rulebook", "players", "names"} <= set(raw)
    if id_ == "classic":
        return
    assert raw["extends"] == "classic"
    classic, edition = load_edition("classic"), load_edition(id_)
    for name in raw.get("rules", {}):
        assert classic.value(name) != edition.value(name), name


@pytest.mark.parametrize(
    ("id_", "most"),
    [("classic", 8), ("kanto2014", 6), (P, 6), (F, 6), ("nintendo2010", 6), ("yugioh2016", 7)],
)
def test_players(id_: str, most: int):
    edition = load_edition(id_)
    assert (edition.min_players, edition.max_players) == (2, most)
    assert len(edition.names.tokens) == most
    edition.check_players(2)
    edition.check_players(most)
    with pytest.raises(EditionError, match=f"is for 2 to {most} players, not 9"):
        edition.check_players(9)
    if most < 8:
        with pytest.raises(EditionError, match="max_players with 8"):
            edition.check_players(8)
    load_edition(id_, rules={"max_players": 8}).check_players(8)


# --- names ---


def test_names_of_the_editions():
    kanto = load_edition("kanto2014").names
    assert (kanto.house, kanto.houses) == ("Poké Mart", "Poké Marts")
    assert (kanto.hotel, kanto.hotels) == ("Pokémon Center", "Pokémon Centers")
    assert kanto.space(24) == "Venomoth"
    assert kanto.group(0) == "Brock"
    assert kanto.token(0) == "Pikachu"
    assert kanto.token(7) == "player 8"
    assert load_edition(P).names.house == "Poké Center"
    assert load_edition("nintendo2010").names.deck(CHANCE) == "? Block"
    assert load_edition("yugioh2016").names.money(-1500) == "-DP 1,500"
    french = load_edition(F)
    assert french.language == "fr"
    assert french.names.space(0) == "Case départ"
    assert french.names.money(1500).endswith("1.500")


@pytest.mark.parametrize("id_", IDS)
def test_card_spaces_are_named_like_their_decks(id_: str):
    names = load_edition(id_).names
    for squares, pile in ((CHANCE_SQUARES, CHANCE), (CHEST_SQUARES, CHEST)):
        assert {names.space(square) for square in squares} == {names.deck(pile)}
    assert names.deck(CHANCE) in names.space(CARD_CHANCE)
    assert names.deck(CHEST) in names.space(CARD_CHEST)


def test_names_that_are_not_known_are_the_classic_ones():
    assert load_edition("yugioh2016").names.space(39) == "Boardwalk"


def test_card_labels_speak_the_editions_names_and_amounts():
    kanto = load_edition("kanto2014", rules={"card_amount": {"ch_chairman": 75}})
    label = {id_: kanto.names.card_label(i) for i, id_ in enumerate(CARD_IDS)}
    assert "Venomoth" in label["ch_illinois"]
    assert "Poké Mart" in label["ch_repairs"]
    assert "75" in label["ch_chairman"]
    assert "Poké Balls" in label["ch_rail_1"]
    assert not any("{" in text for text in label.values())


# --- overrides ---


def test_overrides():
    edition = load_edition(
        rules={
            "salary": 400,
            "even_building": False,
            "tax": {"luxury_tax": 75},
            "railroad_rent": [50, 100, 200, 400],
            "windows": "own",
            "deals": "menu",
            "price": [9 if square in DEEDS else 0 for square in range(40)],
            "rent": {"boardwalk": [1, 2, 3, 4, 5, 6]},
            "card_kind": {"ch_small_fine": "collect"},
        }
    )
    rules = edition.rules[0]
    assert rules["salary"] == 400
    assert rules["even_building"] == 0
    assert rules["tax"][[4, 38]].tolist() == [200, 75]
    assert rules["railroad_rent"].tolist() == [50, 100, 200, 400]
    assert rules["between_windows"] == 0
    assert rules["deals"] == 2
    assert rules["price"].sum() == 9 * 28
    assert rules["rent"][39].tolist() == [1, 2, 3, 4, 5, 6]
    assert rules["card_kind"][CARD_IDS.index("ch_small_fine")] == CardKind.COLLECT
    assert edition.sources["salary"] == "override"


def test_overrides_have_one_form():
    one = load_edition(rules={"windows": "all", "gifts": True, "deals": False})
    two = load_edition(rules={"deals": "off", "between_windows": 1, "gifts": np.int64(1)})
    assert one.overrides == two.overrides == {"deals": 0, "gifts": 1, "between_windows": 1}
    assert load_edition(rules=one.overrides).overrides == one.overrides
    assert load_edition().overrides == {}


def test_an_editions_rules_are_its_own():
    load_edition().rules["salary"] = 1
    assert load_edition().value("salary") == 200


def test_power_doubles_only_where_the_book_has_them():
    for id_ in (P, F):
        for mode in load_edition(id_).modes:
            assert load_edition(id_, mode, {"power_doubles": True}).value("power_doubles") == 1
    for id_ in SHARED:
        message = fails(id_, rules={"power_doubles": True})
        assert f"{P}, {F} have it" in message
        assert "power_doubles" in message
        assert load_edition(id_, rules={"power_doubles": False}).value("power_doubles") == 0


def test_house_rules_are_off_and_can_be_switched_on_everywhere():
    for id_ in IDS:
        edition = load_edition(id_)
        names = [rule.name for rule in edition.house_rules]
        assert {"free_parking_jackpot", "landing_bonus", "auctions", "buy_after_laps"} <= set(names)
        for rule in edition.house_rules:
            assert edition.value(rule.name) != rule.value
            assert load_edition(id_, rules={rule.name: rule.value}).value(rule.name) == rule.value


@pytest.mark.parametrize(
    ("rules", "words"),
    [
        ({"salery": 1}, ["salery", "did you mean 'salary'?"]),
        ({"window": "all"}, ["window", "did you mean 'windows'?"]),
        ({"xyzzy": 1}, ["xyzzy", "monopoly-env editions"]),
        ({"salary": "much"}, ["salary", "whole number from 0 to 100000", "'much'"]),
        ({"salary": -1}, ["salary", "from 0 to 100000", "-1"]),
        ({"salary": 10**30}, ["salary"]),
        ({"salary": 10**5000}, ["salary"]),
        ({"salary": 2.5}, ["salary", "2.5"]),
        ({"salary": True}, ["salary", "True"]),
        ({"salary": None}, ["salary"]),
        ({"salary": [200]}, ["salary"]),
        ({"gifts": 2}, ["gifts", "true or false"]),
        ({"deals": "step"}, ["deals", "did you mean 'steps'?"]),
        ({"windows": "none"}, ["windows", "all or own"]),
        ({"windows": ["own"]}, ["windows", "all or own"]),
        ({"windows": "own", "between_windows": 1}, ["windows", "between_windows"]),
        ({"max_players": 9}, ["max_players", "from 2 to 8"]),
        ({"hotel_houses": 5}, ["hotel_houses", "from 3 to 4"]),
        ({"railroad_rent": [1, 2, 3]}, ["railroad_rent", "list of 4", "not 3"]),
        ({"railroad_rent": {"reading": 1}}, ["railroad_rent", "list of 4"]),
        ({"price": [1] * 39}, ["price", "list of 40", "not 39"]),
        ({"price": [1] * 40}, ["price.go", "must be 0"]),
        ({"price": {"bordwalk": 1}}, ["price.bordwalk", "did you mean 'boardwalk'?"]),
        ({"price": {"go": 1}}, ["price.go"]),
        ({"rent": {"boardwalk": [1, 2]}}, ["rent.boardwalk", "list of 6", "not 2"]),
        ({"rent": {"boardwalk": 5}}, ["rent.boardwalk", "list of 6"]),
        ({"tax": {1: 5}}, ["tax", "keys must be text"]),
        ({"card_amount": {"ch_gone": 5}}, ["card_amount.ch_gone"]),
        ({"card_kind": {"ch_go": 15}}, ["deck.chance", "ch_go", "kind 15"]),
        ({"card_square": {"ch_go": "bordwalk"}}, ["did you mean 'boardwalk'?"]),
        ({"deck_size": [16, 17]}, ["deck_size.1", "from 1 to 16"]),
        ({"deck": {"chance": ["ch_go"] * 16}}, ["deck.chance", "ch_go", "twice"]),
        ({"deck": {"chance": [-1] * 16}}, ["deck.chance", "deck_size"]),
        ({"card_kind": {"ch_go": "keep"}}, ["deck.chance", "one card to keep"]),
        ({"card_amount": {"ch_back3": 0}}, ["deck.chance", "ch_back3", "1 to 39"]),
        ({"deck_size": {"chance": 1}, "card_kind": {"ch_go": "keep"}}, ["deck.chance", "neither"]),
        ({"deck_size": {"chance": 1}, "card_square": {"ch_go": "chest_1"}}, ["neither"]),
        ({3: 4}, ["rules", "keys must be text"]),
        ([("salary", 1)], ["rules", "mapping"]),
        ("salary", ["rules", "mapping"]),
        ({"a\nb\x1b\ud800": 1}, ["rules"]),
    ],
)
def test_overrides_that_do_not_fit(rules: object, words: list[str]):
    message = fails(rules=rules)
    for word in words:
        assert word in message


@pytest.mark.parametrize("mode", ["shrt", "", None, 3, ["short"], "time_limit\n"])
def test_unknown_modes(mode: object):
    assert "mode" in fails("classic", mode)


@pytest.mark.parametrize("edition", ["kanto", "", "\0", "a\nb", 3, None, b"classic", ["classic"]])
def test_unknown_editions(edition: object):
    assert fails(edition).startswith("edition: ")


def test_an_unknown_edition_is_told_the_ids():
    message = fails("kanto2015")
    assert "did you mean 'kanto2014'?" in message
    assert all(id_ in message for id_ in IDS)
    assert "no file" in fails("nowhere/mine.yaml")
    assert "no file" in fails(Path("classic"))


# --- users' own editions ---


def test_an_own_edition_says_only_what_differs(write):
    path = write(
        """
        extends: classic
        names:
          spaces: {boardwalk: Castle}
          currency: {symbol: €}
        rules:
          salary: 300
          deals: menu
        board:
          boardwalk: {price: 501, rent: [60, 200, 600, 1400, 1700, 2000]}
          park_place: {house_price: 250}
        modes:
          blitz: {hotel_houses: 3}
          short: {end_bankruptcies: 2}
        cards:
          cc_doctor: {amount: 60}
        """
    )
    edition = load_edition(path, "blitz")
    assert (edition.id, edition.title, edition.publisher) == ("mine", "mine", "")
    assert edition.reference == str(path)
    assert edition.language == "en"
    assert edition.modes == ("standard", "short", "blitz")
    assert edition.names.space(39) == "Castle"
    assert edition.names.space(37) == "Park Place"
    assert edition.names.money(5) == "€5"
    assert "Castle" in edition.names.card_label(CARD_IDS.index("ch_boardwalk"))
    assert edition.value("salary") == 300
    assert edition.value("deals") == 2
    assert edition.value("hotel_houses") == 3
    rules = edition.rules[0]
    assert (rules["price"][39], rules["mortgage"][39]) == (501, 250)
    assert (rules["house_price"][37], rules["hotel_price"][37]) == (250, 250)
    assert rules["card_amount"][CARD_IDS.index("cc_doctor")] == 60
    assert load_edition(path, "short").value("end_bankruptcies") == 2
    assert load_edition(path, "short").value("deal_count") == 3
    assert load_edition(str(path)).rules.tobytes() == load_edition(path).rules.tobytes()


def test_an_own_edition_may_build_on_another_file_or_a_themed_edition(write):
    write("extends: pokemon1999\nrules: {salary: 250}", "base.yaml")
    path = write("id: top\nextends: base.yaml\nplayers: {max: 4}\nmodes: {short: null}")
    edition = load_edition(path, rules={"power_doubles": True})
    assert edition.id == "top"
    assert edition.value("salary") == 250
    assert edition.value("rent_deadline") == 2
    assert edition.modes == ("standard", "time_limit")
    assert edition.max_players == 4
    assert edition.names.house == "Poké Center"


def test_an_own_edition_may_offer_power_doubles(write):
    path = write("extends: classic\noptional_rules: {power_doubles: our table}")
    assert load_edition(path, rules={"power_doubles": 1}).value("power_doubles") == 1
    path = write("extends: classic\nrules: {power_doubles: true}")
    assert load_edition(path, rules={"power_doubles": 1}).value("power_doubles") == 1


def test_a_file_that_changes_is_read_again(write):
    assert load_edition(write("extends: classic\nrules: {salary: 201}")).value("salary") == 201
    assert load_edition(write("extends: classic\nrules: {salary: 2020}")).value("salary") == 2020


def test_an_edition_that_extends_nothing_must_say_everything(write):
    raw = yaml.safe_load((FOLDER / "classic.yaml").read_text(encoding="utf-8")) | {"id": "whole"}
    whole = load_edition(write(raw))
    assert whole.rules.tobytes() == load_edition("classic").rules.tobytes()
    for section, key, what in (
        ("board", "boardwalk", "board.boardwalk: says no price"),
        ("board", "luxury_tax", "board.luxury_tax: says no tax"),
        ("rules", "salary", "rules.salary: is missing"),
        ("decks", "chest", "decks.chest: is missing"),
        ("cards", "ch_go", "cards.ch_go: is missing"),
        ("names", "house", "names.house: is missing"),
    ):
        less = raw | {section: {k: v for k, v in raw[section].items() if k != key}}
        assert what in fails(write(less, f"no_{key}.yaml"))
    spaces = {k: v for k, v in raw["names"]["spaces"].items() if k != "boardwalk"}
    less = raw | {"names": raw["names"] | {"spaces": spaces}}
    assert "names.spaces: names 39 of 40: boardwalk is missing" in fails(write(less))


def test_forty_names_may_be_a_list(write):
    names = [f"space {square}" for square in range(40)]
    path = write({"extends": "classic", "names": {"spaces": names}})
    assert load_edition(path).names.spaces == tuple(names)
    path = write({"extends": "classic", "names": {"spaces": names[1:]}})
    assert "names.spaces: a list of spaces has 40 names, this one 39" in fails(path)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("rules: {salery: 1}", ["rules.salery", "did you mean 'salary'?"]),
        ("rules: {salary: {value: x, source: s}}", ["rules.salary"]),
        ("rules: {salary: {value: 1, sauce: s}}", ["rules.salary.sauce", "'source'"]),
        ("rules: {salary: {source: s}}", ["rules.salary"]),
        ("rule: {salary: 1}", ["rule:", "did you mean 'rules'?"]),
        ("rules: [salary]", ["rules: must be a mapping"]),
        ("rules: {salary: 1, salary: 2}", ["line 2", "'salary'", "twice"]),
        ("id: classic", ["id:", "built-in"]),
        ("id: [a]", ["id:", "must be text"]),
        ("year: soon", ["year:", "whole number"]),
        ("extends: classic2", ["extends:", "did you mean 'classic'?"]),
        ("extends: mine.yaml", ["extends:", "circle"]),
        ("extends: {a: b}", ["extends:", "must be text"]),
        ("players: {max: 9}", ["players.max", "from 2 to 8"]),
        ("players: {min: 5, max: 4}", ["players:", "min"]),
        ("players: {most: 4}", ["players.most"]),
        ("names: {hous: [a, b]}", ["names.hous", "did you mean 'house'?"]),
        ("names: {house: hut}", ["names.house", "list of 2"]),
        ("names: {house: [hut]}", ["names.house", "list of 2"]),
        ("names: {house: [yes, no]}", ["names.house", "put it in quotes"]),
        ("names: {spaces: {bordwalk: x}}", ["names.spaces.bordwalk", "'boardwalk'"]),
        ('names: {jail_card: "a\\nb"}', ["names.jail_card", "printable"]),
        ("names: {groups: {purple: x}}", ["names.groups.purple"]),
        ("names: {decks: {chances: x}}", ["names.decks.chances", "'chance'"]),
        ("names: {currency: {symbol: 3}}", ["names.currency.symbol", "quotes"]),
        ("board: {boardwalk: {pric: 1}}", ["board.boardwalk.pric", "'price'"]),
        ("board: {boardwalk: {price: -1}}", ["board.boardwalk.price", "from 0"]),
        ("board: {boardwalk: {rent: [1, 2]}}", ["board.boardwalk.rent", "list of 6", "not 2"]),
        (
            "board: {boardwalk: {group: green}}",
            ["board.boardwalk.group", "dark_blue", "park_place"],
        ),
        ("board: {reading: {rent: [1, 2]}}", ["board.reading.rent"]),
        ("board: {reading: 200}", ["board.reading", "mapping"]),
        ("board: {go: {price: 1}}", ["board.go", "28 deeds"]),
        ("board: {income_tax: {group: red}}", ["board.income_tax.group"]),
        ("board: {mayfair: {price: 1}}", ["board.mayfair"]),
        ("decks: {chest: [cc_gone]}", ["decks.chest.cc_gone"]),
        ("decks: {chest: [cc_go, cc_go]}", ["decks.chest", "cc_go", "more than once"]),
        ("decks: {chest: [ch_go]}", ["decks.chest", "ch_go", "twice"]),
        ("decks: {chest: []}", ["decks.chest", "1 to 16"]),
        ("decks: {chest: cc_go}", ["decks.chest", "list"]),
        ("decks: {chest: [cc_goojf]}", ["decks.chest", "neither"]),
        ("decks: {luck: [cc_go]}", ["decks.luck"]),
        ("cards: {cc_gone: {amount: 1}}", ["cards.cc_gone"]),
        ("cards: {cc_go: {kind: fly}}", ["cards.cc_go.kind", "fly"]),
        ("cards: {cc_go: {kind: 19}}", ["cards.cc_go.kind", "19"]),
        ("cards: {cc_go: {kind: pay}}", ["cards.cc_go", "must say its amount"]),
        ("cards: {cc_go: {kind: move_to}}", ["cards.cc_go", "must say its square"]),
        ("cards: {cc_go: {square: 40}}", ["cards.cc_go.square", "from 0 to 39"]),
        ("cards: {cc_go: {label: '{amont}'}}", ["cards.cc_go.label.amont", "'amount'"]),
        ("cards: {cc_go: {label: '{amount'}}", ["cards.cc_go.label", "brace"]),
        ("modes: {short: {salery: 1}}", ["modes.short.salery"]),
        ("modes: {short: 5}", ["modes.short", "mapping"]),
        ("sources: {salery: x}", ["sources.salery"]),
        ("optional_rules: {power_double: x}", ["optional_rules.power_double"]),
        ("house_rules: {salary: 5}", ["house_rules.salary", "mapping"]),
        ("house_rules: {salary: {value: 5}}", ["house_rules.salary", "say"]),
        ("yes: 1", ["keys must be text"]),
        ("a: b: c", ["line 2", "YAML"]),
        ("year: 2001-13-45", ["YAML"]),
        ("year: !!int x", ["YAML"]),
        ("year: !!timestamp x", ["YAML"]),
        ("year: !!bool x", ["YAML"]),
        ("year: !!python/object:os.system x", ["YAML"]),
        ("year: " + "9" * 5000, ["mine.yaml"]),
        ("names: &a {house: *a}", ["names.house"]),
        ("names: &a [*a]", ["names"]),
        ("? [a]\n: b", ["mine.yaml"]),
        ("<<: 5", ["YAML"]),
        ("rules: !!map [a]", ["mine.yaml"]),
        ("title: \0", ["YAML"]),
        ("x: " + "[" * 5000, ["YAML"]),
    ],
)
def test_a_file_that_does_not_fit(write, text: str, words: list[str]):
    head = "" if text.startswith("extends") else "extends: classic\n"
    path = write(head + text)
    message = fails(path)
    assert message.startswith(f"{path}: ")
    for word in words:
        assert word in message


@pytest.mark.parametrize("content", [b"", b"5", b"[1]", b"\xff\xfe\x00", b"\x80", b"- a", b"'"])
def test_a_file_that_is_no_mapping(tmp_path: Path, content: bytes):
    path = tmp_path / "odd.yaml"
    path.write_bytes(content)
    assert fails(path).startswith(f"{path}: ")


def test_a_file_that_cannot_be_read(tmp_path: Path):
    (tmp_path / "folder.yaml").mkdir()
    assert "no file" in fails(tmp_path / "folder.yaml")
    big = tmp_path / "big.yaml"
    big.write_text("# " + "x" * 1_000_001, encoding="utf-8")
    assert "bytes" in fails(big)


def test_an_extends_loop_over_two_files(write):
    write("extends: two.yaml", "one.yaml")
    assert "circle" in fails(write("extends: one.yaml", "two.yaml"))


# Anything a YAML file may hold, near what an edition holds.
WORDS = st.sampled_from(
    "id title extends names rules modes board decks cards house spaces boardwalk chest chance "
    "ch_go value source salary price rent short standard classic kind label amount steps {x} {".split()
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | SCALARS, inner, max_size=4),
    max_leaves=12,
)
SECTIONS = st.sampled_from(
    "id title year extends players names rules modes optional_rules house_rules sources board "
    "decks cards".split()
)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(raw=st.dictionaries(SECTIONS, ANYTHING, max_size=3), classic=st.booleans())
@example(raw={"rules": {"salary": float("nan")}}, classic=True)
def test_any_file_loads_or_gives_one_line(tmp_path: Path, raw: dict, classic: bool):
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(raw | ({"extends": "classic"} if classic else {})), "utf-8")
    edition = edition_or_message(path)
    assert edition.isprintable() if isinstance(edition, str) else edition.describe()


@settings(max_examples=300)
@given(raw=st.dictionaries(st.sampled_from([*FIELDS, "windows", "max_players"]), ANYTHING))
def test_any_overrides_load_or_give_one_line(raw: dict):
    edition = edition_or_message(rules=raw)
    if isinstance(edition, str):
        assert edition.isprintable()
    else:
        assert load_edition(rules=edition.overrides).rules.tobytes() == edition.rules.tobytes()


# --- for people ---


def test_differences_name_both_sides():
    found = {d.key: d for d in load_edition("classic").differences(load_edition(P))}
    assert (found["rent_deadline"].left, found["rent_deadline"].right) == ("1", "2")
    assert (found["luxury_tax.tax"].left, found["luxury_tax.tax"].right) == ("100", "75")
    assert (found["income_tax.tax_percent"].right) == "10 %"
    assert found["chest.cc_opera"].right == "collect_each 50"
    assert found["chest.cc_birthday"].right == ""
    assert found["house"].right == "Poké Center"
    assert "salary" not in found
    assert "boardwalk.price" not in found


def test_three_books_of_one_text_differ_in_names_and_players_only():
    books = [load_edition(id_) for id_ in SHARED]
    for other in books[1:]:
        found = books[0].differences(other)
        assert {d.part for d in found} == {"rules", "names"}
        assert [d.key for d in found if d.part == "rules"] == ["players"]
        assert books[0].rules.tobytes() == other.rules.tobytes()


@pytest.mark.parametrize("id_", IDS)
def test_an_edition_does_not_differ_from_itself(id_: str):
    assert load_edition(id_).differences(load_edition(id_)) == []
    changes = load_edition(id_).differences(load_edition(id_, "short"))
    assert {d.key for d in changes} >= {"mode", "deal_count", "hotel_houses", "end_bankruptcies"}


def test_rows(kanto: Edition):
    rows = {row.name: row for row in kanto.rule_rows()}
    assert rows["start_cash"].text == "₱1,500"
    assert rows["even_building"].text == "yes"
    assert rows["lift_percent"].text == "10 %"
    assert rows["railroad_rent"].text == "₱25 / ₱50 / ₱100 / ₱200"
    assert rows["deals"].text == "steps"
    assert rows["salary"].source == "On your turn, line 120"
    assert rows["salary"].meaning
    board = kanto.board_rows()
    assert [row.id for row in board] == list(SPACE_IDS)
    assert (board[1].name, board[1].group, board[1].group_name) == ("Geodude", "brown", "Brock")
    assert (board[0].price, board[5].rent, board[4].tax) == (None, None, 200)
    house_rules = {row.name: row.text for row in kanto.house_rule_rows()}
    assert house_rules["landing_bonus"] == "₱200"
    assert kanto.describe()["decks"][CHEST][0]["id"] == "cc_go"


@pytest.fixture
def kanto() -> Edition:
    return load_edition("kanto2014")
