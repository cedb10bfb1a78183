"""The main loop: processes the agenda until a player must decide."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import top
from monopoly_env.engine.auction import resume_auction, resume_auctions
from monopoly_env.engine.buying import resume_buy
from monopoly_env.engine.debt import resume_debt
from monopoly_env.engine.dispatch import apply, has_choice
from monopoly_env.engine.ending import finish, resume_finish
from monopoly_env.engine.jail import resume_move
from monopoly_env.engine.journal import Log
from monopoly_env.engine.landing import resume_land
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.mortgage import resume_deed
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.powers import resume_attack, resume_power, resume_teleport
from monopoly_env.engine.rent import resume_rent
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.scarcity import resume_claim, resume_place
from monopoly_env.engine.state import GameState
from monopoly_env.engine.tax import resume_tax
from monopoly_env.engine.trade import resume_deal
from monopoly_env.engine.turn import (
    end_turn,
    pass_window,
    resume_between,
    resume_end,
    resume_thrown,
    resume_turn,
)


@jit
def resume_frame(game: GameState, rules: RuleSet, log: Log, kind: int) -> bool:
    """Continue the turn itself; return True if a decision is awaited."""
    if kind == Task.TURN:
        return resume_turn(game)
    if kind == Task.THROWN:
        return resume_thrown(game, rules)
    if kind == Task.END:
        return resume_end(game)
    return resume_between(game, rules, log)


@jit
def resume_choice(game: GameState, kind: int) -> bool:
    """Wait for a decision of the actor; returns True."""
    if kind == Task.BUY:
        return resume_buy(game)
    if kind == Task.TAX:
        return resume_tax(game)
    if kind == Task.RENT:
        return resume_rent(game)
    if kind == Task.PLACE:
        return resume_place(game)
    if kind == Task.DEAL:
        return resume_deal(game)
    if kind == Task.POWER:
        return resume_power(game)
    if kind == Task.TELEPORT:
        return resume_teleport(game)
    return resume_attack(game)


@jit
def resume(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Process the top of the agenda; return True if a decision is awaited."""
    kind = top(game).kind
    if kind <= Task.BETWEEN:
        return resume_frame(game, rules, log, kind)
    if kind == Task.LAND:
        return resume_land(game, rules, log)
    if kind == Task.DEBT:
        return resume_debt(game, rules, log)
    if kind == Task.AUCTION:
        return resume_auction(game, rules, log)
    if kind == Task.AUCTIONS:
        return resume_auctions(game, rules, log)
    if kind == Task.DEED:
        return resume_deed(game)
    if kind == Task.CLAIM:
        return resume_claim(game, rules, log)
    if kind == Task.MOVE:
        return resume_move(game, rules, log)
    if kind == Task.FINISH:
        return resume_finish(game, log)
    return resume_choice(game, kind)


@jit
def proceed(game: GameState, rules: RuleSet, log: Log) -> None:
    """Advance to the next decision, skipping windows in which nothing could be done."""
    while game.phase != Phase.OVER:
        if resume(game, rules, log):
            if game.phase == Phase.END and not has_choice(game, rules):
                end_turn(game, rules, log, 0)
            elif game.phase == Phase.BETWEEN and not has_choice(game, rules):
                pass_window(game, rules, log, 0)
            else:
                return


@jit
def step(game: GameState, rules: RuleSet, log: Log, action: int) -> None:
    """Play a legal action and advance to the next decision; the only way to change a game."""
    if log.on != 0:
        log.length = 0
    game.decisions += 1
    apply(game, rules, log, action)
    proceed(game, rules, log)
    if game.phase != Phase.OVER:
        if game.decisions >= rules.max_decisions or game.bank < -MOST_MONEY:
            finish(game, log, True)
