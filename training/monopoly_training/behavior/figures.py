"""Definitions of the behavior statistics: each is a ratio of two sums."""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_training.behavior.kernel import SUMS

# Sums over deals, in the order of the columns after SUMS
DEAL_SUMS = (
    "offers_made",
    "offers_taken",  # own offers that were accepted
    "offers_heard",
    "offers_accepted",  # others' offers that were accepted
    "refused",  # others' offers that were refused
    "refused_good",  # refused offers from which both sides would have gained
    "deals",  # completed, by either side's offer
    "gained",  # own gains in deals, in win probability
    "given",  # the other sides' gains in deals
    "talks",  # negotiations: sequences of offers to a player about the same deeds and cards
    "first_gap",  # sum over negotiations: own minus the other side's gain in the first offer
    "long_talks",  # negotiations with two or more offers
    "conceded",  # sum over them: own gain in the first offer minus that in the last
)
COLUMNS = (*SUMS, *DEAL_SUMS)
AT = {name: column for column, name in enumerate(COLUMNS)}
ROUNDING = 5  # decimals of a sum in a ledger


@dataclass(frozen=True)
class Figure:
    """A statistic of a bot: one sum divided by another."""

    name: str
    above: str
    below: str
    meaning: str  # one sentence
    unit: str = "%"  # "%": a share; "points": win probability; "": a plain number


FIGURES = (
    Figure("liquidity", "covered", "threatened",
           "The share of the highest rent within reach of two dice that its cash covers before a roll, at most 100%, averaged over rolls with such a rent."),
    Figure("short_of_cash", "short", "threatened",
           "How often its cash is below that rent at these rolls."),
    Figure("overbid_rate", "over_list", "auctions_won",
           "The share of deeds bought at auction that cost more than their list price."),
    Figure("auction_price", "times_list", "auctions_won",
           "The mean auction price of a deed, as a multiple of its list price.", ""),
    Figure("proposal_rate", "offers_made", "throws",
           "Offers made per roll of its own.", ""),
    Figure("taken_rate", "offers_taken", "offers_made",
           "The share of its offers that are accepted."),
    Figure("acceptance_rate", "offers_accepted", "offers_heard",
           "The share of received offers that it accepts."),
    Figure("surplus_taken", "gained", "deals",
           "The mean gain in its own win probability per deal.", "points"),
    Figure("surplus_given", "given", "deals",
           "The mean gain in the other side's win probability per deal.", "points"),
    Figure("refused_good", "refused_good", "refused",
           "The share of refused offers that would have raised both sides' win probability."),
    Figure("first_offer_gap", "first_gap", "talks",
           "How much more the first offer of a negotiation adds to its own win probability than to the other side's, on average.", "points"),
    Figure("concession", "conceded", "long_talks",
           "How much of its own gain it gives up from the first to the last offer of a negotiation, averaged over negotiations with two or more offers.", "points"),
    Figure("groups_broken", "groups_broken", "deals",
           "Complete color groups broken up per deal.", ""),
    Figure("mortgage_churn", "lifted_soon", "mortgaged",
           "The share of its mortgages that it lifts within three of its own rolls."),
)  # fmt: skip
