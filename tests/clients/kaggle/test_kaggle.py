"""Agents of kaggle-environments play to the end, and the page shows the game."""

from __future__ import annotations

import pytest

pytest.importorskip("kaggle_environments")

from kaggle_environments import make

from tests.clients.kaggle.play import careful, play


def test_a_game_is_played_to_its_end() -> None:
    env = play(maxTurns=30)
    assert [agent.status for agent in env.state] == ["DONE"] * 3
    rewards = [agent.reward for agent in env.state]
    assert max(rewards) > 0
    assert min(rewards) < 0
    assert all("The game is over" in agent.observation.text for agent in env.state)


def test_one_agent_is_asked_at_a_time_and_each_reads_its_own_seat() -> None:
    env = play(maxTurns=20)
    for step in env.steps[:-1]:
        active = [seat for seat, agent in enumerate(step) if agent.status == "ACTIVE"]
        assert len(active) == 1
        (seat,) = active
        observation = step[seat].observation
        assert f"You are {'ABC'[seat]}." in observation.text
        assert f"You play Monopoly as {'ABC'[seat]}." in observation.instructions
        assert len(observation.legalActions) > 1
        assert not any(step[other].observation.text for other in range(3) if other != seat)


def test_the_same_seed_is_the_same_game() -> None:
    runs = [play(maxTurns=20) for _ in range(2)]
    texts = [[[a.observation.text for a in step] for step in env.steps] for env in runs]
    assert texts[0] == texts[1]


def test_answers_of_no_use_cost_tries_and_then_one_is_chosen() -> None:
    env = play((careful, lambda observation: "no idea", "first"), maxTurns=20, tries=2)
    counts = env.monopoly.results()["B"]["counts"]
    assert counts["unreadable"] == 2 * counts["fallbacks"] > 0
    assert all(agent.status == "DONE" for agent in env.state)


def test_the_game_goes_on_without_an_agent_that_raises() -> None:
    def broken(observation):
        raise RuntimeError("no")

    env = play((careful, broken, "first"), maxTurns=20)
    assert env.state[1].status == "ERROR"
    assert [env.state[seat].status for seat in (0, 2)] == ["DONE", "DONE"]


def test_the_page_and_the_text_show_the_game() -> None:
    env = play(maxTurns=10)
    page = env.render(mode="html")
    assert page.lstrip().startswith("<")
    assert "window.kaggle" in page
    assert "Boardwalk" in page
    assert "A" in env.render(mode="ansi")


def test_a_configuration_that_does_not_fit_is_refused() -> None:
    with pytest.raises(Exception, match="maxTurns"):
        make("monopoly", configuration={"maxTurns": 0})
