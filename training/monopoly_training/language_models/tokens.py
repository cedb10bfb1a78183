"""Measure the tokens that a game costs a language model, with a bot answering the prompts."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from monopoly_env.agent import Agent, make_agent
from monopoly_env.bots import safe_action
from monopoly_env.errors import InputError, show
from monopoly_env.extras import is_installed, need
from monopoly_env.playing import is_legal
from monopoly_env.text.decision_filter import Asks
from monopoly_env.text.env import TextEnv
from monopoly_env.view import View
from monopoly_training.common.progress import NoProgress, Progress

Count = Callable[[str], int]
PIECES = re.compile(r"[^\W\d]{1,6}|\d{1,3}|[^\w\s]|_")
# kinds without randomness or other players' answers
SETTLED = ("build", "mortgage", "sell", "sell_group")
LONGEST = 20  # maximum number of actions per answer
ESTIMATE = "pieces"  # up to six letters, three digits, or one sign per token
ENCODINGS = ("o200k_base", "cl100k_base")


def default_tokenizer() -> str:
    """Return the default encoding if the extra ``tokens`` is installed, otherwise the estimate."""
    return ENCODINGS[0] if is_installed("bpe_openai") else ESTIMATE


def token_counter(tokenizer: str) -> Count:
    """Return a function that counts the tokens of a text.

    ``o200k_base`` and ``cl100k_base`` are OpenAI's encodings, whose vocabularies come with the
    extra ``tokens``; ``pieces`` is an estimate without dependencies.

    >>> token_counter("pieces")("Mediterranean Avenue for $60")
    7

    Raises: InputError for another name; MissingExtra.
    """
    if tokenizer == ESTIMATE:
        return lambda text: len(PIECES.findall(text))
    if tokenizer not in ENCODINGS:
        known = ", ".join((*ENCODINGS, ESTIMATE))
        InputError.at("--tokenizer").fail(f"must be one of {known}, not {show(tokenizer)}")
    encoding: Any = need(f"--tokenizer {tokenizer}", "bpe_openai").get_encoding(tokenizer)
    return lambda text: len(encoding.encode(text))


@dataclass
class Cost:
    """The prompt tokens of some games; a prompt is the instructions and an observation.

    Attributes:
        games: tokens of each game, over all seats that are asked.
        answers: number of prompts of each game.
        prompts: tokens of each prompt, by phase.
        instructions, guide: tokens of the system prompt, which is part of every prompt, and of the
            guide, which is not.
    """

    tokenizer: str
    instructions: int = 0
    guide: int = 0
    games: list[int] = field(default_factory=list)
    answers: list[int] = field(default_factory=list)
    prompts: dict[str, list[int]] = field(default_factory=dict)

    def price(self, read: float, written: float, tokens_written: int) -> dict[str, Any]:
        """Return the cost of a game in $, given prices per million input and output tokens.

        ``tokens_written`` is the number of output tokens per answer, including any reasoning.
        """
        games = np.array(self.games) * read + np.array(self.answers) * tokens_written * written
        return {
            "price_read": read,
            "price_written": written,
            "tokens_written_an_answer": tokens_written,
            "cost_mean": round(float(games.mean()) / 1e6, 4),
            "cost_p95": round(float(np.percentile(games, 95)) / 1e6, 4),
        }

    def summary(self) -> dict[str, Any]:
        """Return the figures as data: means, and the 95th percentile over games."""
        games = np.array(self.games)
        return {
            "tokenizer": self.tokenizer,
            "games": len(games),
            "tokens_mean": round(float(games.mean())),
            "tokens_p95": round(float(np.percentile(games, 95))),
            "tokens_most": int(games.max()),
            "answers_mean": round(float(np.mean(self.answers)), 1),
            "instructions": self.instructions,
            "guide": self.guide,
            "phases": {
                phase: {
                    "a_game": round(len(rows) / len(games), 1),
                    "tokens_mean": round(float(np.mean(rows))),
                }
                for phase, rows in sorted(self.prompts.items(), key=lambda row: -sum(row[1]))
            },
        }


def measure(
    env: TextEnv,
    player: str,
    seeds: Iterable[int],
    tokenizer: str,
    progress: Progress | None = None,
) -> Cost:
    """Play a game per seed with the bot ``player``, and count the tokens of its prompts."""
    count, bot, show_at = token_counter(tokenizer), make_agent(player), progress or NoProgress()
    cost, todo = Cost(tokenizer), list(seeds)
    for number, seed in enumerate(todo):
        env.reset(seed=seed)
        cost.instructions, cost.guide = count(env.instructions), count(env.guide)
        tokens = Counter[str]()
        answers, over = 0, False
        bot.reset(seed)
        while not over:
            view = env.view
            prompt = cost.instructions + count(env.observe())
            cost.prompts.setdefault(view.game.phase.name, []).append(prompt)
            tokens["all"] += prompt
            answers += 1
            _, _, terminated, truncated, _ = env.step(answer_of(bot, env))
            over = terminated or truncated
        cost.games.append(tokens["all"])
        cost.answers.append(answers)
        show_at.update((number + 1) / len(todo), f"{np.mean(cost.games):,.0f} tokens a game")
    return cost


def answer_of(bot: Agent, env: TextEnv) -> str:
    """Return a bot's decision as a model would answer, with consecutive builds and sales in one."""
    view, asks, plan = env.view, Asks(env.options.asks), []
    game, phase = env.game, env.view.game.phase
    while True:
        action = bot.decide(view)
        chosen = int(action) if is_legal(action, view.mask) else safe_action(view.mask)
        plan.append(game.text(chosen))
        if plan[-1].partition(":")[0] not in SETTLED or len(plan) == LONGEST:
            return json.dumps({"actions": plan})
        game.play(chosen)
        mask = game.legal_mask()
        shown = (
            asks.offered(phase, mask)
            if (game.actor_seat, game.phase) == (view.seat, phase)
            else None
        )
        if shown is None or np.count_nonzero(mask) == 1:
            return json.dumps({"actions": plan})
        view = View(game.state.reshape(1), 0, game.edition, shown)
