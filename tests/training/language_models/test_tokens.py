"""What a game costs in tokens."""

from __future__ import annotations

import json

import pytest
from monopoly_training.cli import main
from monopoly_training.language_models.tokens import (
    ESTIMATE,
    PIECES,
    Cost,
    answer_of,
    default_tokenizer,
    measure,
    token_counter,
)

from monopoly_env import TextEnv
from monopoly_env.bots import make_agent
from monopoly_env.errors import InputError
from monopoly_env.extras import MissingExtra, is_installed


def test_a_short_game_is_read_in_fewer_than_60_000_tokens() -> None:
    """The estimate counts more than tokenizers do, so this holds for them too."""
    env = TextEnv("short", opponents=["background"] * 3)
    cost = measure(env, "strategist", range(8), ESTIMATE)
    assert sum(cost.games) / len(cost.games) < 60_000
    assert sum(cost.games) == sum(sum(rows) for rows in cost.prompts.values())
    assert sum(cost.answers) == sum(len(rows) for rows in cost.prompts.values())


def test_a_full_game_costs_more() -> None:
    costs = [
        measure(
            TextEnv(preset, opponents=["background"] * 3, rules={"max_turns": 40}),
            "fixed_a",
            [1],
            ESTIMATE,
        )
        for preset in ("short", "full")
    ]
    assert costs[0].games[0] < costs[1].games[0]
    assert costs[0].answers[0] < costs[1].answers[0]


def test_what_is_counted_is_what_is_sent() -> None:
    env = TextEnv("short", opponents=["random"])
    sent = 0
    env.reset(seed=3)
    bot = make_agent("fixed_a")
    bot.reset(3)
    over = False
    while not over:
        sent += len(PIECES.findall(env.prompt()))
        *_, terminated, truncated, _ = env.step(answer_of(bot, env))
        over = terminated or truncated
    cost = measure(TextEnv("short", opponents=["random"]), "fixed_a", [3], ESTIMATE)
    assert cost.games == [sent]


def test_a_tokenizer_that_there_is_not_is_one_line() -> None:
    with pytest.raises(
        InputError, match="--tokenizer: must be one of o200k_base, cl100k_base, pieces"
    ):
        token_counter("gpt")
    if not is_installed("bpe_openai"):
        assert default_tokenizer() == ESTIMATE
        with pytest.raises(MissingExtra, match=r"monopoly-env\[tokens\]"):
            token_counter("o200k_base")


def test_the_command_prints_figures(capsys: pytest.CaptureFixture[str]) -> None:
    words = ["tokens", "short", "--player", "fixed_a", "--against", "random", "--games", "2"]
    assert main([*words, "--tokenizer", "pieces", "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert (told["games"], told["tokenizer"]) == (2, "pieces")
    assert told["tokens_mean"] <= told["tokens_p95"] <= told["tokens_most"]
    assert main([*words, "--tokenizer", "pieces"]) == 0
    assert f"(pieces): {told['tokens_mean']:,}; 95% of games" in capsys.readouterr().out


def test_a_bot_builds_in_one_answer() -> None:
    position = {
        "players": 2,
        "turn": "A",
        "A": {"cash": 3000, "deeds": ["park_place", "boardwalk"]},
        "B": {"deeds": ["reading"]},
    }
    env = TextEnv("short", opponents=["random"])
    env.reset(seed=2, options={"position": position})
    bot = make_agent("strategist")
    bot.reset(2)
    longest = 0
    for _ in range(12):
        plan = json.loads(answer_of(bot, env))["actions"]
        *_, terminated, truncated, info = env.step(json.dumps({"actions": plan}))
        assert info["played"] == plan[: len(info["played"])]
        longest = max(longest, len([one for one in info["played"] if one.startswith("build")]))
        if terminated or truncated:
            break
    assert longest > 1


def test_a_price_makes_a_cost_of_what_is_read_and_written() -> None:
    cost = Cost(ESTIMATE, games=[1_000_000, 3_000_000], answers=[100, 300])
    row = cost.price(read=2.0, written=10.0, tokens_written=50)
    assert row["cost_mean"] == pytest.approx((2 + 0.05 + 6 + 0.15) / 2)
    assert row["cost_p95"] <= 6.15


def test_the_command_tells_the_cost(capsys: pytest.CaptureFixture[str]) -> None:
    played = ["tokens", "short", "--against", "random", "--games", "1", "--rule", "max_turns=8"]
    assert main([*played, "--tokenizer", "pieces", "--price", "3", "--price-written", "15"]) == 0
    assert "cost a game: $0." in capsys.readouterr().out
    assert main([*played, "--written", "3"]) != 0
    assert "--price" in capsys.readouterr().err
