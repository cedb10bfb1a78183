"""The frame of a turn: the throw, doubles, the window after it, and the windows between turns."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import frame, pop, push, wait
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.deeds import next_alive
from monopoly_env.engine.dice import throw
from monopoly_env.engine.ending import finish
from monopoly_env.engine.jail import send_to_jail, throw_in_jail
from monopoly_env.engine.journal import Event, Log, note
from monopoly_env.engine.movement import advance
from monopoly_env.engine.phases import Phase, RentBy, Task
from monopoly_env.engine.rent import count_follower, reopen_windows
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why

DOUBLES_TO_JAIL = 3
WINDOW_PASSED, WINDOW_OPEN = 0, 1  # the flag of the BETWEEN frame


@jit
def begin_turn(game: GameState, rules: RuleSet, log: Log, player: int) -> None:
    """Begin a player's turn, unless the game has reached its limit of turns."""
    if game.turns >= rules.max_turns:
        finish(game, log, True)
        return
    game.turn = player
    game.turns += 1
    game.doubles = 0
    game.again = 0
    note(log, Event.TURN, player, NOBODY, NOBODY, game.turns)
    frame(game, Task.TURN)


@jit
def resume_turn(game: GameState) -> bool:
    """Before the throw, owners may still ask for rent; then wait for the player."""
    item = game.agenda[0]
    if game.out[game.turn] != 0:
        frame(game, Task.BETWEEN)
        return False
    if item.step == 0:
        item.step = 1
        if reopen_windows(game):
            return False
    return wait(game, Phase.TURN, game.turn)


@jit
def may_roll(game: GameState, rules: RuleSet, _: int) -> int:
    """Throwing the dice is always legal."""
    return Why.OK


@jit
def roll(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Throw the dice and move.

    Source: 000 lines 115 to 159; 001 lines 136 to 142; 002 lines 145 to 161.
    """
    player = game.turn
    if game.phase == Phase.POWER:
        pop(game)
    frame(game, Task.THROWN)
    if game.doubles == 0:
        count_follower(game, rules)
    game.offers_left[player] = rules.trade_limit
    game.refused[player] = 0
    game.denied_houses = 0
    game.denied_hotels = 0
    total = throw(game, log, player)
    if game.in_jail[player] != 0:
        throw_in_jail(game, rules, log, player, total)
    else:
        throw_freely(game, rules, log, player, total)


@jit
def throw_freely(game: GameState, rules: RuleSet, log: Log, player: int, total: int) -> None:
    """A double gives another throw; the third leads directly to Jail."""
    game.again = 0
    if game.dice[0] == game.dice[1]:
        game.doubles += 1
        if game.doubles == DOUBLES_TO_JAIL:
            send_to_jail(game, log, player)
            return
        game.again = game.dice[0]
    advance(game, rules, log, player, total, RentBy.DICE, total)


@jit
def resume_thrown(game: GameState, rules: RuleSet) -> bool:
    """After a throw is resolved, the player throws again, uses a power, or ends the turn.

    Source: a bankrupt retires at once (001 line 232), so a double thrown before is void.
    """
    if game.out[game.turn] != 0:
        frame(game, Task.BETWEEN)
    elif game.again == 0:
        frame(game, Task.END)
    elif rules.power_doubles != 0:
        push(game, Task.POWER, game.turn)
    else:
        frame(game, Task.TURN)
    return False


@jit
def resume_end(game: GameState) -> bool:
    """Wait for the player in the window after the last move."""
    if game.out[game.turn] != 0:
        frame(game, Task.BETWEEN)
        return False
    return wait(game, Phase.END, game.turn)


@jit
def may_end_turn(game: GameState, rules: RuleSet, _: int) -> int:
    """Ending the turn is always legal."""
    return Why.OK


@jit
def end_turn(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """End the turn."""
    frame(game, Task.BETWEEN)


@jit
def resume_between(game: GameState, rules: RuleSet, log: Log) -> bool:
    """After a turn, every other player but the next may act, in seat order.

    Source: 000 lines 200 to 202; 001 line 200; 002 line 236.
    """
    item = game.agenda[0]
    following = next_alive(game, game.turn)
    if item.flag == WINDOW_OPEN:
        seat = (game.turn + item.step) % game.players
        if game.out[seat] == 0:  # otherwise a deal in this window bankrupted it
            return wait(game, Phase.BETWEEN, seat)
    while rules.between_windows != 0 and item.step < game.players - 1:
        item.step += 1
        seat = (game.turn + item.step) % game.players
        if game.out[seat] == 0 and seat != following:
            item.flag = WINDOW_OPEN
            return wait(game, Phase.BETWEEN, seat)
    pass_turn(game, rules, log, following)
    return False


@jit
def may_pass(game: GameState, rules: RuleSet, _: int) -> int:
    """Passing in a window is always legal."""
    return Why.OK


@jit
def pass_window(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Do nothing (more) in this window."""
    if game.phase == Phase.RENT:
        pop(game)
    else:
        game.agenda[0].flag = WINDOW_PASSED


@jit
def pass_turn(game: GameState, rules: RuleSet, log: Log, following: int) -> None:
    """Pass the turn to the left; a round ends when the turn reaches the starting player."""
    seat = int(game.turn)
    while seat != following:
        seat = (seat + 1) % game.players
        if seat == game.starter:
            game.rounds += 1
    if rules.time_limit_rounds != 0 and game.rounds >= rules.time_limit_rounds:
        finish(game, log, False)
        return
    begin_turn(game, rules, log, following)
