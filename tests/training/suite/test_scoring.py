"""Scores: a planted bad agent is told from a good one, whatever kind of agent it is."""

from __future__ import annotations

import json
import sys

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.matches.bot_errors import ErrorLog
from monopoly_training.suite.ask_agent import Answer, ask_all
from monopoly_training.suite.scoring import loss_of, score

from monopoly_env.agent import make_agent


class Knowing:
    """Knows the values, and takes the best or the worst action."""

    def __init__(self, decisions, sign):
        self.decisions, self.sign, self.asked = list(decisions), sign, 0

    def reset(self, seed):
        pass

    def decide(self, _):
        decision = self.decisions[self.asked]
        self.asked += 1
        losses = self.sign * decision.losses
        return decision.ids[int(losses.argmin())]


class Broken:
    """Raises, answers what is legal in the game but not compared, and nonsense, in turn."""

    def __init__(self):
        self.asked = 0

    def reset(self, seed):
        pass

    def decide(self, _):
        self.asked += 1
        if self.asked % 3 == 0:
            raise RuntimeError("out of order")
        return 10_000 if self.asked % 3 == 1 else None


def scored(agent, chosen, name="agent"):
    errors = ErrorLog(shows=False)
    return score(name, chosen, ask_all(agent, name, chosen.decisions, errors))


def test_a_planted_bad_agent_loses_more_than_chance_and_a_knowing_one_nothing(small_set):
    best = scored(Knowing(small_set.decisions, 1), small_set).kinds["all"]
    worst = scored(Knowing(small_set.decisions, -1), small_set).kinds["all"]
    assert best.loss == 0
    assert best.agreement == 1
    assert worst.loss == pytest.approx(np.mean([d.losses.max() for d in small_set.decisions]))
    assert worst.loss > best.by_chance > best.loss
    assert worst.interval[0] <= worst.loss <= worst.interval[1]
    assert worst.illegal == best.illegal == 0


def test_illegal_answers_are_counted_and_are_the_worst(small_set):
    broken = scored(Broken(), small_set)
    whole = broken.kinds["all"]
    assert whole.illegal == len(small_set.decisions)
    assert whole.loss == pytest.approx(np.mean([d.losses.max() for d in small_set.decisions]))
    assert whole.agreement <= 0
    assert {row["action"] for row in broken.decisions} == {None}


def test_a_decision_does_not_depend_on_those_before(small_set):
    """Bots that draw and bots that remember answer as if each decision were the only one."""
    for name in ("random", "veteran", "search:20"):
        errors = ErrorLog(shows=False)
        whole = ask_all(make_agent(name), name, small_set.decisions, errors)
        again = ask_all(make_agent(name), name, small_set.decisions, errors)
        places = [answer.place for answer in whole]
        assert places == [answer.place for answer in again]
        alone = ask_all(make_agent(name), name, small_set.decisions[:1], errors)
        assert alone[0].place == places[0]
        assert all(answer.seconds > 0 for answer in whole)


def test_kinds_add_up_to_the_whole(small_set):
    found = scored(make_agent("random"), small_set).kinds
    parts = [one for kind, one in found.items() if kind not in ("all", "deals")]
    assert sum(one.decisions for one in parts) == found["all"].decisions == len(small_set.decisions)
    total = sum(one.loss * one.decisions for one in parts)
    assert total == pytest.approx(found["all"].loss * found["all"].decisions)


def test_no_answer_is_no_better_than_any(small_set):
    for decision in small_set.decisions:
        worst = loss_of(decision, Answer(None))
        assert all(loss_of(decision, Answer(k)) <= worst for k in range(len(decision.actions)))


BOT = """
class Last:
    def reset(self, seed): pass
    def decide(self, view): return int(view.mask.nonzero()[0][-1])
"""
PROGRAM = """
import json, sys
for line in sys.stdin:
    said = json.loads(line)
    if said.get("type") == "decide":
        print(json.dumps({"action": said["legal"][-1]}), flush=True)
"""


def test_any_agent_is_asked(made, tmp_path, capsys):
    """A class in a file, a trained policy, a program: by the same command."""
    file = tmp_path / "bot.py"
    file.write_text(BOT)
    path = str(made / "set_2.jsonl.gz")
    program = f"{sys.executable} examples/bots/greedy.py"
    for agent in (f"python:{file}:Last", "champion", f"exec:{program}"):
        assert main(["suite", agent, "--set", path, "--json", "--strict"]) == 0, agent
        said = json.loads(capsys.readouterr().out)
        assert said["agent"] == agent
        assert said["kinds"]["all"]["illegal"] == 0
        assert len(said["decisions"]) == 7
    assert main(["suite", "--set", path]) == 2
    assert "name an agent, --prompts FILE, --answers FILE, or make" in capsys.readouterr().err


def test_a_bot_that_errs_ends_a_strict_command_with_1(made, tmp_path, capsys):
    file = tmp_path / "bot.py"
    file.write_text(BOT.replace("return int(view.mask.nonzero()[0][-1])", "return 341"))
    path = str(made / "set_2.jsonl.gz")
    assert main(["suite", f"python:{file}:Last", "--set", path, "--strict"]) == 1
    captured = capsys.readouterr()
    assert "all" in captured.out
    assert "is not the id of a legal action" in captured.err
