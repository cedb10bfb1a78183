"""How the strategist makes offers: what is best for itself first, then giving way.

Memory holds for each partner how often it refused, and so how far the next offer gives way. The
first numbers of the memory are the plan that offers.py composes from.
"""

from __future__ import annotations

from monopoly_agents.scripted.offer_steps import ASK, CASH, GIVE, PARTNER, begin_steps, items_of
from monopoly_agents.strategist.deal_value import factors, least_gain, sides
from monopoly_agents.strategist.weights import LEVELS, Weights
from monopoly_agents.strategist.win_share import rivals_squared, share
from monopoly_agents.valuation import NO_ACTION, ids
from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.board import DEED_BITS, GROUP, GROUP_BITS, GROUPS
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.deal_terms import tradable
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.dispatch import VALUE_OF, Kind
from monopoly_env.engine.policy import ViewState
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import GameState

# Memory beyond the plan
ASKED = 4  # seat + 1 to whom an offer is out; 0: to nobody
REFUSED = 5  # refusals before it
SOUGHT = 6  # the turn in which no offer worth making was found
LEVEL = 8  # from here on, for each seat: refusals in a row; offers give way with each
RESTS = 16  # from here on, for each seat: the turn before which it is not asked again
MOST_REST = 20  # rounds
FINE = 10  # $ to which the cash of an offer is sought


@jit
def least_factor(game: GameState, weights: Weights, view: ViewState, partner: int) -> float:
    """The least that a partner's share is multiplied by, as far as offers to it give way now."""
    level = int(view.memory[LEVEL + partner]) % LEVELS
    two = alive_count(game) == 2
    return float(weights.gives_way_of_two[level] if two else weights.gives_way[level])


# Finding an offer


@jit
def best_cash(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    me: int,
    partner: int,
    give: int,
    ask: int,
    rest: float,
    wanted: float,
    least: float,
) -> tuple[int, float]:
    """The most cash to receive at which the partner's share stays at ``wanted`` or more.

    ``rest`` is the others' sum of squares. Returns the cash (paid if negative) and one's own
    share then; -1.0 if that could not be more than ``least``.
    """
    low, high = -int(game.cash[me]), int(game.cash[partner])
    mine, theirs = sides(game, rules, weights, me, partner, give, ask, float(high))
    if share(mine, theirs, rest) <= least:
        return 0, -1.0
    if share(theirs, mine, rest) >= wanted:
        return high, share(mine, theirs, rest)
    mine, theirs = sides(game, rules, weights, me, partner, give, ask, float(low))
    if share(theirs, mine, rest) < wanted:
        return 0, -1.0
    while high - low > FINE:
        cash = (low + high) // 2
        after_me, after_partner = sides(game, rules, weights, me, partner, give, ask, float(cash))
        if share(after_partner, after_me, rest) >= wanted:
            low, mine, theirs = cash, after_me, after_partner
        else:
            high = cash
    return low, share(mine, theirs, rest)


@jit
def missing_of(game: GameState, player: int, holder: int, group: int) -> int:
    """The deeds by which ``holder`` could complete a group for ``player``; 0 if it could not."""
    missing = GROUP_BITS[group] & ~game.owned[player]
    if missing == 0 or missing & ~tradable(game, holder) != 0:
        return 0
    return int(missing)


@jit
def loose_deeds(game: GameState, player: int) -> int:
    """Tradable deeds outside a player's complete groups."""
    loose = tradable(game, player) & DEED_BITS
    for group in range(GROUPS):
        if game.owned[player] & GROUP_BITS[group] == GROUP_BITS[group]:
            loose &= ~GROUP_BITS[group]
    return int(loose)


@jit
def wish(game: GameState, me: int, partner: int, number: int) -> int:
    """The ``number``-th set of a partner's deeds to ask for; -1 after the last.

    Nothing; what completes each group; all that is loose; then each loose deed beside own ones.
    """
    if number == 0:
        return 0
    if number <= GROUPS:
        return missing_of(game, me, partner, number - 1)
    loose = loose_deeds(game, partner)
    if number == GROUPS + 1:
        return loose
    rest = loose
    for _ in range(number - GROUPS - 2):
        rest &= rest - 1
    if rest == 0:
        return -1
    square = lowest(rest)
    return bit(square) if game.owned[me] & GROUP_BITS[GROUP[square]] != 0 else 0


@jit
def best_offer(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    view: ViewState,
    partner: int,
    least: float,
) -> tuple[int, int, int, float]:
    """The best offer to a partner at which its share is multiplied by ``least`` or more.

    Returns deeds given, deeds asked for, cash received, and what the own share is multiplied by.
    """
    me = int(view.seat)
    rest = rivals_squared(game, rules, weights, me, partner)
    mine, theirs = sides(game, rules, weights, me, partner, 0, 0, 0.0)
    before = share(mine, theirs, rest)
    wanted = least * share(theirs, mine, rest)
    best_give, best_ask, best_paid, best = 0, 0, 0, 0.0
    number = 0
    while True:
        ask = wish(game, me, partner, number)
        if ask < 0:
            return best_give, best_ask, best_paid, best / before
        for group in range(-1, GROUPS if number <= GROUPS + 1 else 0):
            give = 0 if group < 0 else missing_of(game, partner, me, group)
            if (give != 0 or group < 0) and ask | give != 0:
                floor = max(
                    best, before * least_gain(game, weights, weights.gain, me, partner, give, ask)
                )
                cash, after = best_cash(
                    game, rules, weights, me, partner, give, ask, rest, wanted, floor
                )
                if after > best and (give != 0 or cash < 0):
                    best_give, best_ask, best_paid, best = give, ask, cash, after
        number += 1


@jit
def make_offer(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """The first action of the best offer to anybody; NO_ACTION if none is worth making."""
    learn(game, view)
    if rules.deals == Deals.OFF or game.offers_left[view.seat] <= 0:
        return NO_ACTION
    if view.memory[SOUGHT] == game.turns:
        return NO_ACTION
    menu = rules.deals == Deals.MENU
    action = (
        best_proposal(game, rules, weights, view)
        if menu
        else best_composed(game, rules, weights, view)
    )
    if action == NO_ACTION:
        view.memory[SOUGHT] = game.turns
    return action


@jit
def is_open(game: GameState, view: ViewState, partner: int) -> bool:
    """Whether a partner is in the game and has not just refused every level."""
    return bool(game.out[partner] == 0 and game.turns >= view.memory[RESTS + partner])


@jit
def best_composed(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """The action that begins the best offer to anybody, composed in steps."""
    best, best_gain = NO_ACTION, 0.0
    for left in range(1, game.players):
        partner = (int(view.seat) + left) % int(game.players)
        if is_open(game, view, partner):
            least = least_factor(game, weights, view, partner)
            give, ask, cash, gain = best_offer(game, rules, weights, view, partner, least)
            if gain > best_gain:
                action = begin_steps(game, rules, view, partner, ask, give, -cash)
                if action != NO_ACTION:
                    best, best_gain = action, gain
                    plan(game, view, partner, ask, give, -cash)
    return best


@jit
def best_proposal(game: GameState, rules: RuleSet, weights: Weights, view: ViewState) -> int:
    """The best offer of the menu that leaves its partner what the level asks for."""
    best, best_gain = NO_ACTION, 0.0
    for action in ids(Kind.PROPOSE):
        if view.mask[action] != 0:
            partner, give, ask, cash = menu_offer(game, rules, VALUE_OF[action])
            mine, theirs = factors(game, rules, weights, view.seat, partner, give, ask, cash)
            wanted = max(
                best_gain, least_gain(game, weights, weights.gain, view.seat, partner, give, ask)
            )
            if is_open(game, view, partner) and mine > wanted:
                if theirs >= least_factor(game, weights, view, partner):
                    best, best_gain = action, mine
                    plan(game, view, partner, 0, 0, 0)
    return best


# Memory


@jit
def plan(game: GameState, view: ViewState, partner: int, ask: int, give: int, cash: int) -> None:
    """Note an offer that is to be made."""
    view.memory[PARTNER] = partner + 1
    view.memory[ASK] = items_of(ask)
    view.memory[GIVE] = items_of(give)
    view.memory[CASH] = cash
    view.memory[ASKED] = partner + 1
    view.memory[REFUSED] = game.refused[view.seat]


@jit
def learn(game: GameState, view: ViewState) -> None:
    """After a refusal, give way one level; after the last, begin anew, ever later."""
    asked = int(view.memory[ASKED])
    view.memory[ASKED] = 0
    if asked > 0 and game.refused[view.seat] > view.memory[REFUSED]:
        refusals = int(view.memory[LEVEL + asked - 1]) + 1
        view.memory[LEVEL + asked - 1] = refusals
        if refusals % LEVELS == 0:
            rest = min(refusals // LEVELS - 1, MOST_REST)
            view.memory[RESTS + asked - 1] = game.turns + rest * game.players
    elif asked > 0:
        view.memory[LEVEL + asked - 1] %= LEVELS
