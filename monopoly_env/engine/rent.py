"""Rent: its amount, and the rule that it must be asked for."""

from __future__ import annotations

from monopoly_env.compiler.bits import count
from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top, wait
from monopoly_env.engine.board import (
    GROUP,
    NOBODY,
    RAILROAD_BITS,
    SPACE,
    UTILITY_BITS,
    Space,
)
from monopoly_env.engine.deeds import group_open, owns_group
from monopoly_env.engine.dice import throw
from monopoly_env.engine.journal import Log, Reason
from monopoly_env.engine.phases import Phase, RentBy, Task
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import RENT_CLAIMS, GameState
from monopoly_env.engine.why import Why

RAILROAD_CARD_TIMES = 2
UTILITY_CARD_TIMES = 10


@jit
def street_rent(game: GameState, rules: RuleSet, square: int) -> int:
    """A street's rent depends on its buildings; bare streets of a complete group earn double.

    Source: 000 line 171; 001 lines 160 and 198; 002 lines 177 and 238 to 240.
    """
    level = game.level[square]
    rent = int(rules.rent[square, level])
    group = GROUP[square]
    if level == 0 and owns_group(game, game.owner[square], group):
        if rules.double_rent_beside_mortgage != 0 or group_open(game, group):
            rent *= 2
    return rent


@jit
def railroad_rent(game: GameState, rules: RuleSet, square: int) -> int:
    """A railroad's rent depends on how many its owner has, including mortgaged ones.

    Source: 000 lines 187 to 190; 002 line 187; official US FAQ insert.
    """
    owned = count(game.owned[game.owner[square]] & RAILROAD_BITS)
    return int(rules.railroad_rent[owned - 1])


@jit
def utility_times(game: GameState, rules: RuleSet, square: int, by: int) -> int:
    """A utility's rent is a multiple of the throw, depending on how many its owner has.

    Source: 000 lines 196 to 198; 002 line 181.
    """
    if by == RentBy.UTILITY_CARD:
        return UTILITY_CARD_TIMES
    owned = count(game.owned[game.owner[square]] & UTILITY_BITS)
    return int(rules.utility_multiplier[owned - 1])


@jit
def charge_rent(
    game: GameState, rules: RuleSet, log: Log, player: int, square: int, by: int, total: int
) -> None:
    """Charge the rent, or give the owner a claim if rent must be asked for."""
    amount, times = 0, 0
    if SPACE[square] == Space.STREET:
        amount = street_rent(game, rules, square)
    elif SPACE[square] == Space.RAILROAD:
        amount = railroad_rent(game, rules, square)
        if by == RentBy.RAILROAD_CARD:
            amount *= RAILROAD_CARD_TIMES
    elif by == RentBy.DICE and rules.utility_fresh_throw == 0:
        amount = total * utility_times(game, rules, square, by)
    else:
        times = utility_times(game, rules, square, by)
    if rules.rent_asked != 0:
        open_claim(game, player, square, amount, times)
    else:
        demand(game, log, player, game.owner[square], square, amount, times)


@jit
def demand(
    game: GameState, log: Log, debtor: int, owner: int, square: int, amount: int, times: int
) -> None:
    """Charge the rent; a utility's fresh throw is made now, without moving anybody."""
    if times != 0:
        amount = times * throw(game, log, debtor)
    push(game, Task.DEBT, debtor, owner, square, amount, Reason.RENT)


# Rent that must be asked for (rule ``rent_asked``)


@jit
def open_claim(game: GameState, debtor: int, square: int, amount: int, times: int) -> None:
    """Record a rent claim, and give the owner the first window to ask."""
    for index in range(RENT_CLAIMS):
        claim = game.claims[index]
        if claim.owner == NOBODY:
            claim.owner = game.owner[square]
            claim.debtor = debtor
            claim.square = square
            claim.amount = amount
            claim.multiplier = times
            claim.followers = 0
            push(game, Task.RENT, claim.owner, debtor, square, amount, index)
            return


@jit
def close_claim(game: GameState, index: int) -> None:
    """Close a rent claim."""
    claim = game.claims[index]
    claim.owner = NOBODY
    claim.debtor = NOBODY
    claim.square = NOBODY
    claim.amount = 0
    claim.multiplier = 0
    claim.followers = 0


@jit
def forget_claims(game: GameState, player: int) -> None:
    """Drop the claims of, and against, a player who has left."""
    for index in range(RENT_CLAIMS):
        if game.claims[index].owner == player or game.claims[index].debtor == player:
            close_claim(game, index)


@jit
def reopen_windows(game: GameState) -> bool:
    """Give every owner with an open claim a window before a throw; return whether any has."""
    any_open = False
    for index in range(RENT_CLAIMS - 1, -1, -1):
        claim = game.claims[index]
        if claim.owner != NOBODY:
            push(game, Task.RENT, claim.owner, claim.debtor, claim.square, claim.amount, index)
            any_open = True
    return any_open


@jit
def count_follower(game: GameState, rules: RuleSet) -> None:
    """An unclaimed rent expires when enough later players have begun to throw.

    Source: 000 line 167 (before the player to the left throws); 001 line 164 and 002 line 177
    (before the second player following throws).
    """
    for index in range(RENT_CLAIMS):
        claim = game.claims[index]
        if claim.owner != NOBODY:
            claim.followers += 1
            if claim.followers >= rules.rent_deadline:
                close_claim(game, index)


@jit
def resume_rent(game: GameState) -> bool:
    """Wait for the owner, unless the claim was dropped in the meantime."""
    item = top(game)
    claim = game.claims[item.flag]
    if claim.owner != item.player or claim.debtor != item.other:
        pop(game)
        return False
    return wait(game, Phase.RENT, item.player)


@jit
def may_ask_rent(game: GameState, rules: RuleSet, _: int) -> int:
    """The window exists only while the claim is open."""
    return Why.OK


@jit
def ask_rent(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Ask for the rent, as it was when the debtor landed."""
    index = top(game).flag
    pop(game)
    claim = game.claims[index]
    owner, debtor, square = claim.owner, claim.debtor, claim.square
    amount, times = claim.amount, claim.multiplier
    close_claim(game, index)
    demand(game, log, debtor, owner, square, amount, times)
