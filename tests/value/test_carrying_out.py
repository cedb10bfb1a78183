"""A deal carried out in a copy leaves what the rules leave once it is accepted."""

from __future__ import annotations

from typing import Any

import numpy as np

from monopoly_env.compiler.records import copy_records
from monopoly_env.engine.board import CARD_CHANCE, CARD_CHEST, SPACE_IDS
from monopoly_env.negotiation.kernel import carry_out_all
from tests.engine.positions import play, position

A: dict[str, Any] = {"deeds": ["water", "reading"], "cards": ["card_chance"]}
B: dict[str, Any] = {"deeds": ["boardwalk*"], "cards": ["card_chest"]}
STEPS = (
    "deal:B",
    "give:water",
    "give:card_chance",
    "ask:boardwalk",
    "ask:card_chest",
    "give_cash:100",
)


def bits(deed: str, card: int) -> int:
    """A deed and a kept card."""
    return 1 << SPACE_IDS.index(deed) | 1 << card


def test_it_is_what_the_rules_do() -> None:
    game = position(A=A, B=B)
    copies = copy_records(game.state.reshape(1))
    play(game, *(f"A {step}" for step in STEPS), "A offer", "B accept", "A keep:boardwalk")
    items = np.array([[bits("water", CARD_CHANCE), bits("boardwalk", CARD_CHEST)]])
    carry_out_all(copies, game.edition.rules, np.array([[0, 1]]), items, np.array([-100]))
    after = game.state
    for name in ("owner", "owned", "card_holder", "cash"):
        np.testing.assert_array_equal(copies[name][0], after[name], name)
