"""Models play one another in TextArena's loop."""

from __future__ import annotations

import pytest

pytest.importorskip("textarena")

import textarena as ta
from monopoly_training.language_models.textarena_env import MonopolyArena, register
from textarena.wrappers import LLMObservationWrapper

from tests.clients.textarena.play import play


def test_two_models_play_to_the_end_and_are_paid() -> None:
    read = {0: [], 1: []}

    def model(player):
        def answer(text):
            read[player].append(text)
            return '{"action": 1}'

        return answer

    rewards, info = play([model(0), model(1)], rules={"max_turns": 60})
    assert set(rewards) == {0, 1}
    assert all(-1 <= reward <= 1 for reward in rewards.values())
    assert "You play Monopoly as A." in read[0][0]
    assert "You play Monopoly as B." in read[1][0]
    assert all("You are B." in text for text in read[1])
    assert not any("You play Monopoly" in text for text in read[0][1:])
    assert [info[player]["turn_count"] for player in (0, 1)] == [len(read[0]), len(read[1])]
    assert not info[0]["invalid_move"]


def test_the_same_seed_is_the_same_game() -> None:
    games = [play([lambda text: "1"] * 2, seed=3, rules={"max_turns": 40}) for _ in range(2)]
    assert games[0] == games[1]


def test_answers_of_no_use_are_told() -> None:
    _, info = play([lambda text: "no idea"], rules={"max_turns": 12}, tries=2)
    assert info[0]["invalid_move"]
    assert info[0]["counts"]["unreadable"] == 2 * info[0]["counts"]["fallbacks"] > 0


def test_textarenas_wrapper_for_models_takes_it() -> None:
    env = LLMObservationWrapper(MonopolyArena(bots=1, bot="random"))
    env.reset(num_players=1, seed=1)
    for _ in range(3):
        player, text = env.get_observation()
        assert (player, text.startswith("\n[GAME] You play Monopoly as A.")) == (0, True)
        env.step("1")


def test_registering_twice_is_fine() -> None:
    register()
    register()
    env = ta.make("Monopoly-v0")
    assert isinstance(getattr(env, "env", env), MonopolyArena)
