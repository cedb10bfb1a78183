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
           "How much of the highest rent within reach of two dice its cash covers before a throw, 100 % at most, on average over throws with such a rent."),
    Figure("short_of_cash", "short", "threatened",
           "How often, of these throws, its cash is less than that rent."),
    Figure("overbid_rate", "over_list", "auctions_won",
           "How many of the deeds that it buys at auctions cost more than their list price."),
    Figure("auction_price", "times_list", "auctions_won",
           "What it pays for a deed at an auction, in list prices, on average.", ""),
    Figure("proposal_rate", "offers_made", "throws",
           "Offers that it makes, a throw of its own.", ""),
    Figure("taken_rate", "offers_taken", "offers_made",
           "How many of its offers are accepted."),
    Figure("acceptance_rate", "offers_accepted", "offers_heard",
           "How many of the offers to it it accepts."),
    Figure("surplus_taken", "gained", "deals",
           "What a deal adds to its own chance to win, on average over all deals that it is part of.", "points"),
    Figure("surplus_given", "given", "deals",
           "What a deal adds to the other side's chance to win, on average over the same deals.", "points"),
    Figure("refused_good", "refused_good", "refused",
           "How many of the offers that it refuses would have added to both sides' chances to win."),
    Figure("first_offer_gap", "first_gap", "talks",
           "By how much the first offer of a negotiation adds more to its own chance than to the other side's, on average.", "points"),
    Figure("concession", "conceded", "long_talks",
           "How much of its own gain it has given up from the first to the last offer of a negotiation, on average over those of two or more offers.", "points"),
    Figure("groups_broken", "groups_broken", "deals",
           "Complete color groups of which it gives a deed away, a deal.", ""),
    Figure("mortgage_churn", "lifted_soon", "mortgaged",
           "How many of its mortgages it lifts again within three of its own throws."),
)  # fmt: skip
