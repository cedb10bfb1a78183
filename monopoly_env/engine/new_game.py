"""Sets up a game: empty board, shuffled decks, dealt deeds, and the starting player."""

from __future__ import annotations

import numpy as np

from monopoly_env.compiler.bits import bit
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.memory import copy_numbers
from monopoly_env.engine.agenda import clear
from monopoly_env.engine.auction import clear_auction
from monopoly_env.engine.board import DEEDS, NOBODY
from monopoly_env.engine.deeds import move_deed
from monopoly_env.engine.dice import GAMMA, mix, shuffle, throw
from monopoly_env.engine.journal import Log, Reason
from monopoly_env.engine.money import pay
from monopoly_env.engine.movement import on_route
from monopoly_env.engine.rent import close_claim
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import AGENDA, RENT_CLAIMS, GameState
from monopoly_env.engine.trade import clear_deal
from monopoly_env.engine.turn import begin_turn

DEALT_DEEDS = np.array(DEEDS, np.int8)


@jit
def new_game(game: GameState, rules: RuleSet, log: Log, players: int, seed: int) -> None:
    """Set up a game up to its first turn; the same seed gives the same game."""
    clear_game(game, rules, players)
    game.rng = mix(np.uint64(seed) * GAMMA + GAMMA)
    shuffle_decks(game)
    deal_deeds(game, rules, log)
    game.starter = opening_throws(game, log)
    begin_turn(game, rules, log, game.starter)


@jit
def clear_game(game: GameState, rules: RuleSet, players: int) -> None:
    """Reset a game to the initial state: everybody on GO, the decks in order."""
    game.players = players
    clear_seats(game, rules)
    clear_board(game, rules)
    for index in range(AGENDA):
        clear(game.agenda[index])
    for index in range(RENT_CLAIMS):
        close_claim(game, index)
    clear_auction(game)
    clear_deal(game)
    game.depth = 0
    game.turn = 0
    game.actor = NOBODY
    game.phase = 0
    game.starter = 0
    game.turns = 0
    game.rounds = 0
    game.decisions = 0
    game.truncated = 0
    game.dice[:] = 0
    game.doubles = 0
    game.again = 0
    game.denied_houses = 0
    game.denied_hotels = 0
    game.forced[:] = 0
    game.forced_count = 0
    game.forced_next = 0
    game.forced_only = 0
    game.dice_missing = 0


@jit
def clear_seats(game: GameState, rules: RuleSet) -> None:
    """Put everybody on GO with the starting cash."""
    game.owned[:] = 0
    game.cash[:] = 0
    game.cash[: game.players] = rules.start_cash
    game.bank = -int(rules.start_cash) * int(game.players)
    game.pot = 0
    game.position[:] = 0
    game.in_jail[:] = 0
    game.jail_tries[:] = 0
    game.out[:] = 0
    game.laps[:] = 0
    game.offers_left[:] = 0
    game.offers_left[: game.players] = rules.trade_limit
    game.refused[:] = 0
    game.offers_made[:] = 0
    game.offers_accepted[:] = 0
    game.offers_rejected[:] = 0


@jit
def clear_board(game: GameState, rules: RuleSet) -> None:
    """Give all deeds, buildings and cards to the Bank."""
    game.owner[:] = NOBODY
    game.level[:] = 0
    game.mortgaged = 0
    game.built = 0
    game.houses = rules.houses
    game.hotels = rules.hotels
    game.house_supply = rules.houses
    game.hotel_supply = rules.hotels
    game.card_holder[:] = NOBODY
    for pile in range(2):
        copy_numbers(game.deck[pile], rules.deck[pile])
        game.deck_size[pile] = rules.deck_size[pile]
        game.unseen[pile] = rules.deck_size[pile]


@jit
def shuffle_decks(game: GameState) -> None:
    """Shuffle both decks."""
    for pile in range(2):
        shuffle(game, game.deck[pile], game.deck_size[pile])


@jit
def deal_deeds(game: GameState, rules: RuleSet, log: Log) -> None:
    """Short and timed games deal deeds, which are free or must be paid for at once.

    Source: 000 line 318; 001 lines 242 and 252; 002 lines 288 and 305 to 307.
    """
    if rules.deal_count == 0:
        return
    deeds = DEALT_DEEDS.copy()
    shuffle(game, deeds, len(deeds))
    dealt, wanted = 0, int(rules.deal_count) * int(game.players)
    for square in deeds:
        if dealt < wanted and on_route(rules, square):
            deal_deed(game, rules, log, square, dealt % game.players)
            dealt += 1


@jit
def deal_deed(game: GameState, rules: RuleSet, log: Log, square: int, player: int) -> None:
    """Deal one deed; if it must be paid for and the player cannot, it stays with the Bank.

    Differs: no rule book covers this case, which cannot occur with a book's own amounts.
    """
    if rules.deal_paid != 0 and game.cash[player] < rules.price[square]:
        return
    move_deed(game, log, square, player)
    if rules.deal_paid != 0:
        pay(game, log, player, NOBODY, rules.price[square], Reason.PRICE)


@jit
def opening_throws(game: GameState, log: Log) -> int:
    """The player with the highest throw begins; those who tie throw again.

    Source: 000 line 113; 001 line 136; 002 line 145.
    """
    contenders = bit(game.players) - 1
    starter = 0
    while contenders != 0:
        best, leaders = 0, 0
        for player in range(game.players):
            if contenders >> player & 1 != 0:
                total = throw(game, log, player)
                if total > best:
                    best, leaders, starter = total, 0, player
                if total == best:
                    leaders |= bit(player)
        contenders = leaders
        if leaders & (leaders - 1) == 0 or game.dice_missing != 0:
            return starter
    return starter
