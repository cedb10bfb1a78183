"""A bot for the protocol of docs/protocol.md, in plain Python: it buys, bids and builds.

Use it as exec:python3 examples/bots/greedy.py wherever a bot is named.
"""

from __future__ import annotations

import json
import sys
from typing import Any

RESERVE = 150  # $ kept in cash
# Otherwise, the first legal one of these. Raising money comes before selling buildings and
# going bankrupt.
FALLBACKS = [
    *("pass", "end_turn", "roll", "reject", "cancel", "auction", "keep", "tax_flat"),
    *("mortgage", "sell", "sell_group", "bankrupt"),
]

Message = dict[str, Any]
Prices = dict[str, int]


def choose(message: Message, prices: Prices) -> str:
    """Return the action for a decision: one of message["legal"]."""
    me = message["position"][message["seat"]]
    by_name: dict[str, str] = {}
    for action in message["legal"]:
        by_name.setdefault(action.partition(":")[0], action)
    if "buy" in by_name and me["cash"] - prices[me["at"]] >= RESERVE:
        return "buy"
    if "build" in by_name and me["cash"] >= RESERVE + 200:
        return by_name["build"]
    if message["phase"] == "AUCTION" and worth_bidding(message, prices, me["cash"]):
        return "raise:10"
    return next((by_name[name] for name in FALLBACKS if name in by_name), message["legal"][0])


def worth_bidding(message: Message, prices: Prices, cash: int) -> bool:
    """Return whether a raise of $10 stays within the list price and leaves the reserve."""
    engine = message["position"]["engine"]
    bid, price = engine.get("bid", 0) + 10, prices.get(engine.get("lot_square", ""), 0)
    return "raise:10" in message["legal"] and bid <= price and cash - bid >= RESERVE


def main() -> None:
    """Answer requests until the input ends."""
    prices: Prices = {}
    for line in sys.stdin:
        message = json.loads(line)
        if message["type"] == "hello":
            prices = {space["id"]: space.get("price", 0) for space in message["board"]}
        elif message["type"] == "decide":
            answer = {"id": message["id"], "action": choose(message, prices)}
            sys.stdout.write(json.dumps(answer) + "\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
