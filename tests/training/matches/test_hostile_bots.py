"""Whatever a bot in a Python file does, it costs that decision or game, never the tournament."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from monopoly_training.cli import main
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.matches.entrants import entrants, reload_entrants
from monopoly_training.matches.runner import Players, play_matches
from monopoly_training.matches.schedule import rotated

from monopoly_env import interrupts
from monopoly_env.envs.options import TableOptions

pytestmark = pytest.mark.promise("bots")

SHORT = TableOptions(rules={"max_turns": 6, "deals": "off"}, num_players=2, skip_forced=False)
GAMES = 4
HEAD = """
import numpy as np
from monopoly_env.bots import safe_action

class Good:
    def reset(self, seed): pass
    def decide(self, view): return safe_action(view.mask)

class Base(BaseException): pass

class Liar(int):
    def __index__(self): raise RuntimeError("index")
    __int__ = __eq__ = __lt__ = __le__ = __hash__ = __repr__ = __bool__ = __index__

class Shy:
    def __init__(self): object.__setattr__(self, "n", 0)
    def __repr__(self): raise Base("no")
    def __getattribute__(self, name): raise Base(name)

class Mute(Exception):
    def __str__(self): raise ValueError("mute")

class Odd(np.int64):
    def __int__(self): raise RuntimeError("int")
    __index__ = __int__
"""
# Answers that are no ids; Liar and Odd are numbers, whatever they say: 10**6 is no id.
ANSWERS = (
    "True", "None", "'roll'", "float('nan')", "1.0", "np.array([1, 2])", "np.array(1)", "[1]",
    "2**70", "-1", "Liar(10**6)", "Shy()", "Odd(10**6)", "np.bool_(True)", "object()", "b'1'",
    "1j", "type", "lambda: 1", "{1: 2}",
)  # fmt: skip
RAISED = (
    "ValueError('x')", "SystemExit(3)", "KeyboardInterrupt()", "GeneratorExit()", "StopIteration()",
    "RecursionError('deep')", "MemoryError()", "Base('x')", "Mute()", "UnicodeError('\\udc80')",
    "BrokenPipeError()", "AssertionError()",
)  # fmt: skip


def bots(folder: Path, body: str) -> list[str]:
    """A bot in a file beside a sound one, by names."""
    file = folder / f"bot_{abs(hash(body))}.py"
    file.write_text(HEAD + body, encoding="utf-8")
    return [f"python:{file}:Bot", "random"]


@pytest.fixture(autouse=True)
def _signals_are_handled():
    """As on the command line: then a bot's own KeyboardInterrupt is its own."""
    interrupts.handle(True)
    yield
    interrupts.handle(False)


def played(names: list[str]):
    return play_matches(entrants(names), rotated(2, GAMES, 0), SHORT, errors=ErrorLog())


@pytest.mark.parametrize("answer", ANSWERS)
def test_an_answer_that_is_no_id_costs_the_decision(answer, tmp_path, capsys):
    results = played(
        bots(tmp_path, f"class Bot(Good):\n    def decide(self, view): return {answer}\n")
    )
    illegal, late, crashed = results.faults[0].tolist()
    assert illegal > GAMES
    assert (late, crashed) == (0, 0)
    assert not results.faults[1].any()
    said = capsys.readouterr().err.splitlines()
    assert len(said) == 1
    assert ":Bot: seed 0, seat A, decision 1: illegal: " in said[0]


@pytest.mark.parametrize("problem", RAISED)
@pytest.mark.parametrize("method", ["decide", "reset", "finish", "__init__"])
def test_an_error_costs_the_decision_or_the_game(method, problem, tmp_path, capsys):
    takes = {"decide": "self, view", "reset": "self, seed", "finish": "self, game"}
    body = f"class Bot(Good):\n    def {method}({takes.get(method, 'self')}): raise {problem}\n"
    results = played(bots(tmp_path, body))
    illegal, _, crashed = results.faults[0].tolist()
    assert illegal == 0
    assert crashed >= GAMES
    assert not results.faults[1].any()
    said = capsys.readouterr().err
    assert said.splitlines()[0].startswith("python:")
    assert ": crashed: " in said.splitlines()[0]
    assert f"raise {problem}" in said  # the traceback
    assert len([line for line in said.splitlines() if line.startswith("python:")]) == 1


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    "body",
    [
        "class Bot(Good):\n    faults = property(lambda self: 1 / 0)\n",
        "class Bot(Good):\n    faults = 'many'\n",
        "class Bot(Good):\n    faults = {'crashed': 10**400, 'illegal': -5}\n",
        "class Bot(Good):\n    finish = property(lambda self: 1 / 0)\n",
        "class Bot(Good):\n    close = property(lambda self: 1 / 0)\n",
        "class Bot(Good):\n    def close(self): raise SystemExit(9)\n",
        "class Bot(Good):\n    on_fault = property(lambda self: 1 / 0)\n",
        "class Bot(Good):\n    def __getattr__(self, name): raise OSError(name)\n",
        "class Bot(Good):\n    def decide(self, view): view.mask[:] = 0; view.seat = 99; return 0\n",
        "class Bot(Good):\n    def decide(self, view):\n        return self.decide(view)\n",
        "class Bot(Good):\n    __eq__ = __hash__ = __bool__ = None\n",
    ],
)
def test_odd_bots_end_nothing(body, tmp_path):
    results = played(bots(tmp_path, body))
    assert results.decisions.min() > 0
    assert results.faults.min() >= 0
    assert not results.faults[1].any()


def test_a_bot_that_can_be_made_now_and_then_plays_now_and_then(tmp_path, capsys):
    body = """
made = []
class Bot(Good):
    def __init__(self):
        made.append(1)
        if len(made) % 3: raise ValueError(len(made))
"""
    results = played(bots(tmp_path, body))
    assert results.faults[0, 2] > 0
    assert "cannot be made: ValueError: " in capsys.readouterr().err


@pytest.mark.promise("bad_input")
def test_a_file_that_cannot_be_run_is_refused_before_the_first_game(tmp_path, capsys):
    for body in ("raise KeyboardInterrupt", "import nosuch", "1 / 0", "raise Base", "x ="):
        names = bots(tmp_path, f"{body}\nclass Bot(Good): pass\n")
        assert main(["evaluate", names[0], "--against", names[1], "--games", "2"]) == 2
        said = capsys.readouterr().err.splitlines()
        assert len(said) == 1
        assert "cannot be run: " in said[0]


def test_a_file_that_fails_in_another_process_costs_its_decisions(tmp_path):
    names = bots(tmp_path, "1 / 0\n")
    players = Players(reload_entrants(names), ErrorLog(tmp_path))
    agent = players.agents((0, 1))[0]
    with pytest.raises(ValueError, match="cannot be run: ZeroDivisionError"):
        agent.decide(None)


CRASHES = """
class Bot(Good):
    def decide(self, view):
        self.n = getattr(self, "n", 0) + 1
        if self.n > 5: raise RuntimeError("six")
        return super().decide(view)
"""
FAST = ["--rule", "max_turns=6", "--rule", "deals=off"]


def test_evaluate_says_what_went_wrong(tmp_path, capsys):
    names = bots(tmp_path, CRASHES)
    command = ["evaluate", names[0], "--against", names[1], "--games", "4", *FAST]
    assert main([*command, "--json"]) == 0
    out, err = capsys.readouterr()
    faults = json.loads(out)["faults"]
    assert faults[names[0]]["crashed"] > 0
    assert faults["random"] == {"illegal": 0, "timed_out": 0, "crashed": 0}
    assert re.search(r"decision \d+: crashed: RuntimeError: six", err)
    assert main([*command, "--json", "--strict"]) == 1
    capsys.readouterr()
    assert main([*command, "--strict"]) == 1
    assert f"{faults[names[0]]['crashed']} crashed" in capsys.readouterr().out
    assert main(["evaluate", "random", "--against", "random", "--games", "2", "--strict"]) == 0


def test_a_tournament_keeps_the_traceback_and_says_it_all(tmp_path, capsys):
    pytest.importorskip("pyarrow")
    names = bots(tmp_path, CRASHES)
    folder = tmp_path / "out"
    command = ["tournament", "--agents", ",".join([*names, "random"]), "--games", "6", *FAST]
    assert main([*command, "--out", str(folder), "--strict", "--seats", "3"]) == 1
    out, err = capsys.readouterr()
    shown = [line for line in err.splitlines() if line.startswith("python:")]
    assert len(shown) == 1
    assert re.search(
        r"seed 0, seat ., decision \d+: crashed: RuntimeError: six; traceback", shown[0]
    )
    (file,) = (folder / "errors").iterdir()
    assert str(file) in shown[0]
    assert 'raise RuntimeError("six")' in file.read_text()
    results = json.loads((folder / "results.json").read_text())
    by_name = {row["agent"]: row["faults"] for row in results["standings"]}
    assert set(by_name) == {names[0], "random", "random#2"}
    assert by_name[names[0]]["crashed"] > 0
    assert f"{by_name[names[0]]['crashed']} crashed" in out
    page = (folder / "report.html").read_text()
    assert "Decisions that a rule had to settle" in page
    assert "RuntimeError: six" in page


def test_bots_do_not_print_into_the_results(tmp_path, capsys):
    names = bots(tmp_path, "class Bot(Good):\n    def reset(self, seed): print('hello')\n")
    command = ["evaluate", names[0], "--against", names[1], "--games", "2", "--json", *FAST]
    assert main(command) == 0
    out, err = capsys.readouterr()
    assert json.loads(out)["games"] == 2
    assert "hello" in err


def test_a_bot_that_changes_the_working_folder_changes_it_for_its_game_alone(tmp_path):
    before = Path.cwd()
    body = f"import os\nclass Bot(Good):\n    def reset(self, seed): os.chdir({str(tmp_path)!r})\n"
    assert not played(bots(tmp_path, body)).faults.any()
    assert Path.cwd() == before


def test_a_bot_that_takes_the_streams_away_takes_them_for_its_game_alone(tmp_path, capsys):
    body = """
import sys
class Bot(Good):
    def decide(self, view):
        sys.stdout = sys.stderr = sys.stdin = None
        return super().decide(view)
"""
    names = bots(tmp_path, body)
    command = ["evaluate", names[0], "--against", names[1], "--games", "2", "--json", *FAST]
    assert main(command) == 0
    assert json.loads(capsys.readouterr().out)["games"] == 2


def test_a_compiled_policy_is_heard_of_too(tmp_path, capsys):
    body = """
from monopoly_env.bots import policy
@policy
def Bot(game, rules, view):
    rules.salary = 5
    game.cash[0] = 7
    return 100000
"""
    names = bots(tmp_path, body)
    results = played(names)
    assert results.faults[0, 0] > 0
    assert "the compiled policy answered" in capsys.readouterr().err
