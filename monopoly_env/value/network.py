"""The network: the same weights for every seat; seats interact through a mean and a maximum.

    features of each seat, features of the table
      → one layer per seat
      → LAYERS layers: own activations, mean and maximum over the seats in the game
      → one logit per seat → softmax over the seats in the game

Rotating the seats rotates the output: no feature depends on a seat's number, and whose turn it is
is a feature. Two implementations share the weights: this compiled one, and one in NumPy
(:mod:`monopoly_env.value.reference`).
"""

from __future__ import annotations

import math
from typing import Annotated, Any

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, Records, dtype_of, fields, new_records
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.ending import ranks
from monopoly_env.engine.rules import RuleSet
from monopoly_env.engine.state import GAME, Float32s, Float64s, GameState, Int8s
from monopoly_env.value.features import (
    FEATURES,
    TABLE_FEATURES,
    has_printed_prices,
    write_features,
)
from monopoly_env.value.settling import decided, settle

HIDDEN = 64
LAYERS = 2
MATRICES = LAYERS, HIDDEN, HIDDEN
# Sets of weights: one for the printed editions, and one for boards with other prices
SETS = 2
PRINTED, BOARDS = range(SETS)


class NetworkState:
    """The weights: two sets; rows by input, columns by output."""

    seat: Annotated[
        Float32s, Field("f4", (SETS, FEATURES, HIDDEN), "", "weights of a seat's features")
    ]
    table: Annotated[
        Float32s, Field("f4", (SETS, TABLE_FEATURES, HIDDEN), "", "weights of the table's")
    ]
    bias: Annotated[Float32s, Field("f4", (SETS, LAYERS + 1, HIDDEN), "", "biases of every layer")]
    own: Annotated[Float32s, Field("f4", (SETS, *MATRICES), "", "of own activations")]
    mean: Annotated[Float32s, Field("f4", (SETS, *MATRICES), "", "weights of the mean")]
    highest: Annotated[Float32s, Field("f4", (SETS, *MATRICES), "", "of the maximum")]
    out: Annotated[Float32s, Field("f4", (SETS, HIDDEN), "", "weights of the output")]


class ValueWork:
    """The memory of one thread: inputs, activations and results."""

    settled: Annotated[GameState, Field(GAME, (), "", "the settled position")]
    seats: Annotated[Float32s, Field("f4", (PLAYERS, FEATURES), "", "features of each seat")]
    table: Annotated[Float32s, Field("f4", (TABLE_FEATURES,), "", "features of the table")]
    hidden: Annotated[Float32s, Field("f4", (PLAYERS, HIDDEN), "", "activations of each seat")]
    after: Annotated[Float32s, Field("f4", (PLAYERS, HIDDEN), "", "activations of the next layer")]
    mean: Annotated[Float32s, Field("f4", (HIDDEN,), "", "over seats in the game")]
    highest: Annotated[Float32s, Field("f4", (HIDDEN,), "", "over seats in the game")]
    shared: Annotated[Float32s, Field("f4", (HIDDEN,), "", "terms shared by all seats")]
    rank: Annotated[Int8s, Field("i1", (PLAYERS,), "", "ranks, if the game is decided")]


NETWORK = dtype_of(NetworkState)
WORK = dtype_of(ValueWork)


def new_work() -> Records:
    """Return the memory of one thread, WORK[1]."""
    return new_records(1, WORK)


@jit
def set_for(rules: RuleSet) -> int:
    """Return which set of weights judges positions of an edition: PRINTED or BOARDS."""
    return PRINTED if has_printed_prices(rules) else BOARDS


@jit
def add_row(target: Float32s, factor: float, row: Float32s) -> None:
    """Compute ``target += factor * row``."""
    times = np.float32(factor)
    for k in range(HIDDEN):
        target[k] += times * row[k]


@jit
def rectify(numbers: Float32s) -> None:
    """Apply a ReLU in place."""
    for k in range(HIDDEN):
        numbers[k] = max(numbers[k], np.float32(0.0))


@jit
def pool(game: GameState, hidden: Float32s, mean: Float32s, highest: Float32s) -> None:
    """Write the mean and the maximum over the seats in the game; activations are not negative."""
    mean[:] = 0
    highest[:] = 0
    alive = 0
    for seat in range(game.players):
        if game.out[seat] == 0:
            alive += 1
            row = hidden[seat]
            for k in range(HIDDEN):
                mean[k] += row[k]
                highest[k] = max(highest[k], row[k])
    part = np.float32(1.0 / max(alive, 1))
    for k in range(HIDDEN):
        mean[k] *= part


@jit
def first_layer(game: GameState, network: NetworkState, which: int, work: ValueWork) -> None:
    """Compute each seat's activations from its features and the table's."""
    shared, weights = work.shared, network.table[which]
    bias, table = network.bias[which, 0], work.table
    for k in range(HIDDEN):
        shared[k] = bias[k]
    for index in range(TABLE_FEATURES):
        if table[index] != 0:
            add_row(shared, table[index], weights[index])
    weights = network.seat[which]
    for seat in range(game.players):
        if game.out[seat] == 0:
            hidden, features = work.hidden[seat], work.seats[seat]
            for k in range(HIDDEN):
                hidden[k] = shared[k]
            for index in range(FEATURES):
                if features[index] != 0:
                    add_row(hidden, features[index], weights[index])
            rectify(hidden)


@jit
def next_layer(
    game: GameState, network: NetworkState, which: int, work: ValueWork, layer: int
) -> None:
    """Compute a layer in ``work.hidden`` from own activations, their mean and maximum."""
    shared, mean, highest = work.shared, work.mean, work.highest
    pool(game, work.hidden, mean, highest)
    bias = network.bias[which, layer + 1]
    of_mean, of_highest = network.mean[which, layer], network.highest[which, layer]
    of_own = network.own[which, layer]
    for k in range(HIDDEN):
        shared[k] = bias[k]
    for index in range(HIDDEN):
        if highest[index] != 0:  # then the mean is not zero either
            add_row(shared, mean[index], of_mean[index])
            add_row(shared, highest[index], of_highest[index])
    for seat in range(game.players):
        if game.out[seat] == 0:
            after, hidden = work.after[seat], work.hidden[seat]
            for k in range(HIDDEN):
                after[k] = shared[k]
            for index in range(HIDDEN):
                if hidden[index] != 0:
                    add_row(after, hidden[index], of_own[index])
            rectify(after)
            for k in range(HIDDEN):
                hidden[k] = after[k]


@jit
def write_softmax(
    game: GameState, network: NetworkState, which: int, work: ValueWork, out: Float64s
) -> None:
    """Write each seat's win probability from its activations."""
    weights = network.out[which]
    out[:] = 0.0
    highest = -math.inf
    for seat in range(game.players):
        if game.out[seat] == 0:
            hidden, logit = work.hidden[seat], 0.0
            for k in range(HIDDEN):
                logit += hidden[k] * weights[k]
            out[seat] = logit
            highest = max(highest, logit)
    total = 0.0
    for seat in range(game.players):
        if game.out[seat] == 0:
            out[seat] = math.exp(out[seat] - highest)
            total += out[seat]
    for seat in range(game.players):
        out[seat] /= total


@jit
def write_result(game: GameState, rules: RuleSet, rank: Int8s, out: Float64s) -> None:
    """Write the shares of the win in a decided game, from the standings."""
    ranks(game, rules, rank)
    winners = 0
    for seat in range(game.players):
        if rank[seat] == 1:
            winners += 1
    out[:] = 0.0
    for seat in range(game.players):
        if rank[seat] == 1:
            out[seat] = 1.0 / winners


@jit
def prepare(game: GameState, rules: RuleSet, work: ValueWork) -> bool:
    """Copy a position into ``work``, settle it and write its features; False if it is decided."""
    work.settled = game
    settled = work.settled
    if not decided(settled, rules):
        settle(settled, rules)
    if decided(settled, rules):
        return False
    write_features(settled, rules, work.seats, work.table)
    return True


@jit
def write_chances(
    game: GameState, rules: RuleSet, network: NetworkState, work: ValueWork, out: Float64s
) -> None:
    """Write each seat's win probability into ``out``, float64[8]; they sum to 1.

    Seats that are out get 0. ``game`` is not changed.
    """
    if not prepare(game, rules, work):
        write_result(work.settled, rules, work.rank, out)
        return
    settled, which = work.settled, set_for(rules)
    first_layer(settled, network, which, work)
    for layer in range(LAYERS):
        next_layer(settled, network, which, work, layer)
    write_softmax(settled, network, which, work, out)


@jit
def write_all_chances(
    games: Records, rules_: Records, networks: Records, works: Records, out: Float64s
) -> None:
    """Write the win probabilities of many positions with the same rules: float64[n, 8]."""
    for index in range(len(games)):
        write_chances(games[index], rules_[0], networks[0], works[0], out[index])


@jit
def write_all_features(
    games: Records,
    rules_: Records,
    works: Records,
    seats: Float32s,
    table: Float32s,
    alive: Int8s,
) -> None:
    """Write the features of many positions, for training and for NumPy.

    ``seats`` float32[n, 8, FEATURES], ``table`` float32[n, TABLE_FEATURES]; ``alive`` int8[n, 8] is
    1 for the seats in the game, and all 0 if the game is decided.
    """
    work = works[0]
    for index in range(len(games)):
        alive[index] = 0
        if prepare(games[index], rules_[0], work):
            seats[index] = work.seats
            table[index] = work.table
            for seat in range(games[index].players):
                alive[index, seat] = 1 if work.settled.out[seat] == 0 else 0


def as_record(tensors: dict[str, Any]) -> Records:
    """Return NETWORK[1] from a mapping of field names to arrays.

    Arrays of one set of weights become both sets.
    """
    record = new_records(1, NETWORK)
    for name, array in tensors.items():
        record[name][0] = array
    return record


def with_set(networks: Records, which: int, tensors: dict[str, Any]) -> Records:
    """Return a copy of NETWORK[1] in which one set of weights is that of ``tensors``."""
    record = networks.copy()
    for name, array in tensors.items():
        record[name][0, which] = array
    return record


def set_of(networks: Records, which: int) -> dict[str, Any]:
    """Return one set of weights of NETWORK[1] by the names of its fields."""
    return {name: networks[name][0, which] for name in fields(NetworkState)}
