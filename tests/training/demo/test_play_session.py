"""monopoly-env play: a game from the first throw to the saved record."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from monopoly_training.cli import main

from monopoly_env.records import read_records
from monopoly_env.replay import replay

Capture = pytest.CaptureFixture[str]


def play(monkeypatch: pytest.MonkeyPatch, typed: str, *arguments: str) -> int:
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    return main(["play", "--terminal", "--seed", "5", *arguments])


@pytest.mark.parametrize("typed", ["roll\nbuy\nend_turn\n", "roll\nbuy\nend_turn\nquit\n"])
def test_a_game_that_is_left_is_saved(
    typed: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    file = tmp_path / "new" / "games.jsonl"
    assert play(monkeypatch, typed, "--agents", "human,fixed_a", "--save", str(file)) == 0
    out = capsys.readouterr().out
    assert "A car: human" in out
    assert f"Saved: monopoly-env replay {file}" in out
    (record,) = read_records(file)
    assert record["bots"] == ["human", "fixed_a"]
    mine = [text for text in record["actions"] if text.startswith("A ")]
    assert mine[:3] == ["A roll", "A buy", "A end_turn"]
    assert not replay(record).over
    assert main(["replay", str(file)]) == 0


@pytest.mark.parametrize("line", ["", "nonsense", "help", "undo"])
def test_an_input_without_end_ends(
    line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    file = tmp_path / "games.jsonl"
    options = ["--agents", "human,random", "--save", str(file)]
    assert play(monkeypatch, "roll\n" + f"{line}\n" * 500, *options) == 0
    assert "100 lines of the input were no action." in capsys.readouterr().out
    assert file.exists() == (line != "undo")  # which took back the only action


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("method", "does", "says"),
    [
        ("decide", "raise SystemExit(0)", "SystemExit: 0 (bot.py, line 5)"),
        ("decide", "return 1 / 0", "ZeroDivisionError: division by zero (bot.py, line 5)"),
        ("reset", "return {}[0]", "KeyError: 0 (bot.py, line 3)"),
    ],
)
def test_a_bot_that_fails_is_one_line_and_the_game_is_saved(
    method: str, does: str, says: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    capsys: Capture,
) -> None:  # fmt: skip
    bodies = {"reset": "pass", "decide": "return 0", method: does}
    (tmp_path / "bot.py").write_text(
        f"class Bot:\n def reset(self, seed):\n  {bodies['reset']}\n"
        f" def decide(self, view):\n  {bodies['decide']}\n"
    )
    bot = f"python:{tmp_path}/bot.py:Bot"
    options = ["--agents", f"human,{bot}", "--save", str(tmp_path / "games.jsonl")]
    assert play(monkeypatch, "roll\nbuy\nend_turn\n", *options) == 2
    assert capsys.readouterr().err == f"error: {bot}: {says}\n"
    assert (tmp_path / "games.jsonl").exists() == (method == "decide")


@pytest.mark.parametrize(
    ("method", "does", "status", "says"),
    [
        ("finish", "raise GeneratorExit", 2, "GeneratorExit (bot.py, line"),
        ("close", "raise SystemExit(4)", 0, "SystemExit: 4 (bot.py, line"),
        ("decide", "raise BaseException('x')", 2, "BaseException: x (bot.py, line"),
        ("decide", "return 9999", 2, "IllegalAction: 9999: "),
        ("decide", "return True", 2, "TypeError: an agent answers with the id of an action"),
    ],
)
def test_whatever_a_bot_raises_the_game_is_saved(
    method: str, does: str, status: int, says: str, tmp_path: Path, capsys: Capture
) -> None:
    takes = {"finish": "self, game", "close": "self", "decide": "self, view"}
    (tmp_path / "bot.py").write_text(
        "from monopoly_env.bots import safe_action\nclass Base:\n"
        " def reset(self, seed): pass\n def decide(self, view): return safe_action(view.mask)\n"
        f"class Bot(Base):\n def {method}({takes[method]}):\n  {does}\n"
    )
    file, bot = tmp_path / "games.jsonl", f"python:{tmp_path}/bot.py:Bot"
    options = ["--agents", f"random,{bot}", "--save", str(file), "--rule", "max_turns=6"]
    assert main(["play", "--terminal", *options, "--seed", "2"]) == status
    assert says in " ".join(capsys.readouterr())
    assert len(list(read_records(file))) == 1


def test_games_are_added_to_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "games.jsonl"
    for _ in range(2):
        assert play(monkeypatch, "roll\n", "--agents", "human,random", "--save", str(file)) == 0
    assert sum(1 for _ in read_records(file)) == 2


def test_bots_play_to_the_end(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    file = tmp_path / "games.jsonl"
    options = ["--rule", "max_turns=40", "--edition", "kanto2014", "--save", str(file)]
    assert play(monkeypatch, "", "--agents", "random,fixed_a", *options) == 0
    assert "won." in capsys.readouterr().out
    (record,) = read_records(file)
    assert replay(record).over
    assert record["rules"] == {"max_turns": 40}


def test_taking_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> None:
    file = tmp_path / "games.jsonl"
    typed = "undo\nroll\nbuy\nundo\nauction\npass\n"
    assert play(monkeypatch, typed, "--agents", "human,fixed_a", "--save", str(file)) == 0
    assert "There is nothing to take back." in capsys.readouterr().out
    (record,) = read_records(file)
    mine = [text for text in record["actions"] if text.startswith("A ")]
    assert mine[:3] == ["A roll", "A auction", "A pass"]
    replay(record)


def test_nothing_is_saved_of_a_game_that_never_began(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    file = tmp_path / "games.jsonl"
    assert play(monkeypatch, "", "--agents", "human,human", "--save", str(file)) == 0
    assert "Saved" not in capsys.readouterr().out
    assert not file.exists()


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["--agents", "human"], "is for 2 to 8 players, not 1"),
        (["--agents", "human,nobody"], "there is no bot 'nobody'"),
        (["--agents", "human,"], "--agents: must be bots with commas between them"),
        (["--agents", "human,exec:"], "exec:: the rest is missing"),
        (["--save", "."], ".: cannot be written: it is a folder"),
        (["--edition", "clasic"], "did you mean 'classic'"),
        (["--rule", "jackpot"], "must be name=value"),
    ],
)
def test_errors_are_one_line(
    arguments: list[str], says: str, monkeypatch: pytest.MonkeyPatch, capsys: Capture
) -> None:
    assert play(monkeypatch, "", *arguments) == 2
    err = capsys.readouterr().err
    assert says in err
    assert len(err.splitlines()) == 1
