"""habits: answers offers by list prices, with individual habits.

These bots imitate people who go by the printed prices: a deed is worth its price, more if it
completes a group, and one that completes someone else's group is for sale only dearly or not at
all. In all other decisions they play as the strategist, with individual weights.
"""

from __future__ import annotations

from monopoly_agents.habits.weights import Answers, habits_at
from monopoly_agents.strategist.cash import meet_debt
from monopoly_agents.strategist.policy import decide_elsewhere, decide_window
from monopoly_agents.valuation import book_value, in_complete_color
from monopoly_env.bots.actions import id_of
from monopoly_env.bots.deals import Deal, offered_deal
from monopoly_env.compiler.bits import lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, GROUP, GROUP_BITS
from monopoly_env.engine.dispatch import Kind
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.policy import ViewState, policy
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState


@jit
def worth_received(
    game: GameState, rules: RuleSet, answers: Answers, receiver: int, deeds: int
) -> float:
    """Return what deeds are worth to their receiver, in $."""
    total = 0.0
    owned = int(game.owned[receiver])
    remaining = deeds & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        worth = float(book_value(game, rules, square))
        group = GROUP_BITS[GROUP[square]]
        if (owned | deeds) & group == group:
            worth *= answers.complete
        elif owned & group != 0:
            worth *= answers.beside
        total += worth
    return total


@jit
def worth_given(game: GameState, rules: RuleSet, answers: Answers, deal: Deal) -> float:
    """Return what one's own deeds in a deal are worth to oneself, in $."""
    total, other = 0.0, float(worth_received(game, rules, answers, deal.partner, deal.give))
    owned = int(game.owned[deal.me])
    remaining = deal.give & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        worth = float(book_value(game, rules, square))
        other -= worth
        if in_complete_color(owned, square):
            worth *= answers.breaks
        elif owned & GROUP_BITS[GROUP[square]] & ~deal.give != 0:
            worth *= answers.beside
        total += worth
    return total + answers.block * other


@jit
def accepts(game: GameState, rules: RuleSet, answers: Answers, deal: Deal) -> bool:
    """Return whether an offer is accepted."""
    if answers.refuses != 0 or game.cash[deal.me] + deal.cash < min(
        answers.keep, float(game.cash[deal.me])
    ):
        return False
    received = worth_received(game, rules, answers, deal.me, deal.ask) + max(deal.cash, 0)
    given = worth_given(game, rules, answers, deal) + max(-deal.cash, 0)
    return bool(received >= answers.ratio * given)


@policy
def habits(game: GameState, rules: RuleSet, view: ViewState) -> int:
    """Answer offers by list prices and individual habits; otherwise play as the strategist."""
    numbers = habits_at(view.weights)
    phase = game.phase
    if phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN:
        return decide_window(game, rules, numbers.weights, view)
    if phase == Phase.ANSWER:
        deal = offered_deal(game, view.seat)
        return id_of(Kind.ACCEPT if accepts(game, rules, numbers.answers, deal) else Kind.REJECT)
    if phase == Phase.DEBT:
        return meet_debt(game, rules, numbers.weights, view)
    return decide_elsewhere(game, rules, numbers.weights, view)
