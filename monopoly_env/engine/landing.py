"""The effects of landing on each kind of space."""

from __future__ import annotations

from monopoly_env.compiler.jit import jit
from monopoly_env.engine.agenda import pop, push, top
from monopoly_env.engine.board import FREE_PARKING, NOBODY, SPACE, Space
from monopoly_env.engine.cards import CHANCE, CHEST, draw
from monopoly_env.engine.jail import send_to_jail
from monopoly_env.engine.journal import Log
from monopoly_env.engine.money import collect_jackpot
from monopoly_env.engine.phases import Task
from monopoly_env.engine.rent import charge_rent
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GameState
from monopoly_env.engine.tax import charge_tax


@jit
def resume_land(game: GameState, rules: RuleSet, log: Log) -> bool:
    """Resolve the space that a player has reached."""
    item = top(game)
    player, by, total = item.player, item.flag, item.amount
    pop(game)
    square = game.position[player]
    space = SPACE[square]
    if space == Space.STREET or space == Space.RAILROAD or space == Space.UTILITY:
        land_on_deed(game, rules, log, player, square, by, total)
    elif space == Space.CHANCE:
        draw(game, rules, log, player, CHANCE)
    elif space == Space.CHEST:
        draw(game, rules, log, player, CHEST)
    elif space == Space.TAX:
        charge_tax(game, rules, player, square)
    elif space == Space.GO_TO_JAIL:
        send_to_jail(game, log, player)
    elif square == FREE_PARKING:
        collect_jackpot(game, log, player)
    return False


@jit
def land_on_deed(
    game: GameState, rules: RuleSet, log: Log, player: int, square: int, by: int, total: int
) -> None:
    """An unowned deed may be bought; another player's unmortgaged deed earns rent.

    Source: 000 lines 142 and 165; 001 lines 148 and 152; 002 lines 169 and 177. Differs:
    ``buy_after_laps`` is the house rule of a first lap without buying.
    """
    owner = game.owner[square]
    if owner == NOBODY:
        if game.laps[player] >= rules.buy_after_laps:
            push(game, Task.BUY, player, NOBODY, square)
    elif owner != player and (game.mortgaged >> square) & 1 == 0:
        charge_rent(game, rules, log, player, square, by, total)
