"""Acceptance model: two networks that predict how likely a partner accepts an offer.

They are fitted to the answers of many kinds of players. Features: both sides' gain under two value
formulas, groups that the deal completes or breaks, worth and cash on both sides, and how often the
partner has refused or accepted earlier offers. The partner's identity is not a feature.

The small network shortlists hundreds of offers. The large one judges the few that are left, and also
reads both sides' gain by the learned value, which takes longer than all other features together.
"""

from __future__ import annotations

import math
from typing import Annotated, NamedTuple

import numpy as np

from monopoly_agents.strategist.deal_value import completes_group, strengths_after
from monopoly_agents.strategist.weights import STRATEGIST, Weights
from monopoly_agents.strategist.win_share import others_squared, unowned_deeds, win_share
from monopoly_agents.valuation import book_value, squares_of_groups
from monopoly_env.bots.deals import Deal, new_deal
from monopoly_env.compiler.bits import count, lowest
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.engine.board import DEED_BITS, GROUP, GROUP_BITS
from monopoly_env.engine.deeds import alive_count
from monopoly_env.engine.rules import Deals, RuleSet
from monopoly_env.engine.state import Float32s, Float64s, GameState

SMALL, LARGE = 24, 64  # hidden units of each layer
FEATURES = (  # features of an offer; the last two, of write_learned, are for the large network
    "theirs_a", "theirs_b", "mine_a", "mine_b", "completes_theirs", "completes_mine", "completes_both",
    "breaks_theirs", "nearer_theirs", "nearer_mine", "worth", "cash", "cash_asked", "their_cash",
    "my_cash", "deeds_asked", "deeds_given", "refusals", "refused", "taken", "two", "rounds",
    "players", "sold_out", "menu", "theirs_learned", "mine_learned",
)  # fmt: skip
N_FEATURES = len(FEATURES)
N_QUICK = FEATURES.index("theirs_learned")  # features that the small network reads
FURTHEST = 2.0  # clip log ratios to this range
LEAST_CHANCE = 0.005  # added to win probabilities, so that their ratios stay finite
GROUND = 40  # $ added to both sides of a ratio of worth, so that it stays finite
MOST_REFUSALS, MOST_TAKEN = 12, 3  # higher counts are clipped to these


class SmallState:
    """Weights of the small network, rows by input and columns by output."""

    first: Annotated[Float32s, Field("f4", (N_QUICK, SMALL), "", "of the first hidden layer")]
    bias: Annotated[Float32s, Field("f4", (2, SMALL), "", "biases of both hidden layers")]
    second: Annotated[Float32s, Field("f4", (SMALL, SMALL), "", "of the second hidden layer")]
    out: Annotated[Float32s, Field("f4", (SMALL,), "", "of the output")]
    level: Annotated[float, Field("f4", (), "", "bias of the output")]


class LargeState:
    """Weights of the large network, rows by input and columns by output."""

    first: Annotated[Float32s, Field("f4", (N_FEATURES, LARGE), "", "of the first hidden layer")]
    bias: Annotated[Float32s, Field("f4", (2, LARGE), "", "biases of both hidden layers")]
    second: Annotated[Float32s, Field("f4", (LARGE, LARGE), "", "of the second hidden layer")]
    out: Annotated[Float32s, Field("f4", (LARGE,), "", "of the output")]
    level: Annotated[float, Field("f4", (), "", "bias of the output")]


class AcceptanceState:
    """Both networks of the model."""

    small: Annotated[SmallState, Field(dtype_of(SmallState), (), "", "shortlists offers")]
    large: Annotated[LargeState, Field(dtype_of(LargeState), (), "", "judges shortlisted offers")]


ACCEPTANCE = dtype_of(AcceptanceState)


class Standing(NamedTuple):
    """Strengths without a deal of both players and of the others (squared), by weights a and b."""

    mine_a: float
    theirs_a: float
    others_a: float
    mine_b: float
    theirs_b: float
    others_b: float


@jit
def standing_of(
    game: GameState, rules: RuleSet, weights: Weights, me: int, partner: int
) -> Standing:
    """Return the current strengths; ``a`` uses the strategist's weights, ``b`` uses ``weights``."""
    none = new_deal(me, partner, 0, 0, 0)
    mine_a, theirs_a = strengths_after(game, rules, STRATEGIST[0], none)
    mine_b, theirs_b = strengths_after(game, rules, weights, none)
    others_a = others_squared(game, rules, STRATEGIST[0], me, partner)
    others_b = others_squared(game, rules, weights, me, partner)
    return Standing(mine_a, theirs_a, others_a, mine_b, theirs_b, others_b)


@jit
def log_ratio(after: float, before: float) -> float:
    """Return the clipped logarithm of the ratio of two shares."""
    return min(max(math.log(after / before), -FURTHEST), FURTHEST)


@jit
def share_logs(
    mine: float, theirs: float, others: float, mine_0: float, theirs_0: float
) -> tuple[float, float]:
    """Return the log ratios of both sides' win shares: the player's and the partner's."""
    own = log_ratio(win_share(mine, theirs, others), win_share(mine_0, theirs_0, others))
    other = log_ratio(win_share(theirs, mine, others), win_share(theirs_0, mine_0, others))
    return own, other


@jit
def worth_of(game: GameState, rules: RuleSet, deeds: int) -> int:
    """Return the sum of list prices of deeds, half for mortgaged ones."""
    total = 0
    remaining = deeds & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        total += book_value(game, rules, square)
    return total


@jit
def is_nearer(owned: int, received: int) -> bool:
    """Return whether a received deed belongs to a group of which some deeds are owned."""
    remaining = received & DEED_BITS
    while remaining != 0:
        square = lowest(remaining)
        remaining &= remaining - 1
        if owned & GROUP_BITS[GROUP[square]] != 0:
            return True
    return False


@jit
def write_offer(
    game: GameState,
    rules: RuleSet,
    weights: Weights,
    standing: Standing,
    deal: Deal,
    refusals: int,
    taken: int,
    out: Float32s,
) -> None:
    """Write the features that the small network reads of an offer to ``out``, float32[N_FEATURES].

    ``refusals`` counts the player's offers that this partner has refused since it last accepted
    one; ``taken`` counts those it has accepted.
    """
    strengths_a = strengths_after(game, rules, STRATEGIST[0], deal)
    strengths_b = strengths_after(game, rules, weights, deal)
    write_shares(standing, strengths_a, strengths_b, out)
    write_terms(game, rules, deal, refusals, taken, out)


@jit
def write_learned(deal: Deal, before: Float64s, after: Float64s, out: Float32s) -> None:
    """Write the features of the learned value: how the deal changes both sides' win probabilities.

    ``before`` and ``after`` have each seat's, float64[PLAYERS].
    """
    theirs, mine = deal.partner, deal.me
    out[N_QUICK] = log_ratio(after[theirs] + LEAST_CHANCE, before[theirs] + LEAST_CHANCE)
    out[N_QUICK + 1] = log_ratio(after[mine] + LEAST_CHANCE, before[mine] + LEAST_CHANCE)


@jit
def write_shares(
    standing: Standing,
    strengths_a: tuple[float, float],
    strengths_b: tuple[float, float],
    out: Float32s,
) -> None:
    """Write the features of both sides' strengths after the offer, by both sets of weights."""
    mine, theirs = strengths_a
    own, other = share_logs(mine, theirs, standing.others_a, standing.mine_a, standing.theirs_a)
    out[0], out[2] = other, own
    mine, theirs = strengths_b
    own, other = share_logs(mine, theirs, standing.others_b, standing.mine_b, standing.theirs_b)
    out[1], out[3] = other, own


@jit
def write_terms(
    game: GameState, rules: RuleSet, deal: Deal, refusals: int, taken: int, out: Float32s
) -> None:
    """Write the features that do not depend on the players' strengths."""
    me, partner, give, ask, cash = deal
    theirs_too = completes_group(game.owned[partner], give & DEED_BITS)
    mine_too = completes_group(game.owned[me], ask & DEED_BITS)
    out[4], out[5], out[6] = theirs_too, mine_too, theirs_too and mine_too
    out[7] = squares_of_groups(game.owned[partner]) & ask != 0
    out[8], out[9] = is_nearer(game.owned[partner], give), is_nearer(game.owned[me], ask)
    received = worth_of(game, rules, give) + max(-cash, 0) + GROUND
    given = worth_of(game, rules, ask) + max(cash, 0) + GROUND
    out[10] = log_ratio(float(received), float(given))
    out[11] = min(max(-cash / 500.0, -2.0), 2.0)
    out[12] = max(cash, 0) / max(float(game.cash[partner]), 1.0)
    out[13] = min(game.cash[partner] / 1000.0, 3.0)
    out[14] = min(game.cash[me] / 1000.0, 3.0)
    out[15], out[16] = count(ask) / 3.0, count(give) / 3.0
    out[17], out[18] = min(refusals, MOST_REFUSALS) / 6.0, refusals > 0
    out[19] = min(taken, MOST_TAKEN) / 3.0
    out[20] = alive_count(game) == 2
    out[21] = min(game.turns / (50.0 * game.players), 2.0)
    out[22] = game.players / 4.0
    out[23] = unowned_deeds(game) == 0
    out[24] = rules.deals == Deals.MENU


@jit
def acceptance_probability(network: SmallState | LargeState, features: Float32s) -> float:
    """Return the probability that an offer is accepted, from ``features``, float32[N_FEATURES]."""
    inputs, units = network.first.shape
    hidden, after = np.empty(units, np.float32), np.empty(units, np.float32)
    for k in range(units):
        hidden[k] = network.bias[0, k]
        after[k] = network.bias[1, k]
    for index in range(inputs):
        if features[index] != 0:
            for k in range(units):
                hidden[k] += features[index] * network.first[index, k]
    for index in range(units):
        if hidden[index] > 0:
            for k in range(units):
                after[k] += hidden[index] * network.second[index, k]
    logit = float(network.level)
    for k in range(units):
        if after[k] > 0:
            logit += after[k] * network.out[k]
    return 1.0 / (1.0 + math.exp(-logit))
