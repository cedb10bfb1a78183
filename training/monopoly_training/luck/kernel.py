"""Compiled functions that replay a game and compare each throw and card with its expectation.

The luck of a throw is the value of its outcome for each seat minus the mean value over all possible
outcomes. Under the engine's own probabilities this difference has mean zero for any value function,
so results without it are unbiased; the better the value function, the lower their variance.

Source: Burch, Schmid, Moravcik, Morrill, Bowling 2018, AIVAT, of which this is the part for chance.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated

from monopoly_agents.strategist.chances import SHARP, Worth, write_formula

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, Records, dtype_of, new_records
from monopoly_env.engine.actions import IDS
from monopoly_env.engine.board import NOBODY, PLAYERS, SPACE, Space
from monopoly_env.engine.decks import CHANCE, CHEST
from monopoly_env.engine.dice import below
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import Log
from monopoly_env.engine.movement import space_ahead
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.policy import wipe
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GAME, Float64s, GameState, Int8s, Int64s, Uint16s
from monopoly_env.engine.turn import DOUBLES_TO_JAIL
from monopoly_env.value.network import WORK, NetworkState, ValueWork, write_chances

ROLL = IDS["roll"]
STAYS = -1  # a throw that moves nobody, or straight to Jail
FORCED_THROWS = 4  # the throw itself, then 3 and 4 for each extra throw that the rules require


class Judge(IntEnum):
    """The value function that judges positions."""

    FORMULA = 0  # normalized powers of the strategist's strengths; fast
    VALUE = 1  # the learned value function
    BOTH = 2  # the mean of the two, whose errors differ


class LuckWork:
    """The working memory of the compiled functions."""

    before: Annotated[GameState, Field(GAME, (), "", "the position before, redacted")]
    tried: Annotated[GameState, Field(GAME, (), "", "position after one outcome")]
    values: Annotated[ValueWork, Field(WORK, (), "", "working memory of the value functions")]
    chances: Annotated[Float64s, Field("f8", (PLAYERS,), "", "win probabilities after one outcome")]
    other: Annotated[Float64s, Field("f8", (PLAYERS,), "", "win probabilities by a second judge")]


LUCK_WORK = dtype_of(LuckWork)


def new_luck_work() -> Records:
    """Allocate working memory for one thread: LUCK_WORK[1]."""
    return new_records(1, LUCK_WORK)


@jit
def write_judged(
    game: GameState, rules: RuleSet, judge: int, network: NetworkState, work: LuckWork
) -> None:
    """Write the judge's win probabilities of a position into ``work.chances``."""
    if judge != Judge.VALUE:
        write_formula(game, rules, Worth.STRENGTH, SHARP, work.values, work.chances)
    if judge == Judge.VALUE:
        write_chances(game, rules, network, work.values, work.chances)
    elif judge == Judge.BOTH:
        write_chances(game, rules, network, work.values, work.other)
        for seat in range(PLAYERS):
            work.chances[seat] = (work.chances[seat] + work.other[seat]) / 2


@jit
def landing(game: GameState, rules: RuleSet, one: int, other: int) -> int:
    """Return the square to which a throw moves the player directly; STAYS if it does not."""
    player, double = int(game.turn), one == other
    if game.in_jail[player] == 0:
        if double and game.doubles + 1 >= DOUBLES_TO_JAIL:
            return STAYS
    elif not double:
        last = game.jail_tries[player] + 1 >= rules.jail_tries
        if not last or game.cash[player] < rules.jail_fine:
            return STAYS
    return space_ahead(rules, int(game.position[player]), one + other)


@jit
def pile_at(square: int) -> int:
    """Return the card pile of a square, or NOBODY if it has none."""
    if square != STAYS and SPACE[square] == Space.CHANCE:
        return CHANCE
    if square != STAYS and SPACE[square] == Space.CHEST:
        return CHEST
    return NOBODY


@jit
def force(game: GameState, one: int, other: int) -> None:
    """Force the next throw, and make any further one a 3 and a 4, which is near the mean."""
    for index in range(FORCED_THROWS):
        game.forced[index, 0] = 3
        game.forced[index, 1] = 4
    game.forced[0, 0] = one
    game.forced[0, 1] = other
    game.forced_count = FORCED_THROWS
    game.forced_next = 0


@jit
def land_without_card(work: LuckWork, rules: RuleSet, one: int, other: int, square: int) -> None:
    """Move to a square in ``work.tried``, before its card is drawn."""
    work.tried = work.before
    game = work.tried
    player = int(game.turn)
    free = game.in_jail[player] == 0
    if not free and one != other:
        game.cash[player] -= rules.jail_fine
    if square < game.position[player]:
        game.cash[player] += rules.salary
    game.position[player] = square
    game.in_jail[player] = 0
    game.again = one if free and one == other else 0
    game.agenda[0].kind = Task.THROWN
    game.phase = Phase.END


@jit
def judge_throw(
    rules: RuleSet,
    log: Log,
    judge: int,
    network: NetworkState,
    work: LuckWork,
    one: int,
    other: int,
) -> None:
    """Write the judge's value after a throw, before any card, into ``work.chances``."""
    square = landing(work.before, rules, one, other)
    if pile_at(square) != NOBODY:
        land_without_card(work, rules, one, other, square)
    else:
        work.tried = work.before
        force(work.tried, one, other)
        step(work.tried, rules, log, ROLL)
    write_judged(work.tried, rules, judge, network, work)


@jit
def judge_card(
    rules: RuleSet,
    log: Log,
    judge: int,
    network: NetworkState,
    work: LuckWork,
    one: int,
    other: int,
    pile: int,
    card: int,
) -> None:
    """Write the judge's value after a throw and the card it leads to into ``work.chances``."""
    work.tried = work.before
    game = work.tried
    cards = game.deck[pile]
    for index in range(game.unseen[pile]):
        if cards[index] == card:
            cards[index] = cards[0]
            cards[0] = card
    force(game, one, other)
    step(game, rules, log, ROLL)
    write_judged(game, rules, judge, network, work)


@jit
def add_luck(luck: Float64s, work: LuckWork, sign: float) -> None:
    """Compute ``luck += sign * work.chances``."""
    for seat in range(PLAYERS):
        luck[seat] += sign * work.chances[seat]


@jit
def luck_of_throw(
    game: GameState,
    rules: RuleSet,
    log: Log,
    judge: int,
    network: NetworkState,
    work: LuckWork,
    luck: Float64s,
) -> None:
    """Add to ``luck`` float64[8] the effect of the next throw, and its card, on each seat's chance.

    ``game`` is the position before the throw; it is not changed.
    """
    if game.forced_next < game.forced_count:
        return  # forced dice involve no luck
    work.tried = game
    pips = below(work.tried, 36)
    one, other = 1 + pips // 6, 1 + pips % 6
    one, other = min(one, other), max(one, other)
    work.before = game
    wipe(work.before)
    for first in range(1, 7):
        for second in range(first, 7):
            judge_throw(rules, log, judge, network, work, first, second)
            part = (1.0 if first == second else 2.0) / 36
            add_luck(luck, work, -part)
            if first == one and second == other:
                add_luck(luck, work, 1.0)
    pile = pile_at(landing(game, rules, one, other))
    if pile == NOBODY or game.unseen[pile] < 2:
        return  # all other cards have been seen, so the next one is known
    unseen, drawn = int(game.unseen[pile]), int(game.deck[pile, 0])
    for index in range(unseen):
        card = int(work.before.deck[pile, index])
        judge_card(rules, log, judge, network, work, one, other, pile, card)
        add_luck(luck, work, -1.0 / unseen)
        if card == drawn:
            add_luck(luck, work, 1.0)


@jit
def luck_of_start(
    game: GameState,
    rules: RuleSet,
    judge: int,
    network: NetworkState,
    work: LuckWork,
    luck: Float64s,
) -> None:
    """Add to ``luck`` the effect of the random first player on each seat's chance."""
    for seat in range(game.players):
        work.before = game
        work.before.turn = seat
        work.before.starter = seat
        work.before.actor = seat
        work.before.agenda[0].player = seat
        write_judged(work.before, rules, judge, network, work)
        add_luck(luck, work, -1.0 / int(game.players))
        if seat == game.turn:
            add_luck(luck, work, 1.0)


@jit
def luck_of_game(
    games: Records,
    rules_: Records,
    journals: Records,
    actions: Uint16s,
    judge: int,
    networks: Records,
    works: Records,
    begins: bool,
    start: Float64s,
    luck: Float64s,
    throwers: Int8s,
    rounds: Int64s,
) -> int:
    """Replay a game's actions from ``games[0]`` and write the luck of each action.

    ``luck`` float64[actions, 8] receives the effect of each action's throw and card on each seat's
    win probability; 0 for actions without a throw. ``start`` float64[8] receives the effect of the
    random first player if ``begins``, that is, if ``games[0]`` has just been set up. ``throwers``
    int8[actions] receives whose turn it was, ``rounds`` int64[actions] the number of rounds before.
    Returns the number of actions played, which is smaller if the game ends early.
    """
    game, rules, log = games[0], rules_[0], journals[0]
    start[:] = 0.0
    if begins:
        luck_of_start(game, rules, judge, networks[0], works[0], start)
    for index in range(len(actions)):
        if game.phase == Phase.OVER:
            return index
        luck[index] = 0.0
        throwers[index], rounds[index] = game.turn, game.rounds
        if actions[index] == ROLL:
            luck_of_throw(game, rules, log, judge, networks[0], works[0], luck[index])
        step(game, rules, log, actions[index])
    return len(actions)
