"""The memory in which offers are listed: the most promising ones so far, and room to compare them."""

from __future__ import annotations

from typing import Annotated

from monopoly_agents.trader.acceptance import N_FEATURES
from monopoly_agents.trader.sides import SIDES, SidesState
from monopoly_env.bots.deals import Deal, new_deal
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.pointers import scratch_record
from monopoly_env.compiler.records import Field, dtype_of
from monopoly_env.engine.state import Float32s, Float64s, Int64s

JUDGED = 6  # shortlisted offers, which the learned value judges


class ListingState:
    """The shortlist, with a row for each offer, and the offer that is being compared with it."""

    partner: Annotated[Int64s, Field("i8", (JUDGED,), "a seat", "whom each offer is for")]
    give: Annotated[Int64s, Field("i8", (JUDGED,), "a bit per square", "what the player gives")]
    ask: Annotated[Int64s, Field("i8", (JUDGED,), "a bit per square", "what it asks for")]
    cash: Annotated[Int64s, Field("i8", (JUDGED,), "$", "what it asks for; negative: it pays")]
    score: Annotated[
        Float64s, Field("f8", (JUDGED,), "", "gain times acceptance probability; 0: no offer")
    ]
    now: Annotated[SidesState, Field(SIDES, (), "", "both sides before the deal")]
    after: Annotated[SidesState, Field(SIDES, (), "", "both sides after it, without its cash")]
    features: Annotated[
        Float32s, Field("f4", (N_FEATURES,), "", "what the acceptance model reads of an offer")
    ]


LISTING = dtype_of(ListingState)
new_listing = scratch_record(LISTING)  # clear it first


@jit
def clear(listing: ListingState) -> None:
    """Empty the shortlist."""
    for row in range(JUDGED):
        listing.score[row] = 0.0


@jit
def weakest(listing: ListingState) -> int:
    """Return the row with the lowest score."""
    row = 0
    for other in range(1, JUDGED):
        if listing.score[other] < listing.score[row]:
            row = other
    return row


@jit
def keep(listing: ListingState, deal: Deal, score: float) -> None:
    """Replace the least promising shortlisted offer if this one is better."""
    row = weakest(listing)
    if score > listing.score[row]:
        listing.partner[row], listing.give[row] = deal.partner, deal.give
        listing.ask[row], listing.cash[row] = deal.ask, deal.cash
        listing.score[row] = score


@jit
def shortlisted(listing: ListingState, row: int, me: int) -> Deal:
    """Return the offer of a row, by player ``me``."""
    return new_deal(
        me, listing.partner[row], listing.give[row], listing.ask[row], listing.cash[row]
    )
