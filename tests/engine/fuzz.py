"""Settings under which random play meets all that the rules know, one switch or two at a time.

How it is played and checked is in :mod:`monopoly_training.fuzz`; `monopoly-env fuzz` plays more,
under rules drawn at random.
"""

from __future__ import annotations

from monopoly_training.fuzz.cases import Case, Seen, Table, in_words
from monopoly_training.fuzz.checks import Fault
from monopoly_training.fuzz.settings import Setting

SETTINGS: tuple[tuple[str, str, dict[str, object]], ...] = (
    ("classic", "standard", {}),
    ("classic", "standard", {"deals": "menu"}),
    ("classic", "standard", {"deals": "off", "windows": "own"}),
    ("classic", "standard", {"rent_asked": True}),
    ("classic", "standard", {"houses": 5, "hotels": 1}),
    ("classic", "standard", {"start_cash": 300, "creditors_in_turn": True}),
    ("classic", "standard", {"auctions": False, "free_parking_jackpot": True, "gifts": True,
                             "buy_after_laps": 1, "even_building": False, "landing_bonus": 200}),
    ("classic", "standard", {"limited_buildings": False, "mortgage_beside_buildings": True}),
    ("classic", "short", {}),
    ("kanto2014", "standard", {}),
    ("kanto2014", "short", {"rent_asked": True}),
    ("pokemon1999", "standard", {"power_doubles": True, "rent_asked": True}),
    ("pokemon1999", "short", {"houses": 4}),
    ("pokemon1999", "time_limit", {"time_limit_rounds": 8}),
    ("pokemon_fr2000", "standard", {"power_doubles": True, "houses": 4, "hotels": 2}),
    ("pokemon_fr2000", "standard", {"rent_asked": True, "start_cash": 400}),
    ("pokemon_fr2000", "short", {}),
    ("pokemon_fr2000", "time_limit", {"power_doubles": True}),
    ("nintendo2010", "standard", {"max_turns": 60}),
    ("yugioh2016", "standard", {"max_decisions": 500}),
    ("yugioh2016", "short", {}),
)  # fmt: skip


def run(
    edition: str, mode: str, overrides: dict[str, object], style: str, players: int, seed: int,
    decisions: int, seen: Seen,
) -> None:  # fmt: skip
    """Fuzz one setting; raises AssertionError with all that is needed to repeat it."""
    setting = Setting(edition, mode, overrides, players, style, groups=False, riches=0, seed=seed)
    table = Table(Case(0, setting, decisions))
    taken = table.play(decisions)
    assert table.fault is Fault.NONE, (
        f"{table.fault} ({in_words(table.fault, table.detail)}) after {taken} decisions: {setting}, "
        f"seed {seed}"
    )
    seen.add(table.seen(taken))
