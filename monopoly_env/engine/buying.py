"""Landing on an unowned property: buy it at the printed price, or let it be auctioned."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, top, wait
from monopoly_env.engine.auction import auction_deed
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.deeds import move_deed, next_alive
from monopoly_env.engine.journal import Log, Reason
from monopoly_env.engine.money import pay
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.why import Why


@jit
def resume_buy(game: GameState) -> bool:
    """Wait for the choice of the player who landed there."""
    return wait(game, Phase.BUY, top(game).player)


@jit
def may_buy(game: GameState, rules: RuleSet, _: int) -> int:
    """Anyone who lands may buy at the printed price, in cash.

    Source: 000 line 142; 001 line 148; 002 line 169.
    """
    if game.cash[game.actor] < rules.price[top(game).square]:
        return Why.NO_CASH
    return Why.OK


@jit
def buy(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Pay the Bank and take the deed."""
    player, square = top(game).player, top(game).square
    pop(game)
    pay(game, log, player, NOBODY, rules.price[square], Reason.PRICE)
    move_deed(game, log, square, player)


@jit
def may_auction(game: GameState, rules: RuleSet, _: int) -> int:
    """A declined property is auctioned, unless a house rule abolishes auctions."""
    return Why.OK if rules.auctions != 0 else Why.NO_AUCTIONS


@jit
def auction(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Decline: everybody may bid, beginning on the decliner's left.

    Source: 000 lines 144 and 218; 001 line 150; 002 line 169.
    """
    player, square = top(game).player, top(game).square
    pop(game)
    auction_deed(game, rules, log, square, next_alive(game, player))


@jit
def may_decline(game: GameState, rules: RuleSet, _: int) -> int:
    """Without auctions, a declined property stays with the Bank."""
    return Why.OK if rules.auctions == 0 else Why.AUCTIONED


@jit
def decline(game: GameState, rules: RuleSet, log: Log, _: int) -> None:
    """Leave the property with the Bank."""
    pop(game)
