"""python:FILE:NAME: bots in files of one's own."""

from __future__ import annotations

from pathlib import Path

import pytest
from monopoly_training.matches.entrants import entrant

from monopoly_env import Game
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.compiler.jit import JIT
from monopoly_env.errors import AgentError
from monopoly_env.view import View

BOT = """
class First:
    name = "first"
    def reset(self, seed):
        self.seed = seed
    def decide(self, view):
        return int(view.mask.argmax())

def make():
    return First()

class Lame:
    def reset(self, seed):
        pass

class Broken(First):
    def __init__(self):
        raise RuntimeError("no\\nluck")

def leave():
    raise SystemExit(5)

def two(a, b):
    return First()

number = 7

def bare(game, rules, view):
    return 0
"""
POLICY = """
from monopoly_env.bots.actions import first_legal
from monopoly_env.engine.policy import policy

@policy
def lowest(game, rules, view):
    return first_legal(view)
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "mein böt.py"
    path.write_text(BOT, encoding="utf-8")
    return path


@pytest.mark.parametrize("name", ["First", "make"])
def test_a_class_or_a_function_makes_a_bot(name: str, file: Path) -> None:
    bot = make_agent(f"python:{file}:{name}")
    bot.reset(3)
    game = Game(players=2, seed=7)
    assert game.text(bot.decide(View.of(game))) == "roll"


def test_each_game_has_its_own(file: Path) -> None:
    first, second = (make_agent(f"python:{file}:First") for _ in range(2))
    assert first is not second
    assert type(first) is type(second)


def test_files_of_one_name_are_kept_apart(tmp_path: Path) -> None:
    for number in (1, 2):
        folder = tmp_path / str(number)
        folder.mkdir()
        (folder / "bot.py").write_text(BOT.replace('"first"', f'"bot {number}"'))
    names = [make_agent(f"python:{tmp_path / str(n)}/bot.py:First").name for n in (1, 2)]  # type: ignore[attr-defined]
    assert names == ["bot 1", "bot 2"]


def test_relative_paths(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(file.parent)
    assert make_agent(f"python:{file.name}:First").name == "first"  # type: ignore[attr-defined]


def test_a_policy_is_compiled(tmp_path: Path) -> None:
    path = tmp_path / "policies.py"
    path.write_text(POLICY, encoding="utf-8")
    name = f"python:{path}:lowest"
    seated = entrant(name)
    assert seated.policy is find_agent(name)[0].policy
    assert seated.policy is not None
    game = Game(players=2, seed=7)
    assert game.text(make_agent(name).decide(View.of(game))) == "roll"


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("python:", "the rest is missing"),
        ("python:bot.py", "must name a file and what is in it"),
        ("python:{file}:", "must name a file and what is in it"),
        ("python:{file}:no name", "must name a file and what is in it"),
        ("python:{folder}/none.py:First", "none.py: there is no such file"),
        ("python:{folder}:First", "cannot be read: it is a folder, not a file"),
        ("python:{file}:Frist", "the file has no Frist; did you mean 'First'"),
        ("python:{file}:number", "number is neither a class"),
        pytest.param(
            "python:{file}:bare",
            "a policy needs @policy",
            marks=pytest.mark.skipif(not JIT, reason="any function will do"),
        ),
        ("python:{file}:two", "cannot be made: TypeError"),
        ("python:{file}:leave", "cannot be made: SystemExit: 5"),
        ("python:{file}:Broken", "cannot be made: RuntimeError: no luck"),
        ("python:{file}:Lame", "has no method decide; a bot has reset.seed. and decide.view."),
        ("python:{syntax}:First", "cannot be run: SyntaxError"),
        ("python:{exits}:First", "cannot be run: SystemExit"),
        ("python:{text}:First", "its name must end in .py"),
    ],
)
def test_what_does_not_fit_is_one_line(name: str, says: str, file: Path, tmp_path: Path) -> None:
    files = {"syntax": "syntax.py", "exits": "exits.py", "text": "text.txt"}
    paths = {key: tmp_path / value for key, value in files.items()}
    paths["syntax"].write_text("def (:")
    paths["exits"].write_text("import sys; sys.exit(3)")
    paths["text"].write_text(BOT)
    with pytest.raises(AgentError, match=says) as refused:
        make_agent(name.format(file=file, folder=tmp_path, **paths))
    assert "\n" not in str(refused.value)


def test_a_file_may_import_others_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "wishes_of_this_test.py").write_text("FIRST = 'roll'", encoding="utf-8")
    path = tmp_path / "wisher.py"
    path.write_text(f"from wishes_of_this_test import FIRST\n{BOT}", encoding="utf-8")
    game = Game(players=2, seed=1)
    assert game.text(make_agent(f"python:{path}:make").decide(View.of(game))) == "roll"
