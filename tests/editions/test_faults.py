"""Edition files that do not fit: one line that names the file, the key and the remedy."""

from pathlib import Path

import pytest
import yaml
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from monopoly_env.editions import load_edition
from tests.editions.books import ANYTHING, edition_or_message, fails

pytestmark = pytest.mark.promise("bad_input")

SECTIONS = st.sampled_from(
    "id title year extends players names rules modes optional_rules house_rules sources board "
    "decks cards".split()
)


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
        ("extends: mine.yaml", ["extends:", "circular"]),
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
        ("board: {reading: {rent: [1, 2]}}", ["board.reading.rent", "it has price, mortgage"]),
        ("board: {boardwalk: {price: 60.5}}", ["board.boardwalk.price", "whole number", "60.5"]),
        ("rules: {salary: 010}", ["line 2", "'010'", "base 8", "write it in base 10"]),
        ("rules: {salary: 1:30}", ["line 2", "'1:30'", "base 60", "write it in base 10"]),
        ("rules: {salary: 1:30.5}", ["line 2", "'1:30.5'", "base 60"]),
        ("title: 12:30", ["line 2", "in quotes if it is text"]),
        ("rules: {tax: 75}", ["rules.tax", "{income_tax: ...}"]),
        ("names: {spaces: {boardwalk: null}}", ["names.spaces.boardwalk", "leave the key out"]),
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
        ("names: &a {house: *a}", ["line 2", "refers to itself"]),
        ("names: &a [*a]", ["line 2", "refers to itself"]),
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


def test_numbers_that_look_like_what_they_are(write):
    text = (
        "extends: classic\ntitle: '12:30'\nrules: {salary: 1_000, start_cash: 0x10, jail_fine: 0}"
    )
    edition = load_edition(write(text))
    assert edition.title == "12:30"
    assert [edition.value(name) for name in ("salary", "start_cash", "jail_fine")] == [1000, 16, 0]


def test_a_file_in_another_encoding(tmp_path: Path):
    path = tmp_path / "latin.yaml"
    path.write_bytes("extends: classic\ntitle: Château".encode("latin-1"))
    assert "save it as UTF-8 text" in fails(path)


def test_a_file_that_cannot_be_read(tmp_path: Path):
    (tmp_path / "folder.yaml").mkdir()
    assert "no file" in fails(tmp_path / "folder.yaml")
    big = tmp_path / "big.yaml"
    big.write_text("# " + "x" * 1_000_001, encoding="utf-8")
    assert "bytes" in fails(big)


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=300)
@given(raw=st.dictionaries(SECTIONS, ANYTHING, max_size=3), classic=st.booleans())
@example(raw={"rules": {"salary": float("nan")}}, classic=True)
def test_any_file_loads_or_gives_one_line(tmp_path: Path, raw: dict, classic: bool):
    path = tmp_path / "any.yaml"
    path.write_text(yaml.safe_dump(raw | ({"extends": "classic"} if classic else {})), "utf-8")
    edition = edition_or_message(path)
    assert edition.isprintable() if isinstance(edition, str) else edition.describe()
