"""What a rule case expects: the first difference is named."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.cases.example import changed, misfit_of, outcome_of


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
        ("expect.legal", ["roll"], "roll should be legal, but: not possible in this phase"),
        ("expect.illegal", ["end_turn"], "end_turn should not be legal for A (END)"),
        ("expect.bottom", {"chance": "ch_go"}, "bottom.chance: should be ch_go, is ch_small_fine"),
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


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
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
    ],
)
def test_an_expectation_that_does_not_fit_names_its_key(
    tmp_path: Path, path: str, value: Any, says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert says in misfit_of(tmp_path, changed(path, value), capsys)
