"""Rollouts are fair and repeatable, and the best candidates stay."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_agents.search.agent import workspace_under
from monopoly_agents.search.candidates import MAX_CANDIDATES
from monopoly_agents.search.rollouts import (
    LEAST_BUDGET,
    Workspace,
    best_candidate,
    keep_best,
    own_choice,
    roll_out,
    sequential_halving,
)

from monopoly_env.engine.actions import IDS
from monopoly_env.view import View
from tests.agents.positions import Given, buying, seated


def workspace_for(given: Given, samples: int = 64) -> tuple[Workspace, int]:
    """A workspace for a position in which the trader has made its choice, and the candidates."""
    game = seated(given)
    view = View.of(game)
    workspace = workspace_under(view.edition.rules, samples)
    workspace.games[0] = view.games[0]
    workspace.own_view["mask"][0] = view.mask
    return workspace, own_choice(workspace)


def test_the_same_action_meets_the_same_luck() -> None:
    workspace, _ = workspace_for(buying("new_york", 900))
    workspace.actions[1] = workspace.actions[0]
    roll_out(workspace, 2, 0, 12, 5)
    assert np.array_equal(workspace.values[0, :12], workspace.values[1, :12])
    assert len(set(workspace.values[0, :12].tolist())) > 3
    assert np.all((workspace.values[0, :12] >= 0) & (workspace.values[0, :12] <= 1))


def test_trying_leaves_the_position_alone() -> None:
    workspace, count = workspace_for(buying("new_york", 900))
    before = workspace.games[:1].tobytes()
    sequential_halving(workspace, count, 40, 1)
    assert workspace.games[:1].tobytes() == before


def test_the_own_choice_stands_unless_another_is_surely_better() -> None:
    workspace, _ = workspace_for(buying("new_york", 900))
    rng = np.random.default_rng(1)
    workspace.actions[:3] = IDS["buy"], IDS["auction"], IDS["pass"]
    workspace.values[0, :40] = 0.5
    workspace.values[1, :40] = 0.5 + rng.normal(0, 0.1, 40) - 0.05
    workspace.values[2, :40] = 0.5 + np.tile([0.3, -0.3], 20)
    assert best_candidate(workspace, 3, 40) == IDS["buy"]
    better = workspace.actions[:3].tolist().index(IDS["auction"])
    workspace.values[better, :40] += 0.2
    assert best_candidate(workspace, 3, 40) == IDS["auction"]


def test_the_best_stay_when_candidates_drop_out() -> None:
    workspace, _ = workspace_for(buying("new_york", 900))
    workspace.actions[:5] = np.arange(5)
    workspace.values[:5, :8] = np.array([[0.5], [0.1], [0.9], [0.2], [0.7]])
    keep_best(workspace, 5, 3, 8)
    assert workspace.actions[:3].tolist() == [0, 2, 4]
    assert sorted(workspace.actions[:5].tolist()) == [0, 1, 2, 3, 4]
    assert workspace.values[:3, 0].tolist() == [0.5, 0.9, 0.7]
    assert workspace.values.shape[0] == MAX_CANDIDATES


@pytest.mark.parametrize("budget", [LEAST_BUDGET, 5, 7, 13, 40, 100])
def test_no_more_rollouts_than_the_budget(budget: int) -> None:
    """And at least two of two candidates, so that their difference has a standard error."""
    workspace, _ = workspace_for(buying("new_york", 900))
    workspace.actions[:] = workspace.actions[0]
    for count in range(2, MAX_CANDIDATES + 1):
        workspace.values[:] = np.nan
        sequential_halving(workspace, count, budget, 1)
        done = np.isfinite(workspace.values)
        assert done.sum() <= budget
        assert done[:2, :2].all()
