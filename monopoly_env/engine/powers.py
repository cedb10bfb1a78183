"""Pokémon Power Doubles, the optional rule of 001 (lines 50 to 112) and 002 (lines 47 to 105)."""

from __future__ import annotations

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.board import (
    GO_TO_JAIL,
    GROUP,
    JAIL,
    NOBODY,
    SPACES,
    STREET_BITS,
)
from monopoly_env.engine.cards import CHANCE, CHEST, collect_each, draw
from monopoly_env.engine.deeds import move_deed, owns_group
from monopoly_env.engine.dice import throw
from monopoly_env.engine.journal import Log, Reason
from monopoly_env.engine.money import pay
from monopoly_env.engine.movement import move_to, on_route
from monopoly_env.engine.phases import Phase, RentBy, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why

TELEPORT, REST, LEECH, DRAW_CHANCE, DRAW_CHEST, ATTACK = 1, 2, 3, 4, 5, 6


@jit
def resume_power(game: GameState) -> bool:
    """After a double, the player throws again or uses the power of the double.

    Source: 001 line 56; 002 lines 53 to 55.
    """
    return wait(game, Phase.POWER, top(game).player)


@jit
def may_power(game: GameState, rules: RuleSet, _: int) -> int:
    """Every double has a power; double 6 needs a street to attack."""
    if game.again == ATTACK and attackable(game, game.actor) == 0:
        return Why.NOTHING_TO_ATTACK
    return Why.OK


@jit
def power(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """The player uses the power of the double, which ends the turn.

    Source: 001 lines 98 to 104; 002 lines 79 to 97.
    """
    player, pips = game.actor, game.again
    pop(game)
    game.again = 0
    if pips == TELEPORT:
        push(game, Task.TELEPORT, player)
    elif pips == REST:
        pay(game, log, NOBODY, player, rules.power_rest, Reason.POWER)
    elif pips == LEECH:
        collect_each(game, player, rules.power_leech, Reason.POWER)
    elif pips == DRAW_CHANCE:
        draw(game, rules, log, player, CHANCE)
    elif pips == DRAW_CHEST:
        draw(game, rules, log, player, CHEST)
    else:
        push(game, Task.ATTACK, player)


@jit
def resume_teleport(game: GameState) -> bool:
    """Wait for the player to choose a destination."""
    return wait(game, Phase.TELEPORT, top(game).player)


@jit
def may_teleport(game: GameState, rules: RuleSet, square: int) -> int:
    """A player may teleport anywhere but to Jail, Go To Jail and the current space.

    Source: 001 lines 91 to 94; 002 lines 71 to 73. Differs: the books bar Jail only; Go To Jail
    would lead there.
    """
    if square in (JAIL, GO_TO_JAIL) or square == game.position[game.actor]:
        return Why.BARRED_SPACE
    if not on_route(rules, square):
        return Why.BARRED_SPACE
    return Why.OK


@jit
def teleport(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Move there, forward: passing GO pays, and the landing is resolved."""
    player = top(game).player
    pop(game)
    move_to(game, rules, log, player, square, RentBy.MOVED)


@jit
def resume_attack(game: GameState) -> bool:
    """Wait for the player to choose a street."""
    return wait(game, Phase.ATTACK, top(game).player)


@jit
def attack_candidates(game: GameState, rules: RuleSet) -> int:
    """Return the streets for which ``may_attack`` must be checked."""
    return attackable(game, game.actor)


@jit
def may_attack(game: GameState, rules: RuleSet, square: int) -> int:
    """A player may attack another player's street, unless its owner has the complete group.

    Source: 001 lines 106 and 112; 002 lines 103 to 105.
    """
    owner = game.owner[square]
    if owner == NOBODY:
        return Why.NOT_OWNED
    if owner == game.actor:
        return Why.NOT_YOURS
    if owns_group(game, owner, GROUP[square]):
        return Why.FULL_GROUP
    return Why.OK


@jit
def attackable(game: GameState, attacker: int) -> int:
    """Return the streets that may be attacked, as a bit mask."""
    squares = 0
    for square in range(SPACES):
        if STREET_BITS >> square & 1 != 0:
            owner = game.owner[square]
            if owner != NOBODY and owner != attacker:
                if not owns_group(game, owner, GROUP[square]):
                    squares |= bit(square)
    return squares


@jit
def attack(game: GameState, rules: RuleSet, log: Log, square: int) -> None:
    """Both players throw, the attacker first; the higher total gets the street, ties throw again.

    Source: 001 lines 108 to 110; 002 line 105.
    """
    attacker = game.actor
    pop(game)
    mine, theirs = 0, 0
    while mine == theirs:
        mine = throw(game, log, attacker)
        theirs = throw(game, log, game.owner[square])
        if game.dice_missing != 0:
            return
    if mine > theirs:
        move_deed(game, log, square, attacker)
