"""Compiled checks of positions and decisions; ``Fault`` lists what they verify."""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of, new_records
from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.observation import HIGH, LOW, write_observation
from monopoly_env.engine import status as invariants
from monopoly_env.engine.actions import BASE, KIND_OF, KINDS, N_ACTIONS, N_KINDS
from monopoly_env.engine.dispatch import why
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.flow import step
from monopoly_env.engine.journal import Event, Log, Reason
from monopoly_env.engine.masks import write_mask
from monopoly_env.engine.phases import PHASES, Phase
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import Float32s, GameState, Int8s, Int64s
from monopoly_env.engine.why import Why
from monopoly_env.engine.worth import net_worth, raisable
from monopoly_training.fuzz.bookkeeping import (
    BooksState,
    enter,
    is_full,
    money_agrees,
    property_agrees,
)


class Fault(IntEnum):
    """A violated property; ``str(Fault.X)`` describes it."""

    NONE = 0
    STATUS = 1
    MASK = 2
    MASK_BYTES = 3
    MONEY = 4
    PROPERTY = 5
    JOURNAL = 6
    OBSERVATION = 7
    STANDINGS = 8
    COPY = 9
    POSITION = 10
    RECORD = 11
    REFUSAL = 12
    RAISABLE = 13

    def __str__(self) -> str:
        return SENTENCES[self]


SENTENCES: dict[Fault, str] = {
    Fault.NONE: "nothing is wrong",
    Fault.STATUS: "the position breaks an invariant",
    Fault.MASK: "the mask and `why` disagree about an action",
    Fault.MASK_BYTES: "the mask in bytes is not the mask in bits",
    Fault.MONEY: "money has moved that the journal does not tell of",
    Fault.PROPERTY: "a deed, mortgage or building has changed that the journal does not tell of",
    Fault.JOURNAL: "the journal is full: events may be lost",
    Fault.OBSERVATION: "a number of the observation is not finite, or out of its range",
    Fault.STANDINGS: "the places are not those that the worths give",
    Fault.COPY: "a copy does not go on as the game does",
    Fault.POSITION: "the position as YAML does not load as the same game",
    Fault.RECORD: "the record does not replay to the same game",
    Fault.REFUSAL: "an illegal action was not refused, or changed the game",
    Fault.RAISABLE: "selling or mortgaging brought something else than was counted on",
}


SELL, SELL_GROUP, MORTGAGE = (
    list(KINDS).index(kind) for kind in ("sell", "sell_group", "mortgage")
)


class DeskState:
    """Working memory of the checks, and coverage counts."""

    bits: Annotated[Int64s, Field("i8", (N_KINDS,), "", "the legal actions")]
    detail: Annotated[int, Field("i8", (), "", "more about a fault: Status bits, an id, a number")]
    phases: Annotated[Int64s, Field("i8", (PHASES,), "decisions", "by phase")]
    actions: Annotated[Int64s, Field("i8", (N_ACTIONS,), "times", "each action was taken")]
    reasons: Annotated[Int64s, Field("i8", (len(Why),), "times", "each answer of `why`")]
    cards: Annotated[Int64s, Field("i8", (40,), "times", "each card was drawn")]
    events: Annotated[Int64s, Field("i8", (len(Event),), "times", "each event occurred")]
    row: Annotated[Float32s, Field("f4", (OBSERVATION_SIZE,), "", "an observation")]
    mask: Annotated[Int8s, Field("i1", (N_ACTIONS,), "", "the legal actions as bytes")]
    rank: Annotated[Int8s, Field("i1", (8,), "", "the places")]


DESK = dtype_of(DeskState)
COUNTS = ("phases", "actions", "reasons", "cards", "events")  # coverage counts


def new_desk() -> Any:
    """Return a blank desk, as an array of one record."""
    return new_records(1, DESK)


@jit
def is_legal(bits: Int64s, action: int) -> bool:
    """Return whether an action is legal."""
    kind = KIND_OF[action]
    return bool(bits[kind] >> (action - BASE[kind]) & 1 != 0)


@jit
def check_action(game: GameState, rules: RuleSet, desk: DeskState, action: int) -> int:
    """Check that the mask and ``why`` agree about an action."""
    reason = why(game, rules, action)
    desk.reasons[reason] += 1
    if (reason == Why.OK) == is_legal(desk.bits, action):
        return Fault.NONE
    desk.detail = action
    return Fault.MASK


@jit
def check_position(game: GameState, rules: RuleSet, desk: DeskState) -> int:
    """Check every invariant; leaves the legal actions in ``desk.bits``."""
    desk.detail = invariants.status(game, rules, desk.bits)
    return Fault.NONE if desk.detail == 0 else Fault.STATUS


@jit
def check_closely(game: GameState, rules: RuleSet, desk: DeskState) -> int:
    """Run the slower checks of a position: all actions, all observations, the standings."""
    if game.phase != Phase.OVER:
        write_mask(desk.bits, desk.mask)
        for action in range(N_ACTIONS):
            if check_action(game, rules, desk, action) != Fault.NONE:
                return Fault.MASK
            if (desk.mask[action] != 0) != is_legal(desk.bits, action):
                desk.detail = action
                return Fault.MASK_BYTES
    for seat in range(game.players):
        write_observation(game, rules, seat, desk.row)
        for index in range(OBSERVATION_SIZE):
            if not LOW[index] <= desk.row[index] <= HIGH[index]:  # also fails for NaN
                desk.detail = index
                return Fault.OBSERVATION
    return check_places(game, rules, desk)


@jit
def check_places(game: GameState, rules: RuleSet, desk: DeskState) -> int:
    """Check the order of standings: active players before bankrupt ones, richer before poorer."""
    ranks(game, rules, desk.rank)
    for player in range(game.players):
        for other in range(game.players):
            before = desk.rank[player] < desk.rank[other]
            if game.out[player] == 0 and game.out[other] == 0:
                richer = net_worth(game, rules, player) > net_worth(game, rules, other)
            else:
                richer = game.out[player] == 0 and game.out[other] != 0
                richer = richer or game.out[player] > game.out[other] > 0
            if before != richer:
                desk.detail = player
                return Fault.STANDINGS
    return Fault.NONE


@jit
def take(
    game: GameState, rules: RuleSet, log: Log, books: BooksState, desk: DeskState, action: int
) -> int:
    """Take a legal action and compare the changes with the journal."""
    desk.phases[game.phase] += 1
    desk.actions[action] += 1
    player = int(game.actor)
    counted_on = raisable(game, rules, player)
    step(game, rules, log, action)
    if is_full(log):
        return Fault.JOURNAL
    for index in range(log.length):
        event = log.events[index]
        desk.events[event.kind] += 1
        if event.kind == Event.CARD:
            desk.cards[event.square] += 1
    enter(books, log)
    if not money_agrees(books, game):
        return Fault.MONEY
    if not property_agrees(books, game):
        return Fault.PROPERTY
    kind = KIND_OF[action]
    if kind in (SELL, SELL_GROUP, MORTGAGE):
        found = raisable(game, rules, player)
        if found != counted_on and only_raised(log, player):
            desk.detail = found - counted_on
            return Fault.RAISABLE
    return Fault.NONE


@jit
def only_raised(log: Log, player: int) -> bool:
    """Return whether a player only sold or mortgaged, with no payment or deed transfer after it."""
    for index in range(log.length):
        event = log.events[index]
        if event.kind == Event.PAY:
            raised = event.square in (Reason.BUILDING, Reason.MORTGAGE)
            if event.other != player or not raised:
                return False
        if event.kind in (Event.DEED, Event.BANK_DEED):
            return False
    return True
