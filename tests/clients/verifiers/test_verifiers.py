"""verifiers loads the environment by its name, and scores games of models without a network."""

from __future__ import annotations

import asyncio
import json
from contextlib import asynccontextmanager
from types import SimpleNamespace

import pytest

pytest.importorskip("verifiers")

from monopoly_match_verifiers import load_environment as load_match
from monopoly_verifiers import (
    ID,
    MonopolyEnv,
    MonopolyTaskset,
    load_environment,
)
from verifiers.v1.utils.loaders import environment_class, taskset_class

from tests.clients.verifiers.play import environment, tasks

SMALL = {"opponents": ["random"], "options": {"rules": {"max_turns": 40}}}


class Trace:
    """What a game records, as verifiers' traces keep it."""

    def __init__(self) -> None:
        self.rewards, self.metrics, self.info, self.weights = {}, {}, {}, {}

    def record_reward(self, name, value, weight=1.0):
        self.rewards[name], self.weights[name] = value, weight

    def record_metrics(self, values):
        self.metrics |= values


class StubAgent:
    """A model without a network in an agent's place: it answers what ``answer`` makes of a text."""

    def __init__(self, answer, most=10**6) -> None:
        self.answer, self.most, self.read, self.trace = answer, most, [], Trace()

    @asynccontextmanager
    async def interaction(self, task):
        self.task = task

        async def turn(message=None):
            text = task.data.prompt if message is None else message
            self.read.append(text)
            ended = len(self.read) > self.most
            return SimpleNamespace(last_reply=self.answer(text), terminated=ended)

        yield SimpleNamespace(turn=turn, trace=self.trace)


def play(env, agent, seed=0):
    (task,) = env.taskset.include(idx=[seed])
    asyncio.run(env.run(task, SimpleNamespace(player=agent)))
    return agent.trace


def test_verifiers_finds_the_environment_by_its_name() -> None:
    assert environment_class(ID) is MonopolyEnv
    assert taskset_class(ID) is MonopolyTaskset


def test_tasks_are_games_of_consecutive_seeds() -> None:
    assert [task.data.name for task in tasks] == ["monopoly#0", "monopoly#1", "monopoly#2"]
    assert len({task.data.prompt for task in tasks}) == 3
    assert all("You decide (" in task.data.prompt for task in tasks)
    assert all("Boardwalk" in task.data.system_prompt for task in tasks)
    assert not environment.taskset.bounded
    assert len(list(load_environment(games=2, **SMALL).taskset)) == 2


def test_a_game_is_scored_by_the_rubric() -> None:
    env = load_environment(win=1.0, rank=0.5, net_worth=0.25, legality=0.1, **SMALL)
    agent = StubAgent(lambda text: '{"action": 1}')
    trace = play(env, agent)
    assert set(trace.rewards) == {"win", "rank", "net_worth", "legality"}
    assert trace.weights == {"win": 1.0, "rank": 0.5, "net_worth": 0.25, "legality": 0.1}
    assert trace.rewards["legality"] == 1
    assert trace.metrics["finished"] == 1
    assert trace.metrics["solved"] in (0, 1)
    (row,) = json.loads(trace.info["results"]).values()
    assert row["counts"]["answers"] == len(agent.read)
    assert trace.rewards["rank"] == 2 - row["rank"]


def test_the_first_question_of_a_game_is_the_prompt_of_its_task() -> None:
    env = load_environment(**SMALL)
    first, second = (StubAgent(lambda text: "1") for _ in range(2))
    play(env, first, seed=3)
    play(env, second, seed=3)
    assert first.read == second.read
    assert first.trace.rewards == second.trace.rewards


def test_a_game_that_is_broken_off_scores_nothing() -> None:
    trace = play(load_environment(**SMALL), StubAgent(lambda text: "1", most=2))
    assert set(trace.rewards.values()) == {0.0}
    assert trace.metrics == {"finished": 0.0, "solved": 0.0}


def test_answers_of_no_use_cost_legality() -> None:
    trace = play(load_environment(**SMALL), StubAgent(lambda text: "well…"))
    assert trace.rewards["legality"] == 0


# Several models


def test_models_play_one_another_each_with_rewards_of_its_own() -> None:
    env = load_match(seats="AB", rank=0.5, opponents=["random"], options=SMALL["options"])
    (task,) = env.taskset.include(idx=[3])
    agents = {seat: StubAgent(lambda text: '{"action": 1}') for seat in "abcd"}
    asyncio.run(env.run(task, SimpleNamespace(**agents)))
    first, second = agents["a"], agents["b"]
    assert all("You are A." in text for text in first.read)
    assert all("You are B." in text for text in second.read)
    assert not agents["c"].read
    results = json.loads(first.trace.info["results"])
    assert (first.trace.info["seat"], second.trace.info["seat"]) == ("A", "B")
    for agent, seat in ((first, "A"), (second, "B")):
        assert agent.trace.rewards["win"] == results[seat]["win"]
        assert agent.trace.rewards["rank"] == (3 - results[seat]["rank"]) / 2
        assert agent.trace.metrics["finished"] == 1
    assert first.trace.weights["rank"] == 0.5


def test_each_model_is_told_its_own_seat() -> None:
    env = load_match(seats="AB", opponents=["random"], options=SMALL["options"])
    (task,) = env.taskset.include(idx=[3])
    agents = {seat: StubAgent(lambda text: "1") for seat in "abcd"}
    asyncio.run(env.run(task, SimpleNamespace(**agents)))
    for seat in "ab":
        assert f"You play Monopoly as {seat.upper()}." in agents[seat].task.data.system_prompt
        assert agents[seat].task.data.prompt is None
