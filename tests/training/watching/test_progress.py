"""What is watched: runs and tournaments as they grow, read while they are written."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.cli import main
from monopoly_training.evaluation.learning_curve import read_curve, write_curve
from monopoly_training.matches.outcome import Outcome
from monopoly_training.matches.schedule import Match
from monopoly_training.runs.saved_games import games_path
from monopoly_training.tournament.ledger import FILE, Ledger
from monopoly_training.watching.progress import progress_of

from monopoly_env.errors import FileError
from monopoly_env.notation import LETTERS
from monopoly_env.records import record_at
from monopoly_env.replay import replay

NEEDS = "needs the extra web"

HEADER = {
    "config": {"games": 4, "agents": ["fixed_a", "random"], "records": 1},
    "code": {"version": "1"},
}


def game(*ranks: int) -> Outcome:
    return Outcome(ranks, (900, 0), 9, 40, False, ((0, 0, 0),) * 2, (0, 0), (0.0, 0.0), 0.5)


def files_of(folder: Path) -> dict[str, bytes]:
    return {str(p): p.read_bytes() for p in sorted(folder.rglob("*")) if p.is_file()}


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    """A tournament of which two games have been played."""
    folder = tmp_path / "cup"
    folder.mkdir()
    with Ledger(folder, HEADER, resume=False) as ledger:
        matches = [Match((0, 1), 0), Match((1, 0), 0)]
        ledger.add(0, [game(1, 2), game(1, 2)], [], matches)
    return folder


def test_standings_count_wins_by_bot_and_not_by_seat(tournament: Path) -> None:
    state = progress_of(tournament)
    assert (state["kind"], state["played"], state["planned"]) == ("tournament", 2, 4)
    assert {row["agent"]: row["rate"] for row in state["standings"]} == {
        "fixed_a": 0.5,
        "random": 0.5,
    }
    assert [one["number"] for one in state["games"]] == [2, 1]
    assert [one["recorded"] for one in state["games"]] == [False, True]
    assert state["games"][0]["winners"] == [0]  # the seat


def test_recorded_games_are_listed_when_newer_ones_are_not_recorded(tmp_path: Path) -> None:
    config = HEADER["config"] | {"games": 39, "records": 7}
    with Ledger(tmp_path, HEADER | {"config": config}, resume=False) as ledger:
        matches = [Match((0, 1), seed) for seed in range(40)]
        ledger.add(0, [game(1, 2)] * 40, [], matches)
    state = progress_of(tmp_path)
    assert state["planned"] == 40  # every seed in both rotations
    assert [one["number"] for one in state["games"]] == list(range(40, 10, -1))
    assert [one["number"] for one in state["saved"]] == list(range(7, 0, -1))
    assert all(one["recorded"] for one in state["saved"])
    assert not any(one["recorded"] for one in state["games"])


def test_a_game_is_listed_once_when_all_are_recorded(tmp_path: Path) -> None:
    config = HEADER["config"] | {"games": 40, "records": None}
    with Ledger(tmp_path, HEADER | {"config": config}, resume=False) as ledger:
        ledger.add(0, [game(1, 2)] * 40, [], [Match((0, 1), seed) for seed in range(40)])
    state = progress_of(tmp_path)
    assert all(one["recorded"] for one in state["games"])
    assert state["saved"] == []


def test_intervals_are_those_of_the_results(tmp_path: Path) -> None:
    assert main(f"tournament --agents fixed_a,random --games 24 --out {tmp_path}/cup".split()) == 0
    results = json.loads((tmp_path / "cup/results.json").read_text())
    rows = {row["agent"]: row for row in results["standings"]}
    for row in progress_of(tmp_path / "cup")["standings"]:
        found = rows[row["agent"]]
        low, high = found["win_rate_by_seed"]
        expected = (low, high) if low < high else found["ci95"]
        assert (row["low"], row["high"]) == pytest.approx(expected, abs=1e-6)


def test_standings_grow_while_the_tournament_goes_on(tournament: Path) -> None:
    with Ledger(tournament, HEADER, resume=True) as ledger:
        ledger.add(1, [game(1, 2)], [], [Match((0, 1), 1)])
        state = progress_of(tournament)  # the ledger is open
        assert (state["played"], state["ended"]) == (3, False)
        assert state["standings"][0] | {"low": 0, "high": 0} == {
            "agent": "fixed_a", "games": 3, "rate": 2 / 3, "low": 0, "high": 0
        }  # fmt: skip
        ledger.end()
    assert progress_of(tournament)["ended"]


def test_a_line_that_is_being_written_is_left_out(tournament: Path) -> None:
    path = tournament / FILE
    whole = path.read_bytes()
    path.write_bytes(whole + b'{"batch":1,"rec')
    assert progress_of(tournament)["played"] == 2
    assert path.read_bytes() == whole + b'{"batch":1,"rec'  # nothing is mended


def test_a_damaged_ledger_is_told_in_the_note(tournament: Path) -> None:
    path = tournament / FILE
    path.write_bytes(path.read_bytes().replace(b'"games":4', b'"games":5'))
    assert "damaged" in progress_of(tournament)["note"]


def test_a_run_is_its_curve(small_run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    points = read_curve(folder)
    write_curve(folder, points[:1])
    assert [point["steps"] for point in progress_of(folder)["points"]] == [0]
    write_curve(folder, points)
    state = progress_of(folder)
    assert [point["steps"] for point in state["points"]] == [0, 256, 512]
    assert state["model"]


def test_a_run_that_has_just_begun_says_so(small_run: Path, tmp_path: Path) -> None:
    (tmp_path / "config.yaml").write_bytes((small_run / "config.yaml").read_bytes())
    state = progress_of(tmp_path)
    assert (state["points"], state["model"]) == ([], False)
    assert "nothing has been evaluated yet" in state["note"]


def test_other_folders_are_refused_in_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(FileError, match="neither a training run nor a tournament"):
        progress_of(tmp_path)
    assert main(["watch", str(tmp_path), "--no-browser"]) == 2
    assert "neither a training run nor a tournament" in capsys.readouterr().err


def test_a_port_that_is_taken_is_refused(
    tournament: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("uvicorn", reason=NEEDS)
    from monopoly_training.serving.app import make_app
    from monopoly_training.serving.guard import Access
    from monopoly_training.serving.server import PageServer

    with PageServer(make_app([], Access()), port=0) as taken:
        port = str(taken.port)
        assert main(["watch", str(tournament), "--no-browser", "--port", port]) == 2
    assert f"--port: cannot serve at 127.0.0.1, port {port}" in capsys.readouterr().err


def client(folder: Path) -> Any:
    pytest.importorskip("starlette", reason=NEEDS)
    from monopoly_training.watching.app import watch_app
    from starlette.testclient import TestClient

    return TestClient(watch_app(folder), base_url="http://127.0.0.1")


def test_the_server_tells_and_writes_nothing(tournament: Path) -> None:
    before = files_of(tournament)
    asked = client(tournament)
    assert asked.get("/").text.startswith("<!doctype html>")
    assert asked.get("/state").json() == json.loads(json.dumps(progress_of(tournament)))
    missing = asked.get("/replay/7")
    assert missing.status_code == 400
    assert "7" in missing.json()["error"]
    assert files_of(tournament) == before


def test_pages_of_other_sites_are_refused(tournament: Path) -> None:
    asked = client(tournament)
    for headers in ({"Host": "evil.example"}, {"Origin": "http://evil.example"}):
        assert asked.get("/state", headers=headers).status_code == 403


def test_the_policy_of_a_run_plays_a_game(small_run: Path) -> None:
    before = files_of(small_run)
    answer = client(small_run).get("/game/5")
    assert answer.status_code == 200
    assert files_of(small_run) == before


def test_a_run_lists_the_games_of_its_evaluations(small_run: Path, tmp_path: Path) -> None:
    games = progress_of(small_run)["games"]
    assert [(one["steps"], one["number"]) for one in games] == [
        (512, 1), (512, 2), (256, 1), (256, 2), (0, 1), (0, 2)
    ]  # fmt: skip
    for one in games:
        record = record_at(games_path(small_run, one["steps"]), one["number"])
        game = replay(record)
        assert game.over
        assert (list(game.winners), game.state["turns"]) == (
            [LETTERS[seat] for seat in one["winners"]],
            one["turns"],
        )
        assert one["seats"] == record["bots"]
    before = files_of(small_run)
    asked = client(small_run)
    page = asked.get("/evaluated/256/2")
    assert page.text.startswith("<!doctype html>")
    told = asked.post("/evaluated/256/2/odds", json={"at": 40}).json()
    assert (told["games"], sum(row[0] for row in told["rows"])) == (200, pytest.approx(1))
    for wrong in ({"at": 10**6}, {"at": -1}, {"at": "7"}, {}, {"at": 1, "more": 2}):
        refused = asked.post("/evaluated/256/2/odds", json=wrong)
        assert refused.status_code == 400
        assert "at" in refused.json()["error"]
    missing = asked.get("/evaluated/256/9")
    assert missing.status_code == 400
    assert "9" in missing.json()["error"]
    assert asked.get("/evaluated/257/1").status_code == 400
    assert files_of(small_run) == before
    copy = tmp_path / "run"
    shutil.copytree(small_run, copy)
    games_path(copy, 512).write_text("no record\n", encoding="utf-8")
    assert [one["steps"] for one in progress_of(copy)["games"]] == [256, 256, 0, 0]


def test_a_run_without_a_point_plays_no_game(small_run: Path, tmp_path: Path) -> None:
    folder = tmp_path / "run"
    shutil.copytree(small_run, folder)
    write_curve(folder, [])
    answer = client(folder).get("/game/5")
    assert answer.status_code == 400
    assert "nothing has been evaluated yet" in answer.json()["error"]
