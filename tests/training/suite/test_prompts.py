"""The set as prompts, and files of answers."""

from __future__ import annotations

import json
import re

import pytest
from monopoly_training.cli import main
from monopoly_training.suite.prompts import place_in, prompt_of, read_answers

from monopoly_env.errors import FileError


def test_a_prompt_has_the_position_and_each_action_by_its_number(small_set):
    for decision in small_set.decisions:
        text = prompt_of(decision)
        assert text == prompt_of(decision)
        numbers = re.findall(r"^(\d+)\. .+", text.partition("You decide (")[2], re.MULTILINE)
        assert numbers == [str(k + 1) for k in range(len(decision.actions))]
        assert f"You are {'ABCDEFGH'[decision.seat]}." in text
        assert text.count(", worth ") + text.count(" bankrupt\n") == decision.game.players
        assert len(text) < 4000


def test_answers_by_number_score_as_the_bot_that_gave_them(made, small_set, tmp_path, capsys):
    path, prompts = str(made / "set_2.jsonl.gz"), tmp_path / "prompts.jsonl"
    assert main(["suite", "veteran", "--set", path, "--json"]) == 0
    asked = json.loads(capsys.readouterr().out)
    assert main(["suite", "--set", path, "--prompts", str(prompts)]) == 0
    assert "7 prompts" in capsys.readouterr().out
    rows = [json.loads(line) for line in prompts.read_text().splitlines()]
    assert [row["id"] for row in rows] == [decision.id for decision in small_set.decisions]
    took = {row["id"]: row["action"] for row in asked["decisions"]}
    lines = []
    for decision in reversed(small_set.decisions):  # in any order
        number = decision.actions.index(took[decision.id]) + 1
        answer = f'I have $1,500. So: {{"action": {number}}}'
        lines.append(json.dumps({"id": decision.id, "answer": answer}))
    answers = tmp_path / "model.jsonl"
    answers.write_text("\n".join(lines))
    assert main(["suite", "--set", path, "--answers", str(answers), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert said["agent"] == "model"
    assert said["decisions"] == asked["decisions"]
    answers.write_text("\n".join(lines[1:]))
    assert main(["suite", "gpt", "--set", path, "--answers", str(answers), "--json"]) == 0
    said = json.loads(capsys.readouterr().out)
    assert (said["agent"], said["kinds"]["all"]["illegal"]) == ("gpt", 1)


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        (2, 1),
        ("2", 1),
        ('{"action": 2}', 1),
        ('{"action": "1"}', 0),
        ('{"action": "reject"}', 1),
        ('First {"action": 1}, no: {"action": 2}. It costs $3', 1),
        ("He offers $2, too little.\n2", 1),
        ("I would pay $2 for it", None),
        ("3", None),
        ("0", None),
        ("", None),
        (True, None),
        (None, None),
        (1.0, None),
        ({"action": 1}, None),
        ('{"why": 1}', None),
        ("**2**", 1),
    ],
)
def test_the_action_that_an_answer_names(answer, place, small_set):
    decision = next(one for one in small_set.decisions if one.kind == "answer")
    assert decision.actions == ("accept", "reject")
    assert place_in(answer, decision) == place


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("nonsense", "line 1: is not JSON"),
        ('{"id": "buy-001"}', "line 1: must be as"),
        ('{"id": "x", "answer": 1}', "line 1: there is no decision 'x' in the set"),
        ('{"id": "ID", "answer": 1}\n{"id": "ID", "answer": 2}', "has been answered before"),
        ("", "answers no decision"),
    ],
)
def test_a_file_that_is_none_of_answers_is_refused(line, problem, small_set, tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text(line.replace("ID", small_set.decisions[0].id))
    with pytest.raises(FileError, match=re.escape(problem)):
        read_answers(path, small_set.decisions)
