"""The entry points: what Python calls to play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from monopoly_env import Why
from monopoly_env.editions import load_edition
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import IDS, N_ACTIONS, TEXTS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.journal import new_journals
from monopoly_env.engine.state import new_games
from tests.engine.positions import position

RULES = load_edition("classic").rules
NO_JOURNALS = entry_points.NO_JOURNALS


def started(count: int = 1, players: int = 3) -> Any:
    """Games set up from the seeds 1, 2, …"""
    games = new_games(count)
    for index in range(count):
        entry_points.start(games, index, RULES, NO_JOURNALS, players, index + 1)
    return games


def test_a_game_starts_in_its_row_alone() -> None:
    games = new_games(3)
    entry_points.start(games, 1, RULES, NO_JOURNALS, 4, 7)
    assert int(games[1]["players"]) == 4
    assert games[1:2].tobytes() != games[0:1].tobytes()
    assert not games[0:1].tobytes().strip(b"\0")
    assert not games[2:3].tobytes().strip(b"\0")


def test_a_started_game_waits_for_its_first_decision() -> None:
    games = started()
    assert entry_points.status(games, 0, RULES) == 0
    mask = np.zeros(N_ACTIONS, np.int8)
    assert entry_points.legal_mask(games, 0, RULES, mask) == 1
    assert np.flatnonzero(mask).tolist() == [IDS["roll"]]


def test_a_legal_step_returns_nought() -> None:
    games = started()
    assert entry_points.step(games, 0, RULES, NO_JOURNALS, IDS["roll"]) == 0
    assert int(games[0]["decisions"]) == 1


def test_an_illegal_step_returns_the_reason_and_changes_nothing() -> None:
    games = started()
    before = games.tobytes()
    for text, reason in (("buy", Why.WRONG_PHASE), ("build:boardwalk", Why.NOT_OWNED)):
        assert entry_points.step(games, 0, RULES, NO_JOURNALS, IDS[text]) == reason
        assert entry_points.why(games, 0, RULES, IDS[text]) == reason
    for nothing in (-1, N_ACTIONS, 10**6):
        assert entry_points.step(games, 0, RULES, NO_JOURNALS, nothing) == -1
    assert games.tobytes() == before


def test_a_mask_counts_what_it_marks() -> None:
    game = position(A={"deeds": ["water", "reading"]})
    mask = np.zeros(N_ACTIONS, np.int8)
    count = entry_points.legal_mask(game._games, 0, game.edition.rules, mask)
    assert count == mask.sum() == len(game.legal_actions())
    assert [TEXTS[action] for action in np.flatnonzero(mask)] == [
        "roll", "mortgage:reading", "mortgage:water", "deal:left1",
    ]  # fmt: skip


def test_standings_are_places_and_worth() -> None:
    game = position(3, A={"cash": 100, "deeds": ["boardwalk"]}, B={"cash": 500}, C={"cash": 1})
    rank, worth = np.zeros(PLAYERS, np.int8), np.zeros(PLAYERS, np.int64)
    entry_points.standings(game._games, 0, game.edition.rules, rank, worth)
    assert rank.tolist() == [1, 1, 3, 0, 0, 0, 0, 0]
    assert worth[:3].tolist() == [500, 500, 1]


@pytest.mark.promise("isolation")
def test_what_is_hidden_is_wiped() -> None:
    games = started()
    assert int(games[0]["rng"]) != 0
    entry_points.wipe_hidden(games, 0)
    assert int(games[0]["rng"]) == 0
    assert games[0]["deck"][0].tolist() == sorted(games[0]["deck"][0].tolist())


def test_a_journal_is_begun_anew_by_each_step() -> None:
    games, journals = started(), new_journals(1)
    entry_points.step(games, 0, RULES, journals, IDS["roll"])
    first = int(journals[0]["length"])
    assert first > 0
    entry_points.step(games, 0, RULES, journals, IDS["buy"])
    assert int(journals[0]["length"]) == 2  # the price and the deed


def test_one_journal_may_serve_many_games() -> None:
    games, journals = started(3), new_journals(1, on=False)
    assert entry_points.step(games, 2, RULES, journals, IDS["roll"]) == 0
