"""Every rule case holds in every edition it names; cases that do not fit say so in one line."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest
import yaml
from monopoly_training.cli import main

from monopoly_env.cases import Case, Outcome, load_cases, run_case, run_paths
from monopoly_env.errors import CaseError

FOLDERS = [Path(__file__).parent / name for name in ("cases", "more")]
FILES = sorted(file for folder in FOLDERS for file in folder.glob("*.yaml"))


def cases_of(file: Path) -> list[Case]:
    return load_cases(file)


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.stem)
def test_rule_cases_hold(file: Path) -> None:
    outcomes = [run_case(case, name) for case in cases_of(file) for name in case.editions]
    assert outcomes
    assert [str(outcome) for outcome in outcomes if outcome.problem] == []


def test_every_rule_book_and_mode_has_cases() -> None:
    seen = {
        (name, case.mode) for file in FILES for case in cases_of(file) for name in case.editions
    }
    names = ("classic", "kanto2014", "pokemon1999", "pokemon_fr2000", "nintendo2010", "yugioh2016")
    assert {name for name, _ in seen} == set(names)
    assert {mode for _, mode in seen} == {"standard", "short", "time_limit"}


# --- failures ---

AUCTION: dict[str, Any] = {
    "id": "decliner_bids",
    "editions": ["classic", "kanto2014"],
    "say": "the player who declined may bid",
    "given": {
        "players": 3,
        "turn": "A",
        "A": {"at": "go", "cash": 500},
        "B": {
            "deeds": ["mediterranean", "baltic", "reading*"],
            "buildings": {"baltic": 1},
            "cards": ["card_chest"],
        },
        "C": {"jail": 1},
        "bank": {"houses": 2, "hotels": 12},
        "doubles": 0,
        "rounds": 0,
    },
    "dice": [[2, 4], [6, 4]],
    "chance": ["ch_go"],
    "chest": ["cc_doctor"],
    "do": [
        "A roll",
        "A auction",
        "B raise:20",
        "C pass",
        {"expect": {"phase": "AUCTION", "actor": "A"}},
        "A raise:20",
        "B pass",
    ],
    "expect": {"A": {"cash": 460, "has": ["oriental"]}, "actor": "A"},
}


def written(tmp_path: Path, *cases: Any) -> Path:
    file = tmp_path / "cases.yaml"
    file.write_text(yaml.safe_dump(list(cases)), encoding="utf-8")
    return file


def changed(path: str, value: Any) -> dict[str, Any]:
    """The auction case with one entry replaced, or taken away if ``value`` is None."""
    case: Any = copy.deepcopy(AUCTION)
    *parents, last = path.split(".")
    here = case
    for key in parents:
        here = here[int(key)] if isinstance(here, list) else here[key]
    if value is None:
        del here[last]
    else:
        here[int(last) if isinstance(here, list) else last] = value
    result: dict[str, Any] = case
    return result


def outcome_of(tmp_path: Path, case: dict[str, Any]) -> Outcome:
    (loaded,) = load_cases(written(tmp_path, case))
    return run_case(loaded, "classic")


def test_the_example_passes(tmp_path: Path) -> None:
    assert outcome_of(tmp_path, AUCTION).problem == ""


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("expect.A.cash", 461, "expect: A.cash: should be 461, is 460"),
        ("expect.A.has", ["oriental", "vermont"], "A.has: should have vermont"),
        ("expect.A", {"lacks": ["oriental"]}, "A.lacks: should not have oriental"),
        ("expect.A", {"deeds": ["oriental*"]}, "A.deeds: should be [oriental*], is [oriental]"),
        ("expect.A", {"mortgaged": ["oriental"]}, "A.mortgaged: should have oriental"),
        ("expect.A", {"open": ["vermont"]}, "A.open: should have vermont"),
        ("expect.A", {"worth": 1}, "A.worth: should be 1, is 560"),
        ("expect.A", {"at": "go"}, "A.at: should be go, is oriental"),
        ("expect.A", {"jail": True}, "A.jail: should be True, is False"),
        ("expect.A", {"jail": 0}, "A.jail: should be 0, is not in Jail"),
        ("expect.A", {"cards": ["card_chest"]}, "A.cards: should be [card_chest], is []"),
        ("expect.A", {"out": True}, "A.out: should be True, is False"),
        ("expect.B", {"buildings": {"baltic": 2}}, "baltic should have 2, has 1"),
        ("expect.C", {"jail": False}, "C.jail: should be False, is True"),
        ("expect.C", {"jail": 0}, "C.jail: should be 0, is 1"),
        ("expect.bank", {"houses": 3}, "bank.houses: should be 3, is 2"),
        ("expect.bank", {"has": ["oriental"]}, "bank.has: should have oriental"),
        ("expect.turn", "B", "turn: should be B, is A"),
        ("expect.actor", "B", "actor: should be B, is A"),
        ("expect.phase", "TURN", "phase: should be TURN, is END"),
        ("expect.over", True, "over: should be True, is False"),
        ("expect.winner", "A", "winner: should be [A], is []"),
        ("expect.standings", ["A", "B", "C"], "standings: should be [A, B, C], is [B, C, A]"),
        ("expect.legal", ["roll"], "roll should be legal, but: not a choice of the decision"),
        ("expect.illegal", ["end_turn"], "end_turn should not be legal for A (END)"),
        ("expect.bottom", {"chance": "ch_go"}, "bottom.chance: should be ch_go, is ch_small_fine"),
        ("do.4.expect.actor", "B", "do 5, expect: actor: should be B, is A"),
        ("dice", [], "do 1 (A roll): a throw is made, and the case has no dice left"),
        ("do.0", "B roll", "do 1 (B roll): is not possible: A decides, TURN; legal: roll, deal:B"),
        (
            "do.5",
            "A raise:500",
            "A raise:500): is not possible (in AUCTION: not enough cash): B decides",
        ),
    ],
)
def test_a_failure_names_the_first_difference(
    tmp_path: Path, path: str, value: Any, says: str
) -> None:
    outcome = outcome_of(tmp_path, changed(path, value))
    assert says in outcome.problem
    assert not outcome.misfit


def test_what_can_never_be_legal_may_be_named_illegal(tmp_path: Path) -> None:
    never = ["to:jail", "attack:reading", "sell:reading", "deal:A", "raise:3", "mortgage:go"]
    assert outcome_of(tmp_path, changed("expect.illegal", never)).problem == ""


def test_windows_are_passed_over(tmp_path: Path) -> None:
    case = changed("do", ["A roll", "A buy", "B roll", "B end_turn", "C roll"])
    case["dice"] = [[2, 4], [2, 3], [1, 2]]
    case["expect"] = {"turn": "C", "C": {"jail": 2}}
    assert outcome_of(tmp_path, case).problem == ""


# --- what does not fit ---

MISFITS: list[tuple[str, Any, str]] = [
    ("nonsense", 1, "decliner_bids.nonsense: there is no such key"),
    ("mode", "long", "decliner_bids: classic: has no mode 'long'"),
    ("mode", 3, "decliner_bids.mode: must be text"),
    ("rules", {"salry": 3}, "salry: there is no such rule; did you mean 'salary'"),
    ("rules", {"power_doubles": True}, "classic has no such optional rule"),
    ("rules", [1], "decliner_bids.rules: must be a mapping"),
    ("editions", ["clasic"], "editions.clasic: there is no such edition; did you mean 'classic'"),
    ("editions", [], "editions: names none"),
    ("editions", "classic", "editions: must be a list"),
    ("say", 7, "say: must be text"),
    ("given", None, "given.players: is missing"),
    ("given.players", 9, "given.players: must be from 2 to 8, not 9"),
    ("given.players", "3", "given.players: must be a whole number"),
    ("given.players", True, "given.players: must be a whole number"),
    ("given.turn", "D", "given.turn: must be a player, one of A, B, C, not 'D'"),
    ("given.D", {"cash": 1}, "given.D: there is no such key"),
    ("given.pot", 1, "given.pot: there is no such key"),
    ("given.A.cash", -1, "given.A.cash: must be from 0"),
    ("given.A.cash", 1.5, "given.A.cash: must be a whole number"),
    ("given.A.cahs", 1, "given.A.cahs: there is no such key; did you mean 'cash'"),
    ("given.A.at", "boardwlak", "given.A.at.boardwlak: there is no such space; did you mean"),
    ("given.A.at", 7, "given.A.at.7: there is no such space"),
    ("given.A.at", "go_to_jail", "the rules cannot reach this position"),
    ("given.A.deeds", ["baltic"], "given.B.deeds: baltic belongs to A already"),
    ("given.A.deeds", ["go"], "given.A.deeds: go is not a deed"),
    ("given.A.deeds", "oriental", "given.A.deeds: must be a list"),
    ("given.A.buildings", {"oriental": 1}, "oriental: A does not own it"),
    ("given.A.buildings", {"reading": 1}, "given.A.buildings: reading is not a street"),
    ("given.A.cards", ["card_chest"], "given.B.cards: card_chest is held by A already"),
    ("given.A.cards", ["card"], "given.A.cards.card: there is no such card to keep"),
    ("given.A.out", 1, "given.A.out: must be true or false"),
    ("given.B.out", True, "a player who is out has cash or deeds"),
    ("given.A", {"out": True}, "given.turn: A is out of the game; name another player"),
    ("given.C", {"jail": 3}, "given.C.jail: must be from 0 to 2, not 3"),
    ("given.C", {"jail": 1, "at": "go"}, "given.C.at: must be jail"),
    ("given.B.buildings", {"baltic": 2}, "a group is built unevenly"),
    ("given.B.buildings", {"baltic": 6}, "given.B.buildings.baltic: must be from 1 to 5"),
    ("given.B.deeds", ["mediterranean*", "baltic"], "mortgaged in a group with buildings"),
    ("given.B.deeds", ["baltic"], "buildings stand outside complete groups"),
    ("given.bank", {"house": 1}, "given.bank.house: there is no such key"),
    ("given.bank.houses", -1, "given.bank.houses: must be from 0"),
    ("given.doubles", 3, "given.doubles: must be from 0 to 2"),
    ("given.rounds", "1", "given.rounds: must be a whole number"),
    ("given.deal", {}, "given.deal: there is no such key"),
    ("given.start", True, "there is no such key beside start"),
    ("dice", [[2, 7]], "dice.1: must be from 1 to 6, not 7"),
    ("dice", [[2]], "dice.1: must be a throw such as [2, 4]"),
    ("dice", [2, 4], "dice.1: must be a throw"),
    ("dice", [[1, 2]] * 97, "dice: must be a list of up to 96 throws"),
    ("chance", ["cc_doctor"], "chance.cc_doctor: there is no such card in this edition's deck"),
    ("chest", ["cc_opera"], "chest.cc_opera: there is no such card in this edition's deck"),
    ("chest", ["cc_goojf"], "chest: cc_goojf is held by B"),
    ("chest", ["cc_doctor", "cc_doctor"], "chest: cc_doctor is there twice"),
    ("do", "A roll", "do: must be a list of lines"),
    ("do.0", "roll", "do.1: must be a player and an action"),
    ("do.0", "D roll", "do.1: must be a player, one of A, B, C"),
    ("do.0", "A fly", "do.1: no action 'fly'"),
    ("do.0", "A build:boardwlak", "do.1: 'build:boardwlak': no street"),
    ("do.0", 3, "do.1: must be a mapping"),
    ("do.0", {"expects": {}}, "do.1.expects: there is no such key"),
    ("do.4.expect", {}, "do.5.expect: expects nothing"),
    ("expect.A.hsa", ["oriental"], "expect.A.hsa: there is no such key; did you mean 'has'"),
    ("expect.A.has", ["orental"], "expect.A.has.orental: there is no such space; did you mean"),
    ("expect.A.cash", "460", "expect.A.cash: must be a whole number"),
    ("expect.D", {"cash": 1}, "expect.D: there is no such key"),
    ("expect.phase", "SLEEP", "expect.phase.'SLEEP': there is no such phase"),
    ("expect.legal", ["fly"], "expect.legal: no action 'fly'"),
    ("expect.illegal", "roll", "expect.illegal: must be a list"),
    ("expect.standings", ["A", "B"], "expect.standings: must name each of A, B, C once"),
    ("expect.bottom", {"chance": "no"}, "expect.bottom.chance.'no': there is no such card"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "value", "says"), MISFITS)
def test_a_misfit_names_file_case_and_key(
    tmp_path: Path, path: str, value: Any, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    file = written(tmp_path, changed(path, value))
    assert main(["cases", str(file), "--editions", "classic"]) == 2
    captured = capsys.readouterr()
    lines = captured.err.splitlines()
    assert len(lines) == 1
    assert lines[0].startswith(f"error: {file}: decliner_bids")
    assert says in lines[0]
    assert captured.out.splitlines()[-1] == "0 passed, 0 failed"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must be a list of cases"),
        ("[]", "must be a list of cases"),
        ("a: 1", "must be a list of cases"),
        ("- roll", "case 1: must be a mapping with an id"),
        ("- say: x", "case 1.id: is missing"),
        ("- id: [1]", "case 1.id: must be text"),
        ("- id: x\n  id: y", "is not valid YAML: line 2: the key 'id' stands twice"),
        ("- {id: x, given: {players: 2}}", "x: does nothing and expects nothing"),
        ("- [", "is not valid YAML"),
        ("- id: x\n  given: {players: 2}\n  do: [A roll]\n" * 2, "x.id: stands twice in this file"),
        ("\x00", "is not valid YAML"),
        ("- !!python/object:os.system {}", "is not valid YAML"),
    ],
)
def test_a_file_that_is_no_list_of_cases(tmp_path: Path, text: str, says: str) -> None:
    file = tmp_path / "odd.yaml"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(CaseError) as caught:
        load_cases(file)
    assert str(caught.value).startswith(f"{file}: ")
    assert says in str(caught.value)
    assert "\n" not in str(caught.value)


# --- starting a game, and the command ---


def test_a_dealt_start(tmp_path: Path) -> None:
    case: dict[str, Any] = {
        "id": "dealt",
        "mode": "short",
        "given": {
            "players": 2,
            "start": True,
            "deal": {"A": ["baltic", "reading", "water"], "B": ["bno", "states", "virginia"]},
        },
        "dice": [[1, 2], [6, 5]],
        "expect": {"actor": "B", "A": {"cash": 1500, "deeds": ["baltic", "reading", "water"]}},
    }
    assert outcome_of(tmp_path, case).problem == ""
    case["given"]["deal"]["A"] = ["baltic"]
    assert "given.deal.A: this mode deals 3 deeds" in outcome_of(tmp_path, case).problem
    case["given"]["deal"]["A"] = ["baltic", "reading", "bno"]
    assert "bno is dealt twice" in outcome_of(tmp_path, case).problem
    case["given"]["deal"] = {"C": []}
    assert "given.deal.C" in str(next(iter(run_paths([written(tmp_path, case)]))))


def test_too_few_opening_throws(tmp_path: Path) -> None:
    case = {"id": "x", "given": {"players": 2, "start": True}, "dice": [[1, 2]], "do": ["A roll"]}
    assert "opening throws need more dice" in outcome_of(tmp_path, case).problem


def test_the_command_counts_and_exits(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    good = written(tmp_path, AUCTION)
    assert main(["cases", str(good)]) == 0
    assert capsys.readouterr().out == "2 passed, 0 failed\n"

    bad = written(tmp_path, AUCTION, changed("expect.A.cash", 1) | {"id": "wrong"})
    assert main(["cases", str(bad), "--editions", "kanto2014"]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"{bad}: wrong [kanto2014]: expect: A.cash: should be 1, is 460"
    assert lines[1] == "1 passed, 1 failed"

    assert main(["cases", str(tmp_path / "nosuch")]) == 2
    assert main(["cases", str(good), "--editions", "clasic"]) == 2
    captured = capsys.readouterr()
    assert "there is no such file or folder" in captured.err
    assert "did you mean 'classic'" in captured.err


def test_an_empty_folder(tmp_path: Path) -> None:
    (problem,) = run_paths([tmp_path])
    assert str(problem) == f"{tmp_path}: this folder has no .yaml files"
