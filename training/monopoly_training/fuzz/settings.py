"""Random settings for fuzz cases, determined by the seed and the number of the case."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from monopoly_env.editions import DEFAULT, Edition, editions, load_edition
from monopoly_env.editions.generated.spec import SPLITS, Spec, is_generated
from monopoly_env.editions.loader import SMALL
from monopoly_env.editions.values import BOARD_FIELDS, FIELDS
from monopoly_env.engine.board import PLAYERS, SPACE_IDS
from monopoly_env.engine.cards import CARD_IDS, CardKind
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.rules import SWITCHES, Rule
from monopoly_training.fuzz.styles import STYLES

# How much the rules are changed: not at all, a few switches, all switches, or the numbers of the
# board as well
AS_THEY_ARE, FEW, ALL, BOARD = range(4)
LIMITS = ("max_turns", "max_decisions")
SHORTEST = 30  # shortest limit in turns or decisions, so that most games get somewhere
AMOUNTS = (CardKind.COLLECT, CardKind.PAY, CardKind.COLLECT_EACH, CardKind.PAY_EACH)


SMALL_SHARE = 0.1  # of the cases, which play editions with a smaller board


@dataclass(frozen=True)
class Setting:
    """The setting of a case."""

    edition: str
    mode: str
    rules: Mapping[str, Any]
    players: int
    style: str
    groups: bool  # whether all groups are owned from the start
    riches: int  # extra starting cash of each player
    seed: int  # of the games and of the players' choices

    def load(self) -> Edition:
        """Load the edition with its rules."""
        return load_edition(self.edition, self.mode, self.rules)

    def __str__(self) -> str:
        rules = ", ".join(f"{name} {value}" for name, value in self.rules.items())
        extra = f"{', groups dealt' if self.groups else ''}" + (
            f", ${self.riches:,} more each" if self.riches else ""
        )
        return (
            f"{self.edition} {self.mode}, {self.players} players, style {self.style}{extra}; "
            f"rules: {rules or 'as they are'}"
        )


def draw(seed: int, number: int, generated: Spec | None = None) -> Setting:
    """Draw the setting of case ``number`` (from 0): any edition, mode and style, 2 to 8 players.

    With ``generated``, cases play these editions in turn.
    """
    chance = random.Random(f"monopoly-env fuzz {seed} {number}")
    if generated is None:
        edition = chance.choice((*editions(), "")) or draw_edition(chance)
        small = random.Random(f"monopoly-env fuzz {seed} {number} small")  # keeps the other draws
        if small.random() < SMALL_SHARE:
            edition = small.choice(SMALL)
    else:
        edition = generated.one(number % generated.count).id
    mode = chance.choice(_shape(edition)[0])
    players = chance.randint(2, PLAYERS)
    # generated editions already have random board numbers
    extents = BOARD if generated is None else ALL
    rules = draw_rules(chance, edition, mode, extents)
    if not is_generated(edition) and players > load_edition(edition).max_players:
        rules["max_players"] = PLAYERS
    riches = 0
    if chance.random() < 0.1:  # up to a few salaries below the largest amount that a game can hold
        room = chance.choice((0, 10_000, 1_000_000, 100_000_000))
        start = int(load_edition(edition, mode, rules).rules["start_cash"][0])
        riches = (MOST_MONEY - room) // players - start
    return Setting(
        edition, mode, rules, players, chance.choice(tuple(STYLES)), chance.random() < 0.3,
        riches, chance.getrandbits(62),
    )  # fmt: skip


def draw_edition(chance: random.Random) -> str:
    """Draw a generated edition, at a random distance from classic."""
    dial = round(chance.random(), 2)
    return Spec(chance.choice(SPLITS), chance.getrandbits(62), dial=dial).id


def _shape(edition: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the modes of an edition and its optional rules."""
    return _shape_of(DEFAULT if is_generated(edition) else edition)


@lru_cache(maxsize=16)
def _shape_of(edition: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    loaded = load_edition(edition)
    return loaded.modes, tuple(loaded.optional_rules)


def draw_rules(chance: random.Random, edition: str, mode: str, most: int = BOARD) -> dict[str, Any]:
    """Draw rule overrides: none, a few, all switches, or all switches and the board's numbers.

    ``most`` limits how far they go.
    """
    extent = chance.randrange(most + 1)
    own = load_edition(edition, mode).rules[0]
    barred = () if "power_doubles" in _shape(edition)[1] else ("power_doubles",)
    names = [name for name in SWITCHES if name not in barred]
    if extent == AS_THEY_ARE:
        names = []
    elif extent == FEW:
        names = chance.sample(names, 4)
    drawn: dict[str, Any] = {name: draw_number(chance, name, int(own[name])) for name in names}
    drawn["deals"] = chance.choice(("steps", "steps", "menu", "menu", "off"))
    if extent == BOARD:
        drawn |= draw_board(chance) | draw_cards(chance, own)
    return drawn


def draw_number(chance: random.Random, name: str, own: int) -> int:
    """Draw a value of a switch: the edition's, an end of its range, or anything in between."""
    rule = FIELDS[name]
    low = min(SHORTEST, rule.high) if name in LIMITS else rule.low
    if rule.high - low <= 3:
        return chance.randint(low, rule.high)
    return chance.choice(
        (own, low, rule.high, between(chance, rule, low), between(chance, rule, low))
    )


def between(chance: random.Random, rule: Rule, low: int) -> int:
    """Draw a value from ``low`` upwards, log-uniformly."""
    size: float = (rule.high - low + 1) ** chance.random()
    return low + round(size) - 1


def draw_board(chance: random.Random) -> dict[str, Any]:
    """Draw random prices, mortgages, rents and taxes."""
    board: dict[str, Any] = {}
    for name, squares in BOARD_FIELDS.items():
        rule = FIELDS[name]
        levels = rule.shape[1] if len(rule.shape) > 1 else 0
        board[name] = {
            SPACE_IDS[square]: [between(chance, rule, rule.low) for _ in range(levels)]
            if levels
            else between(chance, rule, rule.low)
            for square in squares
        }
    for name in ("railroad_rent", "utility_multiplier"):
        rule = FIELDS[name]
        board[name] = [between(chance, rule, rule.low) for _ in range(rule.shape[0])]
    return board


def draw_cards(chance: random.Random, own: Any) -> dict[str, Any]:
    """Draw random amounts for the cards about money."""
    amount, hotel = FIELDS["card_amount"], FIELDS["card_hotel"]
    kinds = dict(zip(CARD_IDS, own["card_kind"].tolist(), strict=False))
    paid = [card for card, kind in kinds.items() if kind in (*AMOUNTS, CardKind.REPAIRS)]
    repairs = [card for card, kind in kinds.items() if kind == CardKind.REPAIRS]
    return {
        "card_amount": {card: between(chance, amount, amount.low) for card in paid},
        "card_hotel": {card: between(chance, hotel, hotel.low) for card in repairs},
    }
