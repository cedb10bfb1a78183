"""What is typed behind a tournament's options, as settings."""

from __future__ import annotations

import pytest
from monopoly_training.cli_options.tournament import (
    free_folder,
    hypotheses,
    kept_games,
    tournament_config,
    verdict,
)
from monopoly_training.stats.sprt import Sprt, Trial
from monopoly_training.tournament.ledger import Ledger

from monopoly_env.errors import InputError

HEADER = {"config": {"games": 8, "agents": ("a", "b")}, "code": {"version": "1"}}


def test_options_lie_over_the_config() -> None:
    options = {"agents": "random, fixed_a", "rules": ["deals=off"], "records": "all", "seats": None}
    config = tournament_config("tournament", "default", options)
    assert config.agents == ("random", "fixed_a")
    assert config.rules == {"deals": "off"}
    assert config.records is None
    assert tournament_config("tournament", None, options) == config
    with pytest.raises(InputError, match="generate: name a config, or the bots: --agents"):
        tournament_config("generate", None, {"agents": None, "games": 4})


def test_kept_games() -> None:
    assert [kept_games(text) for text in ("all", "none", "7")] == [None, 0, 7]
    with pytest.raises(InputError, match="--records: must be a number, all or none"):
        kept_games("-1")


def test_hypotheses() -> None:
    assert hypotheses("0.3") == {"enabled": True, "p1": 0.3}
    assert hypotheses("0.2,0.3") == {"enabled": True, "p0": 0.2, "p1": 0.3}
    with pytest.raises(InputError, match="--sprt: must be p1 or p0,p1"):
        hypotheses("0.2,high")


def test_a_verdict_is_a_line() -> None:
    trial = Trial(Sprt(0.25, 0.3), seeds=2, games=8)
    question = "Does random win a share p0 = 0.250 or p1 = 0.300 of its games?"
    assert verdict(question, trial) == f"{question} After 8 games of 2 seeds: undecided"
    trial.decided = "p1"
    assert verdict(question, trial).endswith("After 8 games of 2 seeds: p1 is decided")


def test_tournaments_that_name_no_folder_do_not_replace_each_other(tmp_path):
    first = tmp_path / "tournament"
    assert free_folder(first, resume=True) == first
    for name in ("tournament", "tournament-2"):
        folder = free_folder(first, resume=False)
        assert folder == tmp_path / name
        with Ledger(folder, HEADER, resume=False) as ledger:
            ledger.end()
        assert free_folder(first, resume=True) == folder
    assert free_folder(first, resume=False) == tmp_path / "tournament-3"
