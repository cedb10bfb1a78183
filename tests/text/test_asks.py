"""Which decisions a model is asked for, and what a bot may do in its place."""

from __future__ import annotations

import numpy as np

from monopoly_env.engine.actions import IDS, N_ACTIONS
from monopoly_env.engine.phases import Phase
from monopoly_env.text.decision_filter import SHORT, Ask, Asks


def mask(*actions: str) -> np.ndarray:
    legal = np.zeros(N_ACTIONS, np.int8)
    legal[[IDS[action] for action in actions]] = 1
    return legal


def kinds(bits: np.ndarray | None) -> set[str] | None:
    names = list(IDS)
    return None if bits is None else {names[i] for i in bits.nonzero()[0]}


def test_without_asks_everything_is_asked() -> None:
    legal = mask("roll", "mortgage:reading")
    assert kinds(Asks(None).offered(Phase.TURN, legal)) == {"roll", "mortgage:reading"}


def test_a_phase_is_asked_where_one_of_its_kinds_is_legal() -> None:
    short = Asks(SHORT)
    legal = mask("end_turn", "build:baltic", "lift:reading", "sell:baltic")
    assert kinds(short.offered(Phase.END, legal)) == {"end_turn", "build:baltic"}
    assert short.offered(Phase.END, mask("end_turn", "mortgage:reading")) is None
    assert short.offered(Phase.DEED, mask("lift:reading", "keep:reading")) is None
    assert short.offered(Phase.TURN, mask("roll", "build:baltic")) is None
    assert kinds(short.offered(Phase.TURN, mask("roll", "jail_pay"))) == {"roll", "jail_pay"}


def test_a_lone_shown_action_is_no_question() -> None:
    asks = Asks({"BUY": Ask(("auction",))})
    assert asks.offered(Phase.BUY, mask("auction", "sell:baltic")) is None


def test_the_bot_has_what_is_left_to_it() -> None:
    short = Asks(SHORT)
    legal = mask("roll", "build:baltic", "lift:reading", "mortgage:bno", "propose:1")
    assert kinds(short.left(Phase.TURN, legal)) == {"roll", "lift:reading"}
    assert kinds(short.left(Phase.DEED, mask("lift:bno", "keep:bno"))) == {"lift:bno", "keep:bno"}
    assert kinds(short.left(Phase.BUY, mask("sell:baltic"))) == {"sell:baltic"}
