"""Files of rule cases: what does not fit is one line that names file, case and key."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from monopoly_env.cases import load_cases, run_paths
from monopoly_env.errors import CaseError
from tests.cases.example import changed, misfit_of


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        ("nonsense", 1, "decliner_bids.nonsense: there is no such key"),
        ("mode", "long", "decliner_bids: classic: has no mode 'long'"),
        ("mode", 3, "decliner_bids.mode: must be text"),
        ("rules", {"salry": 3}, "salry: there is no such rule; did you mean 'salary'"),
        ("rules", {"power_doubles": True}, "classic has no such optional rule"),
        ("rules", [1], "decliner_bids.rules: must be a mapping"),
        (
            "editions",
            ["clasic"],
            "editions.clasic: there is no such edition; did you mean 'classic'",
        ),
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
        ("chest", ["cc_doctor", "cc_doctor"], "chest: cc_doctor occurs twice"),
        ("do", "A roll", "do: must be a list of lines"),
        ("do.0", "roll", "do.1: must be a player and an action"),
        ("do.0", "D roll", "do.1: must be a player, one of A, B, C"),
        ("do.0", "A fly", "do.1: no action 'fly'"),
        ("do.0", "A build:boardwlak", "do.1: 'build:boardwlak': no street"),
        ("do.0", 3, "do.1: must be a mapping"),
        ("do.0", {"expects": {}}, "do.1.expects: there is no such key"),
    ],
)
def test_a_misfit_names_file_case_and_key(
    tmp_path: Path, path: str, value: Any, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in misfit_of(tmp_path, changed(path, value), capsys)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "must be a list of cases"),
        ("[]", "must be a list of cases"),
        ("a: 1", "must be a list of cases"),
        ("- roll", "case 1: must be a mapping with an id"),
        ("- say: x", "case 1.id: is missing"),
        ("- id: [1]", "case 1.id: must be text"),
        ("- id: x\n  id: y", "is not valid YAML: line 2: the key 'id' occurs twice"),
        ("- {id: x, given: {players: 2}}", "x: does nothing and expects nothing"),
        ("- [", "is not valid YAML"),
        ("- id: x\n  given: {players: 2}\n  do: [A roll]\n" * 2, "x.id: occurs twice in this file"),
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


def test_an_empty_folder(tmp_path: Path) -> None:
    (problem,) = run_paths([tmp_path])
    assert str(problem) == f"{tmp_path}: this folder has no .yaml files"
