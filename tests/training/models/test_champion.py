"""The trained policy that comes with the package."""

from __future__ import annotations

import tomllib
from fnmatch import fnmatch
from pathlib import Path

import pytest
from monopoly_training.evaluation.evaluate import EvaluationSpec, evaluate
from monopoly_training.matches.entrants import entrant, entrants
from monopoly_training.models.model_agent import CHAMPION_FOLDER, model_agent
from monopoly_training.runs.config import load_train_config

from monopoly_env.agent import make_agent
from monopoly_env.envs.options import TableOptions
from monopoly_env.game import Game
from monopoly_env.view import View

MOST_BYTES = 5_000_000
ROOT = Path(__file__).parents[3]
DOCS = ROOT / "docs"


def test_it_is_small_and_no_file_can_hold_code():
    files = [path for path in CHAMPION_FOLDER.iterdir() if path.suffix not in (".py", ".pyc")]
    names = {path.name for path in files if path.is_file()}
    assert names == {"model.json", "model.safetensors"}
    assert sum(path.stat().st_size for path in files if path.is_file()) < MOST_BYTES


def test_its_card_says_how_it_was_made_and_how_good_it_is():
    card = model_agent("champion").model.card
    config = load_train_config("champion")
    assert card["command"] == "monopoly-env train champion"
    assert card["steps"] > 1_000_000
    assert card["hours"] > 0
    assert tuple(card["table"]["decides"]) == config.table.decides
    assert card["table"]["rest"] == config.table.rest
    assert set(card["table"]["leaves"]) == set(config.table.leaves)
    assert [row["command"].split()[:3] for row in card["judged"]] == [
        ["monopoly-env", "evaluate", "champion"]
    ] * 4
    assert card["exploitability"]["command"].startswith("monopoly-env exploit champion")


def test_the_page_of_learning_says_what_the_card_says():
    card, page = model_agent("champion").model.card, (DOCS / "learning.md").read_text("utf-8")
    for row in [*card["judged"], card["exploitability"]]:
        low, high = row["ci95_by_seed"]
        wins = row.get("wins", row.get("win_rate"))
        shown = f"{100 * wins:.1f}%", f"({100 * low:.1f} to {100 * high:.1f})"
        assert all(text in page for text in shown), row["command"]


def test_it_decides_alone_what_it_decides_with_others():
    game, agent = Game(players=4, seed=3), make_agent("champion")
    agent.reset(3)
    for _ in range(120):
        action = agent.decide(View.of(game))
        assert game.legal_mask()[action]
        game.play(action)


@pytest.mark.slow
@pytest.mark.learning
def test_it_beats_three_strategists_more_often_than_chance_says():
    options = TableOptions(num_players=4, skip_forced=True)
    evaluation = evaluate(
        entrant("champion"), entrants(["strategist"] * 3), EvaluationSpec(1200, "random"), options
    )
    assert evaluation.score.ci95[0] > 0.25


def test_it_ships_with_the_package():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    patterns = project["tool"]["setuptools"]["package-data"]["monopoly_training"]
    for name in ("model.json", "model.safetensors"):
        assert any(fnmatch(f"models/champion/{name}", pattern) for pattern in patterns)
