"""Which games of a file stand out."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from monopoly_training.web.games import LEDGER, RECORDS, picks, records_path, summaries

from monopoly_env.engine.journal import Event
from monopoly_env.errors import RecordError
from monopoly_env.records import write_record
from monopoly_env.replay import replay_steps

from .conftest import played


@pytest.fixture(scope="module")
def file(two: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("games") / "games.jsonl"
    for record in (
        two,
        played("strategist", "fixed_a", seed=7),
        played("random", "random", seed=1, rules={"max_turns": 6}),
    ):
        write_record(path, record)
    return path


def test_the_picks_are_what_they_say(file: Path, two: dict[str, Any]) -> None:
    games = summaries(file)
    assert [one.number for one in games] == [1, 2, 3]
    assert games[0].winners == tuple(two["result"]["winners"])
    assert games[0].turns == two["result"]["turns"]
    found = {one.key: one for one in picks(games)}
    assert found["shortest"].summary.turns == min(one.turns for one in games)
    assert found["longest"].summary.turns == max(one.turns for one in games)
    assert found["comeback"].summary.low == min(one.low for one in games)
    assert found["deal"].summary.deal == max(one.deal for one in games)


def test_the_moment_of_a_deal_is_the_one_after_it_was_accepted(file: Path, two: Any) -> None:
    first = summaries(file)[0]
    accepted = {
        moment: sum(
            event.amount
            for event in game.journal()
            if event.kind is Event.PAY and event.square == 11
        )
        for moment, (game, _) in enumerate(replay_steps(two))
        if any(event.kind is Event.ACCEPT for event in game.journal())
    }
    assert first.deal_at in accepted
    assert first.deal >= accepted[first.deal_at] > 0
    assert first.deal_text == f"${first.deal:,}"


def test_a_winner_was_once_as_low_as_it_is_told(file: Path, two: dict[str, Any]) -> None:
    first = summaries(file)[0]
    winner = "AB".index(first.winners[0])
    for moment, (game, _) in enumerate(replay_steps(two)):
        if moment == first.low_at:
            worth = [game.hand(seat).worth for seat in range(2)]
            assert first.low == pytest.approx(worth[winner] / sum(worth))
    assert first.low <= 0.5


def test_games_without_deals_have_no_biggest_one(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    write_record(path, played("random", "random", seed=1, rules={"deals": "off", "max_turns": 8}))
    assert {one.key for one in picks(summaries(path))} == {"shortest", "longest", "comeback"}
    assert picks([]) == []


def test_a_folder_stands_for_its_records(tmp_path: Path) -> None:
    (tmp_path / RECORDS).touch()
    (tmp_path / LEDGER).touch()
    assert records_path(tmp_path) == tmp_path / RECORDS
    assert records_path(tmp_path / LEDGER) == tmp_path / RECORDS
    other = tmp_path / "mine.jsonl"
    assert records_path(other) == other
    (tmp_path / RECORDS).unlink()
    assert records_path(tmp_path / LEDGER) == tmp_path / LEDGER  # a file of games of that name
    with pytest.raises(RecordError, match="there is no records"):
        records_path(tmp_path)
