"""The figures of behavior: what is divided by what, each in a sentence."""

from __future__ import annotations

from dataclasses import dataclass

from monopoly_training.behavior.kernel import SUMS

# What deals add, in the order of the columns after SUMS
DEAL_SUMS = (
    "offers_made",
    "offers_taken",  # own offers that were accepted
    "offers_heard",
    "offers_accepted",  # others' offers that were accepted
    "refused",  # others' offers that were refused
    "refused_good",  # of them, those by which both sides would have gained
    "deals",  # made, by either side's offer
    "gained",  # sum of own gains in deals, in chances to win
    "given",  # sum of the other sides' gains in them
    "talks",  # negotiations begun: first offers to a player about the same deeds and cards
    "first_gap",  # sum over them of own gain less the other side's by the first offer
    "long_talks",  # negotiations of two or more offers
    "conceded",  # sum over them of the own gain of the first offer less that of the last
)
COLUMNS = (*SUMS, *DEAL_SUMS)
AT = {name: column for column, name in enumerate(COLUMNS)}
ROUNDING = 5  # decimals of a sum in a ledger


@dataclass(frozen=True)
class Figure:
    """One number about a bot: a sum divided by another."""

    name: str
    above: str
    below: str
    meaning: str  # one sentence
    unit: str = "%"  # "%": a share; "points": of chances to win; "": a plain number


FIGURES = (
    Figure("liquidity", "covered", "threatened",
           "The share of the highest rent within reach of two dice that its cash covers before a roll, at most 100 %, averaged over rolls with such a rent."),
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
