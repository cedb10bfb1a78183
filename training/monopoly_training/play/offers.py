"""Deals as a page composes them, both sides at once, turned into the steps of the rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from monopoly_env.engine.actions import CASH_STEPS, IDS, ITEM
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import InputError
from monopoly_env.game import Game, IllegalAction
from monopoly_env.notation import LETTERS
from monopoly_env.position.public_state import members
from monopoly_training.play.live_game import per_mille

MOST_CASH = 10_000_000
KEYS = ("partner", "give", "ask", "cash")


@dataclass(frozen=True)
class Terms:
    """A whole offer. Items are squares; 40 and 41 are kept cards."""

    partner: int
    give: tuple[int, ...]
    ask: tuple[int, ...]
    cash: int  # that the proposer receives; negative: pays


def read_terms(raw: object, game: Game) -> Terms:
    """Return the offer that a page sent. Raises: InputError, one line."""
    location = InputError.at("deal")
    data = location.mapping(raw, "key", KEYS)
    partner = (location / "partner").whole(data.get("partner"), 0, game.players - 1)
    cash = (location / "cash").whole(data.get("cash", 0), -MOST_CASH, MOST_CASH)
    return Terms(partner, _items(data, "give"), _items(data, "ask"), cash)


def _items(data: dict[str, Any], key: str) -> tuple[int, ...]:
    location = InputError.at("deal") / key
    raw = data.get(key, [])
    if not isinstance(raw, list) or len(raw) > len(ITEM.values):
        location.fail("must be a list of deeds")
    found = tuple(location.whole(item, 0, max(ITEM.values)) for item in raw)
    if any(item not in ITEM.values for item in found):
        location.fail("names a space that cannot be traded")
    return tuple(dict.fromkeys(found))


def steps_of(terms: Terms, game: Game) -> list[str]:
    """Return the actions by which the actor makes this offer.

    They continue an offer that is being composed and keep its contents.
    """
    state = game.state
    composing = game.phase is Phase.DEAL
    steps = [] if composing else [f"deal:{LETTERS[terms.partner]}"]
    given = members(int(state["deal_give"])) if composing else ()
    wanted = members(int(state["deal_ask"])) if composing else ()
    steps += [f"give:{_label(item)}" for item in terms.give if item not in given]
    steps += [f"ask:{_label(item)}" for item in terms.ask if item not in wanted]
    cash = terms.cash
    if composing:
        cash -= int(state["deal_ask_cash"]) - int(state["deal_give_cash"])
    steps += [f"{'ask' if cash > 0 else 'give'}_cash:{step}" for step in cash_steps(abs(cash))]
    return [*steps, "offer"]


def _label(item: int) -> str:
    return ITEM.labels[ITEM.values.index(item)]


def cash_steps(amount: int) -> list[int]:
    """Return an amount as steps of cash, the largest first."""
    steps = []
    for step in reversed(CASH_STEPS):
        steps += [step] * (amount // step)
        amount %= step
    return steps


def try_offer(terms: Terms, game: Game) -> dict[str, Any]:
    """Return the objection to an offer, if any, and all win probabilities before and after it."""
    trial = game.copy()
    result: dict[str, Any] = {"problem": "", "now": per_mille(game), "then": None}
    if not _goes_on_with(terms, game):
        result["problem"] = "what is in the offer stays; cancel it to start over"
        return result
    try:
        for step in steps_of(terms, trial):
            trial.play(step)
    except IllegalAction as problem:
        result["problem"] = str(problem.reason)
        return result
    trial.play(IDS["accept"])
    return {**result, "then": per_mille(trial)}


def _goes_on_with(terms: Terms, game: Game) -> bool:
    """Return whether an offer includes everything in the offer that is being composed."""
    if game.phase is not Phase.DEAL:
        return True
    state = game.state
    cash = int(state["deal_ask_cash"]) - int(state["deal_give_cash"])
    return (
        int(state["partner"]) == terms.partner
        and set(members(int(state["deal_give"]))) <= set(terms.give)
        and set(members(int(state["deal_ask"]))) <= set(terms.ask)
        and (cash == 0 or (terms.cash * cash > 0 and abs(terms.cash) >= abs(cash)))
    )
