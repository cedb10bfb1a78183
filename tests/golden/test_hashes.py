"""Bytes are the same in every way to play: alone, in a batch, in threads, processes, plain Python.

Other versions of Python run this file too: ``make test-pythons``.
"""

from __future__ import annotations

import gzip
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.golden import hashes
from tests.golden.hashes import BOT_GAMES, EVERY_SEAT, ONE_SEAT, WAYS, digest, kept, takers

pytestmark = pytest.mark.promise("everywhere", "determinism")

ROOT = Path(__file__).parents[2]
EXPECTED = kept()
ADVICE = (
    "if it is meant: RULES_VERSION or OBSERVATION_VERSION, a line in CHANGELOG.md, "
    "`python -m tests.golden.hashes --write`"
)
# What plain Python can play within seconds.
PLAIN = "games/pokemon1999_time_limit_4,one_seat/brief"


def test_every_hash_is_kept_and_no_other() -> None:
    assert set(EXPECTED) == set(takers())


@pytest.mark.parametrize(
    "name", [name for name in takers() if name.partition("/")[0] in ("actions", "games", "rules")]
)
def test_games_are_what_they_were(name: str) -> None:
    assert digest(takers()[name]()) == EXPECTED[name], ADVICE


@pytest.mark.parametrize("way", WAYS["every_seat"])
@pytest.mark.parametrize("name", EVERY_SEAT)
def test_every_seat_is_shown_the_same_alone_in_a_batch_and_in_threads(name: str, way: str) -> None:
    found = WAYS["every_seat"][way](name)
    assert min(map(len, found)) > 100_000
    assert digest(found) == EXPECTED[f"every_seat/{name}"], ADVICE


@pytest.mark.parametrize("way", WAYS["one_seat"])
@pytest.mark.parametrize("name", ONE_SEAT)
def test_one_seat_is_shown_the_same_alone_in_a_batch_and_in_threads(name: str, way: str) -> None:
    found = WAYS["one_seat"][way](name)
    assert digest(found) == EXPECTED[f"one_seat/{name}"], ADVICE


@pytest.mark.parametrize("name", BOT_GAMES)
def test_bots_play_what_they_played(name: str) -> None:
    assert digest(hashes.outcomes(name)) == EXPECTED[f"bots/{name}"], ADVICE


def test_tournaments_are_the_same_in_one_process_and_in_several(tmp_path: Path) -> None:
    from monopoly_training.matches.workers import WorkOptions
    from monopoly_training.tournament.config import load_tournament_config
    from monopoly_training.tournament.tournament import play_tournament

    settings = {"agents": ["fixed_a", "random"], "games": 80, "rules": {"max_turns": 40}}
    config = load_tournament_config(None, settings)
    found = []
    for jobs in (1, 2):
        result = play_tournament(config, tmp_path / str(jobs), WorkOptions(jobs=jobs))
        records = gzip.decompress((tmp_path / str(jobs) / "records.jsonl.gz").read_bytes())
        found.append((result.as_json() | {"time": None}, sorted(records.splitlines())))
    assert found[0] == found[1]


def test_plain_python_plays_the_same_as_compiled_code() -> None:
    run = subprocess.run(
        [sys.executable, "-m", "tests.golden.hashes", "--only", PLAIN],
        cwd=ROOT,
        env=os.environ | {"NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert run.stdout.startswith("2 of 2 golden hashes equal")


def test_a_difference_is_named(capsys: pytest.CaptureFixture[str], monkeypatch) -> None:
    monkeypatch.setattr(hashes, "kept", lambda: EXPECTED | {"actions": "0" * 32})
    assert hashes.main(["--only", "actions"]) == 1
    assert "differs: actions" in capsys.readouterr().out
    assert hashes.main(["--only", "nothing_of_this_name"]) == 1
