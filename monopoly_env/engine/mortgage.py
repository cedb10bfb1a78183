"""Mortgages: taking one, lifting one, and receiving a mortgaged deed."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.auction import bidding_for_building
from monopoly_env.engine.board import COLORS, GROUP, GROUP_BITS, NOBODY
from monopoly_env.engine.deeds import squares_of_built_groups
from monopoly_env.engine.journal import Event, Log, Reason, note
from monopoly_env.engine.money import pay, percent
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.sites import buildable
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why

FROM_DEAL, FROM_ESTATE = 0, 1  # the flag of a DEED item: which interest is due for keeping


@jit
def mortgageable(game: GameState, rules: RuleSet) -> int:
    """Return the deeds that ``may_mortgage`` allows."""
    if rules.no_mortgages != 0:
        return 0
    squares = game.owned[game.actor] & ~game.mortgaged
    if rules.mortgage_beside_buildings != 0:
        squares &= ~game.built
    else:
        squares &= ~squares_of_built_groups(game)
    if bidding_for_building(game):
        squares &= ~buildable(game, game.actor)
    return int(squares)


@jit
def may_mortgage(game: GameState, rules: RuleSet, square: int) -> int:
    """Mortgage an own deed whose group has no buildings.

    Source: 000 line 268; 001 line 218; 002 line 264.
    Differs: 002 speaks of the deed alone; ``mortgage_beside_buildings`` allows that reading.
    """
    if game.owner[square] != game.actor:
        return Why.NOT_OWNED if game.owner[square] == NOBODY else Why.NOT_YOURS
    if (game.mortgaged >> square) & 1 != 0:
        return Why.MORTGAGED
    if rules.no_mortgages != 0:
        return Why.NO_MORTGAGES
    group = GROUP[square]
    if group < COLORS:
        built = game.built & GROUP_BITS[group]
        if built >> square & 1 != 0 or (built != 0 and rules.mortgage_beside_buildings == 0):
            return Why.BUILDINGS_IN_GROUP
        if bidding_for_building(game) and buildable(game, game.actor) >> square & 1 != 0:
            return Why.BIDDING_ON_BUILDINGS
    return Why.OK


@jit
def mortgage(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Mortgage the deed and collect its mortgage value."""
    game.mortgaged |= bit(square)
    note(log, Event.MORTGAGE, game.actor, NOBODY, square, 0)
    pay(game, log, NOBODY, game.actor, rules.mortgage[square], Reason.MORTGAGE)


@jit
def lift_cost(rules: RuleSet, square: int) -> int:
    """Lifting a mortgage costs its value plus the interest, rounded up.

    Source: 000 line 272; 001 line 222; 002 line 264.
    """
    value = int(rules.mortgage[square])
    return value + percent(value, rules.lift_percent)


@jit
def lift_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the deeds for which ``may_lift`` must be checked."""
    return int(game.owned[game.actor] & game.mortgaged)


@jit
def may_lift(game: GameState, rules: RuleSet, square: int) -> int:
    """Lift the mortgage of an own deed; in DEED, only of the deed being decided."""
    if game.owner[square] != game.actor:
        return Why.NOT_OWNED if game.owner[square] == NOBODY else Why.NOT_YOURS
    if (game.mortgaged >> square) & 1 == 0:
        return Why.NOT_MORTGAGED
    if game.phase == Phase.DEED and lowest(top(game).squares) != square:
        return Why.NOT_THIS_ONE
    if game.cash[game.actor] < lift_cost(rules, square):
        return Why.NO_CASH
    return Why.OK


@jit
def lift(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Pay the mortgage value and interest, and unmortgage the deed."""
    if game.phase == Phase.DEED:
        top(game).squares &= ~bit(square)
    game.mortgaged &= ~bit(square)
    note(log, Event.LIFT, game.actor, NOBODY, square, 0)
    pay(game, log, game.actor, NOBODY, lift_cost(rules, square), Reason.LIFT)


# Receiving a mortgaged deed


@jit
def resume_deed(game: GameState) -> bool:
    """Ask the receiver of the next mortgaged deed, in board order, to lift or keep it."""
    squares = top(game).squares
    if squares == 0:
        pop(game)
        return False
    return wait(game, Phase.DEED, game.owner[lowest(squares)])


@jit
def keep_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the deed being decided, as a bit mask."""
    return bit(lowest(top(game).squares))


@jit
def may_keep(game: GameState, rules: RuleSet, square: int) -> int:
    """Keep the mortgage of the deed being decided."""
    return Why.OK if lowest(top(game).squares) == square else Why.NOT_THIS_ONE


@jit
def keep(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Keep the mortgage; interest on it is due now, and again when it is lifted.

    Source: 000 lines 182 and 280; 001 lines 228 to 230; 002 lines 264 and 270.
    Differs: ten per cent of the mortgage, although 001 speaks of the property's value.
    """
    item = top(game)
    item.squares &= ~bit(square)
    rate = rules.bankrupt_keep_percent if item.flag == FROM_ESTATE else rules.deal_keep_percent
    amount = percent(rules.mortgage[square], rate)
    if amount != 0:
        push(game, Task.DEBT, game.actor, NOBODY, square, amount, Reason.INTEREST)


@jit
def keep_interest(game: GameState, rules: RuleSet, squares: int) -> int:
    """Return the interest for keeping all mortgaged deeds among ``squares`` in a deal."""
    total = 0
    remaining = squares & game.mortgaged
    while remaining != 0:
        total += percent(rules.mortgage[lowest(remaining)], rules.deal_keep_percent)
        remaining &= remaining - 1
    return total
