"""A fuzz run: sound games are told, planted faults are found and cut short."""

from __future__ import annotations

import json
from pathlib import Path
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest
from monopoly_training import cli
from monopoly_training.fuzz import run as runs
from monopoly_training.fuzz.cases import Case, Failure, Seen, Table, play_case
from monopoly_training.fuzz.checks import Fault, check_action, check_closely, check_position
from monopoly_training.fuzz.report import story, transcript
from monopoly_training.fuzz.run import Outcome, Plan, fuzz
from monopoly_training.fuzz.samples import CHECKS, Sample
from monopoly_training.fuzz.settings import Setting, draw
from monopoly_training.fuzz.styles import STYLES

from monopoly_env.editions import editions, is_generated
from monopoly_env.editions.generated.spec import Spec
from monopoly_env.editions.loader import SMALL
from monopoly_env.editions.values import BOARD_FIELDS, FIELDS
from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.rules import SWITCHES
from monopoly_env.errors import InputError
from monopoly_env.replay import replay

pytestmark = pytest.mark.promise("rules")

SETTING = Setting("classic", "standard", {}, 3, "trader", groups=True, riches=0, seed=11)
CASE = Case(0, SETTING, 400)


def failure_of(spoiler: Any, case: Case = CASE) -> Failure:
    """The failure that a spoiled game comes to."""
    failure = play_case(case, spoiler)
    assert isinstance(failure, Failure)
    return failure


def same(one: Seen, other: Seen) -> bool:
    """Whether two runs have seen the same."""
    numbers = [(s.cases, s.games, s.decisions) for s in (one, other)]
    assert one.counts.keys() == other.counts.keys()
    rows = zip(one.counts.values(), other.counts.values(), strict=True)
    return numbers[0] == numbers[1] and all(np.array_equal(a, b) for a, b in rows)


# --- sound games ---


def test_the_window_of_a_player_who_goes_bankrupt_in_it_is_over() -> None:
    """A found fault: interest on a deal between turns, under odd prices, ruined the window's player."""
    assert fuzz(Plan(20_000, seed=20261128, first=6773)).failure is None


@pytest.mark.promise("determinism")
def test_the_same_seed_plays_the_same_in_however_many_processes() -> None:
    plan = Plan(60_000, seed=5)
    outcome = fuzz(plan)
    assert outcome.failure is None
    assert outcome.seen.decisions == 60_000
    assert outcome.seen.cases == 3
    assert same(outcome.seen, fuzz(plan).seen)
    assert same(outcome.seen, fuzz(Plan(60_000, seed=5, jobs=2)).seen)
    assert not same(outcome.seen, fuzz(Plan(60_000, seed=6)).seen)


def test_a_run_can_begin_at_any_case_and_end_with_the_time() -> None:
    assert [case.number for case in Plan(50_000, first=7).cases()] == [7, 8, 9]
    assert [case.decisions for case in Plan(50_000).cases()] == [20_000, 20_000, 10_000]
    assert fuzz(Plan(None, minutes=1e-9)).seen.cases == 1
    with pytest.raises(InputError, match="minutes: must be"):
        fuzz(Plan(minutes=float("nan")))


@pytest.mark.promise("resume")
def test_an_interrupt_keeps_what_was_done(monkeypatch: pytest.MonkeyPatch) -> None:
    def stopped(case: Case) -> Seen:
        if case.number == 2:
            raise KeyboardInterrupt
        return Seen(1, 1, case.decisions)

    monkeypatch.setattr(runs, "play_case", stopped)
    outcome = fuzz(Plan(10**9))
    assert outcome.interrupted
    assert outcome.seen.decisions == 40_000


# --- planted faults ---


def test_money_that_is_made_is_found() -> None:
    def spoil(game: Any, taken: int) -> None:
        game["cash"][0] += taken == 37

    failure = failure_of(spoil)
    assert failure.fault is Fault.STATUS
    assert "money was lost or made" in failure.detail
    assert len(failure.actions) == 37


def test_money_that_moves_in_silence_is_found_though_the_sum_is_right() -> None:
    def spoil(game: Any, taken: int) -> None:
        if taken == 12:
            game["cash"][:2] += (-1, 1)

    failure = failure_of(spoil)
    assert failure.fault is Fault.MONEY
    assert len(failure.actions) == 13


def test_a_deed_that_moves_in_silence_is_found() -> None:
    def spoil(game: Any, taken: int) -> None:
        if taken == 20:  # Reading Railroad, on which no buildings stand
            owner = int(game["owner"][5])
            game["owner"][5] = (owner + 1) % 3
            game["owned"][owner] &= ~(1 << 5)
            game["owned"][(owner + 1) % 3] |= 1 << 5

    assert failure_of(spoil).fault is Fault.PROPERTY


def test_a_fault_that_follows_from_the_position_is_traced_to_its_first_cause() -> None:
    """Whoever is in Jail loses a dollar to nobody; the games before that one are left out."""

    def spoil(game: Any, _: int) -> None:
        if game["in_jail"].any():
            game["bank"] += 1

    failure = loads(dumps(failure_of(spoil, Case(0, SETTING, 5000))))
    lines = list(transcript(failure))
    assert failure.repeats
    assert len(lines) == len(failure.actions) <= failure.taken
    assert "Jail" in lines[-1]
    assert not any("goes to Jail" in line for line in lines[:-1])


def test_a_fault_that_does_not_come_again_says_so() -> None:
    times: list[int] = []

    def spoil(game: Any, taken: int) -> None:
        if taken == 9 and not times:
            times.append(taken)
            game["pot"] += 5

    failure = failure_of(spoil)
    assert not failure.repeats
    assert any("suspect memory" in line for line in story(failure, Plan(seed=1)))


@pytest.mark.parametrize("fault", [Fault.POSITION, Fault.RECORD, Fault.COPY])
@pytest.mark.parametrize("raises", [False, True])
def test_what_samples_find_is_cut_short_too(
    fault: Fault, raises: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    def check(sample: Sample) -> str:
        if len(sample.actions) < 5:
            return ""
        if raises:
            raise KeyError("a key")
        return "is wrong"

    monkeypatch.setitem(CHECKS, fault, check)
    failure = failure_of(None, Case(0, SETTING, 100))
    assert failure.fault is fault
    assert failure.detail == ("KeyError: 'a key'" if raises else "is wrong")
    assert len(failure.actions) == 5
    assert failure.taken > 5


def test_a_mask_that_is_wrong_is_found() -> None:
    table = Table(CASE)
    table.play(50)
    game, rules, desk = table.games[0], table.edition.rules[0], table.desk[0]
    assert check_position(game, rules, desk) == Fault.NONE
    assert check_closely(game, rules, desk) == Fault.NONE
    desk["bits"][0] ^= 1  # roll
    assert check_action(game, rules, desk, 0) == Fault.MASK
    assert check_closely(game, rules, desk) == Fault.MASK
    assert TEXTS[desk["detail"]] == "roll"


def test_an_observation_out_of_its_range_is_found() -> None:
    table = Table(CASE)
    table.play(50)
    table.games["dice"] = 7
    failure = check_closely(table.games[0], table.edition.rules[0], table.desk[0])
    assert failure == Fault.OBSERVATION


def test_of_several_failures_the_first_by_number_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def spoil(game: Any, _: int) -> None:
        game["cash"][0] = -1

    failure = failure_of(spoil)

    def played(*_: object) -> Any:
        yield 2, Failure(Case(2, SETTING, 1), failure.fault, "", failure.start, ())
        yield 0, Seen(1, 1, 10)
        yield 1, Failure(Case(1, SETTING, 1), failure.fault, "", failure.start, ())
        yield 3, Seen(1, 1, 10)

    monkeypatch.setattr(runs, "results", played)
    outcome: Outcome = fuzz(Plan(40))
    assert outcome.failure is not None
    assert outcome.failure.case.number == 1
    assert outcome.seen.decisions == 10


# --- the command ---


def test_the_command_tells_what_was_checked(capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main(["fuzz", "--decisions", "500", "--seed", "3"]) == 0
    out = capsys.readouterr().out
    assert out.startswith("500 decisions of ")
    assert "seed 3: all sound" in out
    assert "phases that never came up" in out


def test_the_command_leaves_what_leads_to_a_failure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(sample: Sample) -> str:
        return "is wrong" if len(sample.actions) >= 30 else ""

    monkeypatch.setitem(CHECKS, Fault.POSITION, check)
    arguments = ["--decisions", "1000", "--seed", "3", "--first", "1", "--out", str(tmp_path)]
    assert cli.main(["fuzz", *arguments]) == 1
    out = capsys.readouterr().out
    assert "FAILED in case 1 of seed 3: the position as YAML does not load" in out
    assert "repeat: monopoly-env fuzz --seed 3 --first 1 --decisions 20000" in out
    assert "the shortest prefix that fails has 30 of the" in out
    text = (tmp_path / "fuzz-3-1.txt").read_text(encoding="utf-8")
    assert f"setting: {draw(3, 1)}" in text
    assert "   30 " in text
    assert "the game began with:" in text
    record = json.loads((tmp_path / "fuzz-3-1.jsonl").read_text(encoding="utf-8"))
    assert len(replay(record).history) == 30


# --- settings ---


def test_all_editions_modes_styles_and_rules_are_drawn() -> None:
    settings = [draw(1, number) for number in range(400)]
    drawn_editions = {s.edition for s in settings}
    assert {one for one in drawn_editions if not is_generated(one)} == {*editions(), *SMALL}
    assert sum(is_generated(s.edition) for s in settings) > 30
    assert {s.mode for s in settings} == {"standard", "short", "time_limit"}
    assert {s.style for s in settings} == set(STYLES)
    assert {s.players for s in settings} == set(range(2, 9))
    assert {s.rules["deals"] for s in settings} == {"steps", "menu", "off"}
    drawn = {name for s in settings for name in s.rules}
    assert drawn >= {*SWITCHES, *BOARD_FIELDS, "railroad_rent", "card_amount"}
    assert any(s.riches * s.players > MOST_MONEY * 0.9 for s in settings)


def test_generated_editions_are_played_one_a_case(capsys: pytest.CaptureFixture[str]) -> None:
    cases = list(Plan(2500, seed=4, generated=Spec("train", 7, 9)).cases())
    assert [case.setting.edition for case in cases] == [
        "random:train:7", "random:train:8", "random:train:9",
    ]  # fmt: skip
    assert [case.decisions for case in cases] == [1000, 1000, 500]
    assert not any("price" in case.setting.rules for case in cases)
    assert cli.main(["fuzz", "--edition", "random:train:7-8", "--decisions", "2000"]) == 0
    assert "2,000 decisions of" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--edition", "classic"], "must name generated editions"),
        (["--edition", "random:9-1"], "must go up"),
        (["--edition", "random:train", "--out", "x"], "goes without --out"),
    ],
)
def test_other_editions_are_refused(
    arguments: list[str], says: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert cli.main(["fuzz", *arguments]) == 2
    assert says in capsys.readouterr().err


def test_a_failure_in_a_generated_edition_is_repeated_by_its_edition() -> None:
    failure = failure_of(lambda game, taken: None if taken < 5 else game.__setitem__("pot", 5))
    told = list(story(failure, Plan(seed=1, generated=Spec("test", 0, 9))))
    assert any(line.endswith("--edition random:test:0-9") for line in told)


def test_numbers_are_drawn_from_their_whole_range() -> None:
    settings = [draw(2, number) for number in range(400)]
    for name in ("salary", "jail_fine", "trade_limit", "lift_percent"):
        values = {s.rules[name] for s in settings if name in s.rules}
        assert {FIELDS[name].low, FIELDS[name].high} <= values
        assert len(values) > 8
    for setting in settings[:60]:
        setting.load()


def test_on_a_small_board_only_its_own_deeds_are_dealt() -> None:
    setting = Setting("mini", "standard", {}, 2, "trader", groups=True, riches=0, seed=11)
    seen = play_case(Case(0, setting, 2_000))
    assert isinstance(seen, Seen)
    assert seen.decisions >= 2_000
