"""A bot that asks a language model, and a stand-in that needs no model.

Use the stand-in as python:examples/llm_bot.py:OfflineBot. For your own model, give TextBot a
function that sends a prompt and returns the answer:

    class MyBot(TextBot):
        def __init__(self):
            super().__init__(lambda prompt: client.complete(prompt), "my model")
"""

from __future__ import annotations

import re

from monopoly_env.bots import TextBot

RESERVE = 200
FALLBACKS = [
    *("pass", "end_turn", "roll", "reject", "cancel", "auction", "keep", "tax_flat"),
    *("mortgage", "sell", "sell_group", "bankrupt", "build", "to", "attack"),
]


def stand_in(prompt: str) -> str:
    """Return an answer in the style of a model: one line of reasoning, then JSON."""
    cash = int(re.search(r", you\): \D*([\d.,]+)", prompt)[1].replace(",", "").replace(".", ""))  # type: ignore[index]
    legal = prompt.rpartition("Legal actions:")[2]
    price = re.search(r"- buy: .*\(pay \D*([\d.,]+)\)", legal)
    if price and cash - int(re.sub(r"\D", "", price[1])) >= RESERVE:
        return answer("The property is worth having.", "buy")
    build = re.search(r"- build:X .*?: (\w+)", legal)
    if build and cash >= 2 * RESERVE:
        return answer("Rents grow with buildings.", f"build:{build[1]}")
    for name in FALLBACKS:
        plain = re.search(rf"^- {name}: ", legal, re.MULTILINE)
        first = re.search(rf"^- {name}:X .*?: (\w+)", legal, re.MULTILINE)
        if plain or first:
            return answer("Nothing better to do.", name if plain else f"{name}:{first[1]}")  # type: ignore[index]
    return "I cannot decide."


def answer(thought: str, action: str) -> str:
    """Format a thought and an action as models do."""
    return f'{thought}\n```json\n{{"action": "{action}"}}\n```'


class OfflineBot(TextBot):
    """A bot that uses the stand-in."""

    def __init__(self) -> None:
        super().__init__(stand_in, "stand-in")
