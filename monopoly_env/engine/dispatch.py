"""Written by write_dispatch.py from the table in actions.py. Do not edit."""

from __future__ import annotations

from enum import IntEnum

from monopoly_env.compiler.bits import bit, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.actions import BASE, DEED_INDEX, KIND_OF, STREET_INDEX, VALUE_OF
from monopoly_env.engine.auction import (
    may_open,
    may_pass_auction,
    may_raise,
    open_bid,
    pass_auction,
    raise_bid,
)
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.building import build, build_candidates, may_build
from monopoly_env.engine.buying import auction, buy, decline, may_auction, may_buy, may_decline
from monopoly_env.engine.deal_menu import may_propose, propose, propose_candidates
from monopoly_env.engine.debt import bankrupt, may_bankrupt
from monopoly_env.engine.deeds import deed_bits, item_bits
from monopoly_env.engine.jail import jail_card, jail_pay, may_jail_card, may_jail_pay
from monopoly_env.engine.journal import Log
from monopoly_env.engine.mortgage import (
    keep,
    keep_candidates,
    lift,
    lift_candidates,
    may_keep,
    may_lift,
    may_mortgage,
    mortgage,
    mortgageable,
)
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.powers import (
    attack,
    attack_candidates,
    may_attack,
    may_power,
    may_teleport,
    power,
    teleport,
)
from monopoly_env.engine.rent import ask_rent, may_ask_rent
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.scarcity import claim, may_claim, pass_claim
from monopoly_env.engine.selling import (
    may_sell,
    may_sell_group,
    sell,
    sell_candidates,
    sell_group,
    sell_group_candidates,
)
from monopoly_env.engine.state import GameState, Int64s
from monopoly_env.engine.tax import may_tax, tax_flat, tax_percent
from monopoly_env.engine.trade import (
    accept,
    ask,
    ask_cash,
    cancel,
    deal,
    give,
    give_cash,
    may_answer,
    may_ask,
    may_ask_cash,
    may_cancel,
    may_deal,
    may_give,
    may_give_cash,
    may_offer,
    offer,
    partners,
    reject,
    to_ask,
    to_give,
)
from monopoly_env.engine.turn import end_turn, may_end_turn, may_pass, may_roll, pass_window, roll
from monopoly_env.engine.why import Why


class Kind(IntEnum):
    """The kinds of action, as named in the table."""

    ROLL = 0
    JAIL_PAY = 1
    JAIL_CARD = 2
    END_TURN = 3
    PASS = 4
    BUY = 5
    AUCTION = 6
    OPEN = 7
    RAISE = 8
    ASK_RENT = 9
    TAX_FLAT = 10
    TAX_PERCENT = 11
    POWER = 12
    TO = 13
    ATTACK = 14
    BANKRUPT = 15
    BUILD = 16
    SELL = 17
    SELL_GROUP = 18
    MORTGAGE = 19
    LIFT = 20
    KEEP = 21
    CLAIM = 22
    DEAL = 23
    GIVE = 24
    ASK = 25
    GIVE_CASH = 26
    ASK_CASH = 27
    OFFER = 28
    CANCEL = 29
    ACCEPT = 30
    REJECT = 31
    PROPOSE = 32


@jit
def seat_of(game: GameState, left: int) -> int:
    """Return the seat ``left`` places to the actor's left; PLAYERS if there is none."""
    if left >= game.players:
        return PLAYERS
    seat = int(game.actor) + left
    return seat if seat < game.players else seat - int(game.players)


@jit
def seat_bits(game: GameState, seats: int) -> int:
    """Reorder a bit mask of other seats to begin with the actor's left neighbor."""
    if seats == 0:  # also without a running game
        return 0
    first = int(game.actor) + 1
    return seats >> first | (seats & (bit(first) - 1)) << (int(game.players) - first)


@jit
def why(game: GameState, rules: RuleSet, action: int) -> int:
    """Return why an action is illegal, or Why.OK."""
    phase = game.phase
    kind = KIND_OF[action]
    if phase == Phase.OVER:
        return Why.GAME_OVER
    if kind == Kind.ROLL and (phase == Phase.TURN or phase == Phase.POWER):
        return may_roll(game, rules, 0)
    if kind == Kind.JAIL_PAY and (phase == Phase.TURN):
        return may_jail_pay(game, rules, 0)
    if kind == Kind.JAIL_CARD and (phase == Phase.TURN):
        return may_jail_card(game, rules, 0)
    if kind == Kind.END_TURN and (phase == Phase.END):
        return may_end_turn(game, rules, 0)
    if kind == Kind.PASS and (phase == Phase.BETWEEN or phase == Phase.RENT):
        return may_pass(game, rules, 0)
    if kind == Kind.PASS and (phase == Phase.AUCTION):
        return may_pass_auction(game, rules, 0)
    if kind == Kind.PASS and (phase == Phase.CLAIM):
        return may_claim(game, rules, 0)
    if kind == Kind.PASS and (phase == Phase.BUY):
        return may_decline(game, rules, 0)
    if kind == Kind.BUY and (phase == Phase.BUY):
        return may_buy(game, rules, 0)
    if kind == Kind.AUCTION and (phase == Phase.BUY):
        return may_auction(game, rules, 0)
    if kind == Kind.OPEN and (phase == Phase.AUCTION):
        return may_open(game, rules, 0)
    if kind == Kind.RAISE and (phase == Phase.AUCTION):
        return may_raise(game, rules, int(VALUE_OF[action]))
    if kind == Kind.ASK_RENT and (phase == Phase.RENT):
        return may_ask_rent(game, rules, 0)
    if kind == Kind.TAX_FLAT and (phase == Phase.TAX):
        return may_tax(game, rules, 0)
    if kind == Kind.TAX_PERCENT and (phase == Phase.TAX):
        return may_tax(game, rules, 0)
    if kind == Kind.POWER and (phase == Phase.POWER):
        return may_power(game, rules, 0)
    if kind == Kind.TO and (phase == Phase.TELEPORT):
        return may_teleport(game, rules, int(VALUE_OF[action]))
    if kind == Kind.ATTACK and (phase == Phase.ATTACK):
        return may_attack(game, rules, int(VALUE_OF[action]))
    if kind == Kind.BANKRUPT and (phase == Phase.DEBT):
        return may_bankrupt(game, rules, 0)
    if kind == Kind.BUILD and (
        phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN or phase == Phase.PLACE
    ):
        return may_build(game, rules, int(VALUE_OF[action]))
    if kind == Kind.SELL and (
        phase == Phase.TURN
        or phase == Phase.END
        or phase == Phase.BETWEEN
        or phase == Phase.BUY
        or phase == Phase.AUCTION
        or phase == Phase.DEBT
    ):
        return may_sell(game, rules, int(VALUE_OF[action]))
    if kind == Kind.SELL_GROUP and (
        phase == Phase.TURN
        or phase == Phase.END
        or phase == Phase.BETWEEN
        or phase == Phase.BUY
        or phase == Phase.AUCTION
        or phase == Phase.DEBT
    ):
        return may_sell_group(game, rules, int(VALUE_OF[action]))
    if kind == Kind.MORTGAGE and (
        phase == Phase.TURN
        or phase == Phase.END
        or phase == Phase.BETWEEN
        or phase == Phase.BUY
        or phase == Phase.AUCTION
        or phase == Phase.DEBT
    ):
        return may_mortgage(game, rules, int(VALUE_OF[action]))
    if kind == Kind.LIFT and (
        phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN or phase == Phase.DEED
    ):
        return may_lift(game, rules, int(VALUE_OF[action]))
    if kind == Kind.KEEP and (phase == Phase.DEED):
        return may_keep(game, rules, int(VALUE_OF[action]))
    if kind == Kind.CLAIM and (phase == Phase.CLAIM):
        return may_claim(game, rules, 0)
    if kind == Kind.DEAL and (
        phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN or phase == Phase.DEBT
    ):
        return may_deal(game, rules, seat_of(game, VALUE_OF[action]))
    if kind == Kind.GIVE and (phase == Phase.DEAL):
        return may_give(game, rules, int(VALUE_OF[action]))
    if kind == Kind.ASK and (phase == Phase.DEAL):
        return may_ask(game, rules, int(VALUE_OF[action]))
    if kind == Kind.GIVE_CASH and (phase == Phase.DEAL):
        return may_give_cash(game, rules, int(VALUE_OF[action]))
    if kind == Kind.ASK_CASH and (phase == Phase.DEAL):
        return may_ask_cash(game, rules, int(VALUE_OF[action]))
    if kind == Kind.OFFER and (phase == Phase.DEAL):
        return may_offer(game, rules, 0)
    if kind == Kind.CANCEL and (phase == Phase.DEAL):
        return may_cancel(game, rules, 0)
    if kind == Kind.ACCEPT and (phase == Phase.ANSWER):
        return may_answer(game, rules, 0)
    if kind == Kind.REJECT and (phase == Phase.ANSWER):
        return may_answer(game, rules, 0)
    if kind == Kind.PROPOSE and (
        phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN or phase == Phase.DEBT
    ):
        return may_propose(game, rules, int(VALUE_OF[action]))
    return Why.WRONG_PHASE


@jit
def apply(game: GameState, rules: RuleSet, log: Log, action: int) -> None:
    """Perform a legal action."""
    phase = game.phase
    kind = KIND_OF[action]
    if kind == Kind.ROLL:
        roll(game, rules, log, 0)
    elif kind == Kind.JAIL_PAY:
        jail_pay(game, rules, log, 0)
    elif kind == Kind.JAIL_CARD:
        jail_card(game, rules, log, 0)
    elif kind == Kind.END_TURN:
        end_turn(game, rules, log, 0)
    elif kind == Kind.PASS and (phase == Phase.BETWEEN or phase == Phase.RENT):
        pass_window(game, rules, log, 0)
    elif kind == Kind.PASS and (phase == Phase.AUCTION):
        pass_auction(game, rules, log, 0)
    elif kind == Kind.PASS and (phase == Phase.CLAIM):
        pass_claim(game, rules, log, 0)
    elif kind == Kind.PASS and (phase == Phase.BUY):
        decline(game, rules, log, 0)
    elif kind == Kind.BUY:
        buy(game, rules, log, 0)
    elif kind == Kind.AUCTION:
        auction(game, rules, log, 0)
    elif kind == Kind.OPEN:
        open_bid(game, rules, log, 0)
    elif kind == Kind.RAISE:
        raise_bid(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.ASK_RENT:
        ask_rent(game, rules, log, 0)
    elif kind == Kind.TAX_FLAT:
        tax_flat(game, rules, log, 0)
    elif kind == Kind.TAX_PERCENT:
        tax_percent(game, rules, log, 0)
    elif kind == Kind.POWER:
        power(game, rules, log, 0)
    elif kind == Kind.TO:
        teleport(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.ATTACK:
        attack(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.BANKRUPT:
        bankrupt(game, rules, log, 0)
    elif kind == Kind.BUILD:
        build(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.SELL:
        sell(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.SELL_GROUP:
        sell_group(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.MORTGAGE:
        mortgage(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.LIFT:
        lift(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.KEEP:
        keep(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.CLAIM:
        claim(game, rules, log, 0)
    elif kind == Kind.DEAL:
        deal(game, rules, log, seat_of(game, VALUE_OF[action]))
    elif kind == Kind.GIVE:
        give(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.ASK:
        ask(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.GIVE_CASH:
        give_cash(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.ASK_CASH:
        ask_cash(game, rules, log, int(VALUE_OF[action]))
    elif kind == Kind.OFFER:
        offer(game, rules, log, 0)
    elif kind == Kind.CANCEL:
        cancel(game, rules, log, 0)
    elif kind == Kind.ACCEPT:
        accept(game, rules, log, 0)
    elif kind == Kind.REJECT:
        reject(game, rules, log, 0)
    elif kind == Kind.PROPOSE:
        propose(game, rules, log, int(VALUE_OF[action]))


@jit
def bits_raise(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``raise`` actions: bit k is the kind's k-th id."""
    bits = 0
    base = BASE[Kind.RAISE]
    for index in range(9):
        if may_raise(game, rules, int(VALUE_OF[base + index])) == Why.OK:
            bits |= bit(index)
    return bits


@jit
def bits_to(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``to`` actions: bit k is the kind's k-th id."""
    bits = 0
    base = BASE[Kind.TO]
    for index in range(40):
        if may_teleport(game, rules, int(VALUE_OF[base + index])) == Why.OK:
            bits |= bit(index)
    return bits


@jit
def bits_attack(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``attack`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = attack_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_attack(game, rules, value) == Why.OK:
            bits |= bit(STREET_INDEX[value])
    return bits


@jit
def bits_build(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``build`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = build_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_build(game, rules, value) == Why.OK:
            bits |= bit(STREET_INDEX[value])
    return bits


@jit
def bits_sell(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``sell`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = sell_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_sell(game, rules, value) == Why.OK:
            bits |= bit(STREET_INDEX[value])
    return bits


@jit
def bits_sell_group(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``sell_group`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = sell_group_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_sell_group(game, rules, value) == Why.OK:
            bits |= bit(value)
    return bits


@jit
def bits_mortgage(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``mortgage`` actions: bit k is the kind's k-th id."""
    return deed_bits(mortgageable(game, rules))


@jit
def bits_lift(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``lift`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = lift_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_lift(game, rules, value) == Why.OK:
            bits |= bit(DEED_INDEX[value])
    return bits


@jit
def bits_keep(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``keep`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = keep_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_keep(game, rules, value) == Why.OK:
            bits |= bit(DEED_INDEX[value])
    return bits


@jit
def bits_deal(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``deal`` actions: bit k is the kind's k-th id."""
    return seat_bits(game, partners(game, rules))


@jit
def bits_give(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``give`` actions: bit k is the kind's k-th id."""
    return item_bits(to_give(game, rules))


@jit
def bits_ask(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``ask`` actions: bit k is the kind's k-th id."""
    return item_bits(to_ask(game, rules))


@jit
def bits_give_cash(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``give_cash`` actions: bit k is the kind's k-th id."""
    bits = 0
    base = BASE[Kind.GIVE_CASH]
    for index in range(9):
        if may_give_cash(game, rules, int(VALUE_OF[base + index])) == Why.OK:
            bits |= bit(index)
    return bits


@jit
def bits_ask_cash(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``ask_cash`` actions: bit k is the kind's k-th id."""
    bits = 0
    base = BASE[Kind.ASK_CASH]
    for index in range(9):
        if may_ask_cash(game, rules, int(VALUE_OF[base + index])) == Why.OK:
            bits |= bit(index)
    return bits


@jit
def bits_propose(game: GameState, rules: RuleSet) -> int:
    """Return the legal ``propose`` actions: bit k is the kind's k-th id."""
    bits = 0
    remaining = propose_candidates(game, rules)
    while remaining != 0:
        value = lowest(remaining)
        remaining &= remaining - 1
        if may_propose(game, rules, value) == Why.OK:
            bits |= bit(value)
    return bits


@jit
def legal_bits(game: GameState, rules: RuleSet, bits: Int64s) -> None:
    """Write the legal actions of each kind: bit k of bits[kind] is its k-th id."""
    bits[:] = 0
    phase = game.phase
    if phase == Phase.TURN or phase == Phase.END or phase == Phase.BETWEEN:
        bits[Kind.BUILD] = bits_build(game, rules)
        bits[Kind.LIFT] = bits_lift(game, rules)
        bits[Kind.DEAL] = bits_deal(game, rules)
        bits[Kind.PROPOSE] = bits_propose(game, rules)
    if (
        phase == Phase.TURN
        or phase == Phase.END
        or phase == Phase.BETWEEN
        or phase == Phase.BUY
        or phase == Phase.AUCTION
        or phase == Phase.DEBT
    ):
        bits[Kind.SELL] = bits_sell(game, rules)
        bits[Kind.SELL_GROUP] = bits_sell_group(game, rules)
        bits[Kind.MORTGAGE] = bits_mortgage(game, rules)
    if phase == Phase.TURN:
        bits[Kind.ROLL] = 1 if may_roll(game, rules, 0) == Why.OK else 0
        bits[Kind.JAIL_PAY] = 1 if may_jail_pay(game, rules, 0) == Why.OK else 0
        bits[Kind.JAIL_CARD] = 1 if may_jail_card(game, rules, 0) == Why.OK else 0
    elif phase == Phase.BUY:
        bits[Kind.PASS] = 1 if may_decline(game, rules, 0) == Why.OK else 0
        bits[Kind.BUY] = 1 if may_buy(game, rules, 0) == Why.OK else 0
        bits[Kind.AUCTION] = 1 if may_auction(game, rules, 0) == Why.OK else 0
    elif phase == Phase.AUCTION:
        bits[Kind.PASS] = 1 if may_pass_auction(game, rules, 0) == Why.OK else 0
        bits[Kind.OPEN] = 1 if may_open(game, rules, 0) == Why.OK else 0
        bits[Kind.RAISE] = bits_raise(game, rules)
    elif phase == Phase.RENT:
        bits[Kind.PASS] = 1 if may_pass(game, rules, 0) == Why.OK else 0
        bits[Kind.ASK_RENT] = 1 if may_ask_rent(game, rules, 0) == Why.OK else 0
    elif phase == Phase.TAX:
        bits[Kind.TAX_FLAT] = 1 if may_tax(game, rules, 0) == Why.OK else 0
        bits[Kind.TAX_PERCENT] = 1 if may_tax(game, rules, 0) == Why.OK else 0
    elif phase == Phase.POWER:
        bits[Kind.ROLL] = 1 if may_roll(game, rules, 0) == Why.OK else 0
        bits[Kind.POWER] = 1 if may_power(game, rules, 0) == Why.OK else 0
    elif phase == Phase.TELEPORT:
        bits[Kind.TO] = bits_to(game, rules)
    elif phase == Phase.ATTACK:
        bits[Kind.ATTACK] = bits_attack(game, rules)
    elif phase == Phase.DEBT:
        bits[Kind.BANKRUPT] = 1 if may_bankrupt(game, rules, 0) == Why.OK else 0
        bits[Kind.DEAL] = bits_deal(game, rules)
        bits[Kind.PROPOSE] = bits_propose(game, rules)
    elif phase == Phase.DEED:
        bits[Kind.LIFT] = bits_lift(game, rules)
        bits[Kind.KEEP] = bits_keep(game, rules)
    elif phase == Phase.CLAIM:
        bits[Kind.PASS] = 1 if may_claim(game, rules, 0) == Why.OK else 0
        bits[Kind.CLAIM] = 1 if may_claim(game, rules, 0) == Why.OK else 0
    elif phase == Phase.PLACE:
        bits[Kind.BUILD] = bits_build(game, rules)
    elif phase == Phase.DEAL:
        bits[Kind.GIVE] = bits_give(game, rules)
        bits[Kind.ASK] = bits_ask(game, rules)
        bits[Kind.GIVE_CASH] = bits_give_cash(game, rules)
        bits[Kind.ASK_CASH] = bits_ask_cash(game, rules)
        bits[Kind.OFFER] = 1 if may_offer(game, rules, 0) == Why.OK else 0
        bits[Kind.CANCEL] = 1 if may_cancel(game, rules, 0) == Why.OK else 0
    elif phase == Phase.ANSWER:
        bits[Kind.ACCEPT] = 1 if may_answer(game, rules, 0) == Why.OK else 0
        bits[Kind.REJECT] = 1 if may_answer(game, rules, 0) == Why.OK else 0
    elif phase == Phase.END:
        bits[Kind.END_TURN] = 1 if may_end_turn(game, rules, 0) == Why.OK else 0
    elif phase == Phase.BETWEEN:
        bits[Kind.PASS] = 1 if may_pass(game, rules, 0) == Why.OK else 0


@jit
def has_choice(game: GameState, rules: RuleSet) -> bool:
    """Return whether the actor can do anything in a window but pass."""
    return bool(
        bits_build(game, rules) != 0
        or bits_sell(game, rules) != 0
        or bits_sell_group(game, rules) != 0
        or bits_mortgage(game, rules) != 0
        or bits_lift(game, rules) != 0
        or bits_deal(game, rules) != 0
        or bits_propose(game, rules) != 0
    )
