"""What is compared: editions, modes and switches, and the ways of playing at random."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from monopoly_env.editions import editions, load_edition
from monopoly_env.engine.board import DEEDS, SPACE_IDS, STREETS


@dataclass(frozen=True)
class Setting:
    """Rules to compare under."""

    edition: str = "classic"
    mode: str = "standard"
    rules: Mapping[str, object] = field(default_factory=dict)
    name: str = ""

    def load(self) -> Any:
        """The RULES array."""
        return load_edition(self.edition, self.mode, self.rules).rules

    def __str__(self) -> str:
        if self.name:
            return self.name
        switches = " ".join(f"{name}={value}" for name, value in self.rules.items())
        return f"{self.edition} {self.mode} {switches}".rstrip()


POWERFUL = ("pokemon1999", "pokemon_fr2000")  # the books that have Power Doubles and time limits

SWITCHES: tuple[dict[str, object], ...] = (
    # House rules
    {"free_parking_jackpot": 1},
    {"landing_bonus": 200, "start_cash": 2000},
    {"auctions": 0},
    {"buy_after_laps": 1},
    {"limited_buildings": 0},
    {"even_building": 0},
    {"gifts": 1},
    # What the books differ in, one at a time
    {"rent_asked": 1},
    {"rent_asked": 1, "rent_deadline": 2, "utility_fresh_throw": 0},
    {"double_rent_beside_mortgage": 1},
    {"sell_group_always": 1},
    {"mortgage_beside_buildings": 1},
    {"bankrupt_mortgages": 0},
    {"property_for_debt": 1, "start_cash": 400},
    {"creditors_in_turn": 1, "start_cash": 250},
    {"end_bankruptcies": 2, "start_cash": 400},
    {"jail_tries": 1, "jail_fine": 120},
    {"jail_fine_tries": 0},
    {"time_limit_rounds": 7},
    # Shortages
    {"houses": 5, "hotels": 2},
    {"houses": 9, "hotels": 1, "scarce_opens_at_price": 1, "start_cash": 3000},
    {"houses": 3, "hotels": 12, "sell_group_always": 1, "start_cash": 3000},
    # The table
    {"deals": 0},
    {"between_windows": 0},
    {"trade_limit": 0, "debt_trade_limit": 0},
    {"trade_limit": 5, "debt_trade_limit": 2, "start_cash": 300},
    {"auction_opening": 25},
    {"deal_keep_percent": 100, "trade_limit": 5, "start_cash": 300},
    {"max_turns": 1},
    {"max_turns": 23},
    {"max_decisions": 77},
    # Few dollars: many debts
    {"start_cash": 200},
    {"start_cash": 500, "salary": 0},
)


def named_settings() -> list[Setting]:
    """Every edition in every mode, with its optional rules, and every switch on its own."""
    settings = [Setting(name, mode) for name in editions() for mode in ("standard", "short")]
    for name in POWERFUL:
        settings += [
            Setting(name, "time_limit", {"time_limit_rounds": 12}),
            Setting(name, "standard", {"power_doubles": 1}),
            Setting(name, "short", {"power_doubles": 1}),
            Setting(name, "standard", {"power_doubles": 1, "rent_asked": 1}),
            Setting(name, "standard", {"rent_asked": 1}),
        ]
    return settings + [Setting("classic", "standard", switches) for switches in SWITCHES]


# Values that a mixture draws from.
MIXTURE: dict[str, tuple[int, ...]] = {
    "start_cash": (150, 300, 600, 1000, 1500, 4000),
    "deal_count": (0, 0, 0, 2, 3),
    "salary": (0, 100, 200),
    "landing_bonus": (0, 0, 150),
    "auctions": (0, 1, 1, 1),
    "auction_opening": (1, 1, 10, 60),
    "buy_after_laps": (0, 0, 0, 1, 2),
    "rent_asked": (0, 0, 1),
    "rent_deadline": (1, 2),
    "double_rent_beside_mortgage": (0, 1),
    "utility_fresh_throw": (0, 1),
    "jail_fine": (0, 50, 300),
    "jail_tries": (1, 2, 3, 4),
    "jail_fine_tries": (0, 1, 2, 3),
    "houses": (1, 4, 8, 32),
    "hotels": (0, 1, 3, 12),
    "hotel_houses": (3, 4),
    "even_building": (0, 1, 1, 1),
    "limited_buildings": (0, 1, 1, 1),
    "sell_group_always": (0, 1),
    "scarce_opens_at_price": (0, 1),
    "lift_percent": (0, 7, 10, 100),
    "mortgage_beside_buildings": (0, 0, 1),
    "deal_keep_percent": (0, 10, 33),
    "bankrupt_keep_percent": (0, 10, 100),
    "deals": (0, 1, 1, 1),
    "trade_limit": (0, 1, 2, 5),
    "debt_trade_limit": (0, 1, 4),
    "gifts": (0, 1),
    "property_for_debt": (0, 1),
    "bankrupt_mortgages": (0, 1),
    "creditors_in_turn": (0, 1),
    "end_bankruptcies": (0, 0, 0, 1, 2, 3),
    "time_limit_rounds": (0, 0, 0, 20),
    "power_doubles": (0, 1),
    "power_rest": (0, 200),
    "power_leech": (50, 400),
    "free_parking_jackpot": (0, 1),
    "between_windows": (0, 1),
    "max_turns": (100, 400, 1000),
}


def mixture(seed: int) -> Setting:
    """Rules drawn at random, all at once, with odd prices so that every rounding shows."""
    chance = random.Random(seed)
    rules: dict[str, object] = {name: chance.choice(values) for name, values in MIXTURE.items()}
    rules["deal_paid"] = chance.choice((0, 1))
    if chance.random() < 0.5:
        rules["mortgage"] = {SPACE_IDS[s]: chance.randrange(1, 300) for s in DEEDS}
        rules["house_price"] = {SPACE_IDS[s]: chance.randrange(1, 150) for s in STREETS}
        rules["hotel_price"] = {SPACE_IDS[s]: chance.randrange(1, 250) for s in STREETS}
        rules["price"] = {SPACE_IDS[s]: chance.randrange(1, 400) for s in DEEDS}
        rules["tax"] = {"income_tax": chance.choice((0, 200)), "luxury_tax": 75}
        rules["tax_percent"] = {"luxury_tax": chance.choice((0, 13))}
        rules["railroad_rent"] = [10, 60, 150, 300]
        rules["utility_multiplier"] = [3, 12]
        rules["card_amount"] = {"ch_chairman": chance.choice((0, 50, 300))}
    edition, mode = chance.choice(POWERFUL), chance.choice(("standard", "short"))
    return Setting(edition, mode, rules, f"mixture {seed} of {edition} {mode}")


# --- who plays ---


@dataclass(frozen=True)
class Driver:
    """Random play: a kind of action first, by these weights, then any action of that kind."""

    name: str
    weights: Mapping[str, float] = field(default_factory=dict)

    def choose(self, legal: frozenset[str], chance: random.Random) -> str:
        """One of the legal actions."""
        kinds: dict[str, list[str]] = {}
        for text in sorted(legal):
            kinds.setdefault(text.partition(":")[0], []).append(text)
        names = list(kinds)
        weights = [self.weights.get(name, 1) for name in names]
        return chance.choice(kinds[chance.choices(names, weights)[0]])


DRIVERS: dict[str, Driver] = {
    driver.name: driver
    for driver in (
        Driver("any"),
        Driver(
            "late",  # buys and builds, so that the game gets on
            {
                "buy": 20, "auction": 0.2, "build": 8, "lift": 3, "sell": 0.05, "sell_group": 0.05,
                "mortgage": 0.05, "deal": 0.02, "roll": 4, "end_turn": 4, "pass": 1.5,
                "raise": 2, "bankrupt": 0.5,
            },
        ),
        Driver(
            "dealing",  # offers and accepts much
            {
                "deal": 6, "give": 3, "ask": 3, "offer": 6, "cancel": 0.2, "accept": 3,
                "give_cash": 2, "ask_cash": 2, "buy": 8, "sell": 0.3, "build": 2,
                "roll": 2, "end_turn": 2, "pass": 2, "bankrupt": 0.2,
            },
        ),
        Driver(
            "growing",  # completes groups by deals and fills them
            {
                "buy": 30, "auction": 0.5, "build": 30, "lift": 30, "sell": 0.02, "mortgage": 0.02,
                "sell_group": 0.02, "deal": 2, "give": 2, "ask": 2, "offer": 6, "accept": 6,
                "cancel": 0.2, "claim": 3, "bankrupt": 0.3, "roll": 4, "end_turn": 2,
            },
        ),
    )
}  # fmt: skip
