"""Users' own editions."""

import yaml

from monopoly_env.editions import load_edition
from monopoly_env.editions.loader import FOLDER
from monopoly_env.engine.cards import CARD_IDS
from tests.editions.books import fails


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
        ("board", "boardwalk", "board.boardwalk: lacks price"),
        ("board", "luxury_tax", "board.luxury_tax: lacks tax"),
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


def test_an_extends_loop_over_two_files(write):
    write("extends: two.yaml", "one.yaml")
    assert "circular" in fails(write("extends: one.yaml", "two.yaml"))
