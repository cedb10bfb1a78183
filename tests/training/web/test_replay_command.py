"""`monopoly-env replay`: pages, pictures, films and lists from the command line."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from monopoly_training.cli import main
from monopoly_training.web.replay_page import replay_data

from monopoly_env.records import write_record

Run = Callable[..., str]


@pytest.fixture
def games(two: dict[str, Any], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    write_record("games.jsonl", two)
    return Path("games.jsonl")


def run(*arguments: object, status: int = 0) -> None:
    assert main([str(argument) for argument in ("replay", *arguments)]) == status


def refused(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """The one line that says what is wrong."""
    run(*arguments, status=2)
    lines = [line for line in capsys.readouterr().err.splitlines() if line.startswith("error")]
    assert len(lines) == 1
    return lines[0]


def test_html_writes_a_page(games: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run(games, "--html", "pages/game.html")
    assert "written: pages/game.html" in capsys.readouterr().out
    assert Path("pages/game.html").read_text(encoding="utf-8").startswith("<!doctype html>")


def test_pictures_of_a_moment(games: Path) -> None:
    run(games, "--svg", "40", "--size", "600", "--theme", "dark")
    assert 'width="600"' in Path("game-1-move-40.svg").read_text(encoding="utf-8")
    pytest.importorskip("resvg_py")
    run(games, "--png", "40", "--out", "here.png")
    assert Path("here.png").read_bytes().startswith(b"\x89PNG")


def test_a_gif_has_a_frame_a_moment(games: Path) -> None:
    pytest.importorskip("resvg_py")
    image = pytest.importorskip("PIL.Image")
    run(games, "--gif", "game.gif", "--size", "240", "--from", "10", "--to", "16", "--every", "4")
    with image.open("game.gif") as film:
        assert film.n_frames == 3  # moves 10, 14 and the last, 16
        assert film.size == (240, 240)


def test_an_mp4_is_written(games: Path) -> None:
    pytest.importorskip("resvg_py")
    pytest.importorskip("imageio_ffmpeg")
    for name in ("game.mp4", "a film"):  # whatever it is called
        run(games, "--mp4", name, "--size", "241", "--to", "3", "--fps", "30")
        assert b"ftyp" in Path(name).read_bytes()[:16]
    assert [path.name for path in Path().glob("*part*")] == []


def test_games_are_listed_with_those_that_stand_out(
    games: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(games, "--list")
    shown = capsys.readouterr().out
    assert "the shortest game: game 1, over after" in shown
    assert "strategist, fixed_a" in shown
    run(games, "--pick", "comeback", "--at", "0")
    assert "turn 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--html", "/dev/full"), "--html /dev/full"),
        (("--svg", "999999"), "--svg: must be a move from 0 to"),
        (("--gif", "a.gif", "--to", "999999"), "--to: must be a move from 0 to"),
        (("--gif", "a.gif", "--from", "9", "--to", "5"), "--from: must be a move from 0 to 5"),
        (("--svg", "1", "--size", "7"), "--size: must be pixels from 200 to 4096"),
        (("--svg", "1", "--theme", "red"), "--theme: must be one of light, dark"),
        (("--out", "x.svg"), "--out: goes with --svg or --png"),
        (("--svg", "1", "--png", "1", "--out", "x"), "--out: names one file"),
        (("--pick", "best"), "--pick: best: there is no such choice"),
        (("--pick", "deal", "--game", "1"), "--pick: names a game, and so does --game"),
        (("--html", "games.jsonl"), "games.jsonl: holds the saved games"),
        (("--svg", "3", "--out", "./games.jsonl"), "games.jsonl: holds the saved games"),
        (("--list", "--html", "x.html"), "--list: only lists the games"),
        (("--gif", "a.gif", "--size", "4000", "--every", "1"), "--gif: "),
        (("--game", "5", "--html", "x.html"), "there is no game number 5"),
    ],
)
def test_what_cannot_be_done_is_said_in_a_line(
    games: Path, capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], says: str
) -> None:
    assert says in refused(capsys, games, *arguments)
    assert not Path("x.html").exists()
    assert not Path("a.gif").exists()


def test_a_folder_without_records_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert "there is no records.jsonl.gz in it" in refused(capsys, tmp_path)


def test_messages_are_told_where_they_were_said(
    two: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"at": 12, "by": "A", "kind": "say", "to": "B", "text": "Keep an offer ready."}
    talked = {**two, "negotiation": {"format": 1, "options": {}, "entries": [said]}}
    talked.pop("digest", None)
    path = tmp_path / "talked.jsonl"
    write_record(path, talked)
    run(path)
    lines = capsys.readouterr().out.splitlines()
    start = next(k for k, line in enumerate(lines) if line.startswith("A throws"))
    assert lines[start + 13].strip() == "A says to B: “Keep an offer ready.”"
    assert not any("says to" in line for line in [*lines[: start + 13], *lines[start + 14 :]])
    data = replay_data(talked)
    talk = data["topics"].index("talk")
    rows = [(at, row) for at, rows in enumerate(data["events"]) for row in rows if row[0] == talk]
    assert rows == [(12, [talk, 0, 1, "A says to B: “Keep an offer ready.”"])]
