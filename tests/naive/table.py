"""What lies on the table: players, deeds, cards, money, dice, and the list of what happened."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any, TypeVar

from monopoly_env.engine.board import (
    DEEDS,
    GROUP,
    GROUP_SQUARES,
    NOBODY,
    RAILROAD,
    SPACE_IDS,
    UTILITY,
)
from monopoly_env.engine.decks import CardKind
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.engine.phases import Phase

T = TypeVar("T")
HOTEL = 5  # the level that stands for a hotel, in the short game too
MASK = (1 << 64) - 1
GAMMA = 0x9E3779B97F4A7C15

EventTuple = tuple[int, int, int, int, int]  # kind, player, other, square, amount


MOST_MONEY = 2_000_000_000  # with more in play, a game is cut off


class GameOver(Exception):  # noqa: N818  (the way out of whatever is going on)
    """The game has ended."""


# --- chance ---


def mix(state: int) -> int:
    """The splitmix64 output for a state."""
    z = ((state ^ (state >> 30)) * 0xBF58476D1CE4E5B9) & MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
    return z ^ (z >> 31)


class Generator64:
    """The project's random generator."""

    def __init__(self, seed: int) -> None:
        self.state = mix((seed * GAMMA + GAMMA) & MASK)

    def below(self, n: int) -> int:
        """A whole number from 0 to n - 1."""
        self.state = (self.state + GAMMA) & MASK
        return ((mix(self.state) >> 32) * n) >> 32

    def dice(self) -> tuple[int, int]:
        """Two dice."""
        pips = self.below(36)
        return 1 + pips // 6, 1 + pips % 6

    def shuffle(self, cards: list[Any]) -> None:
        """Shuffle in place, from the last card down."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]


# --- things ---


@dataclass(eq=False)
class Player:
    """A player and what lies before him, except deeds and cards, which know their owner."""

    seat: int
    cash: int
    offers_left: int
    position: int = 0
    in_jail: bool = False
    tries: int = 0  # failed throws for a double
    laps: int = 0
    out: int = 0  # 0: in the game, else the order of leaving
    refused: int = 0  # own offers since the throw
    offers_made: int = 0
    offers_accepted: int = 0
    offers_rejected: int = 0
    denied: set[str] = field(default_factory=set)  # buildings asked for in vain since a throw

    def has_left(self) -> bool:
        """Whether he is out of the game."""
        return self.out > 0


@dataclass(eq=False)
class Deed:
    """A title deed with its lot."""

    square: int
    group: int
    owner: Player | None = None
    mortgaged: bool = False
    level: int = 0  # houses, or HOTEL
    pending: bool = False  # received with a mortgage that is neither lifted nor kept yet

    @property
    def name(self) -> str:
        return SPACE_IDS[self.square]

    @property
    def is_street(self) -> bool:
        return self.group < RAILROAD

    @property
    def is_utility(self) -> bool:
        return self.group == UTILITY


@dataclass(eq=False)
class Claim:
    """Rent that its owner may still ask for."""

    place: int  # among the claims; a new one takes the first that is free
    owner: Player
    debtor: Player
    square: int
    amount: int
    times: int = 0  # the rent is this many times a fresh throw; 0: it is `amount`
    followers: int = 0  # later players who have thrown since


@dataclass(eq=False)
class Auction:
    """What is under the hammer."""

    lot: str  # "deed", "house" or "hotel"
    square: int
    opening: int
    queue: list[Player]  # who is still bidding, the next one first
    bid: int = 0
    high: Player | None = None


@dataclass(eq=False)
class Offer:
    """A deal being composed or answered. A thing is a Deed, or the number of a pile for its card."""

    proposer: Player
    partner: Player
    give: set[Deed | int] = field(default_factory=set)
    ask: set[Deed | int] = field(default_factory=set)
    give_cash: int = 0
    ask_cash: int = 0


@dataclass(eq=False)
class Debt:
    """What somebody owes: to a player, to the Bank (None), or the same sum to everybody else."""

    debtor: Player
    creditor: Player | None
    amount: int
    reason: Reason
    everyone: bool = False
    deals: int = 0  # offers begun within it
    paid: bool = False


@dataclass(frozen=True)
class Decision:
    """Who decides, in which phase, and what he may say."""

    player: Player
    phase: Phase
    options: frozenset[str]


Flow = Generator[Decision, str, T]


class Table:
    """The whole position."""

    def __init__(self, rules: Any, players: int, seed: int) -> None:
        self.rules = SimpleNamespace(
            **{name: rules[name][0].tolist() for name in rules.dtype.names}
        )
        self.random = Generator64(seed)
        self.events: list[EventTuple] = []
        self.bank = 0
        self.pot = 0
        self.players = [Player(seat, 0, self.rules.trade_limit) for seat in range(players)]
        self.deeds = {square: Deed(square, int(GROUP[square])) for square in DEEDS}
        self.groups = [[self.deeds[square] for square in squares] for squares in GROUP_SQUARES]
        sizes = self.rules.deck_size
        self.piles = [list(cards[:n]) for cards, n in zip(self.rules.deck, sizes, strict=True)]
        self.unseen = list(sizes)
        self.kept: list[Player | None] = [None, None]
        self.houses = self.rules.houses
        self.hotels = self.rules.hotels
        self.turn = self.starter = self.players[0]
        self.turns = self.rounds = self.decisions = self.doubles = 0
        self.again = 0  # the pips of the double that gives another throw
        self.over = self.truncated = False
        self.groups_dealt = False  # a start for tests: every group is somebody's
        self.claims: list[Claim] = []
        self.auction: Auction | None = None
        self.offer: Offer | None = None
        self.decision: Decision | None = None

    # --- who ---

    def active(self) -> list[Player]:
        """The players still in the game, in seat order."""
        return [player for player in self.players if not player.has_left()]

    def from_left(self, player: Player) -> Iterator[Player]:
        """The other seats, beginning at a player's left, whether in the game or not."""
        n = len(self.players)
        for offset in range(1, n):
            yield self.players[(player.seat + offset) % n]

    def others(self, player: Player) -> list[Player]:
        """The other players in the game, beginning at a player's left."""
        return [other for other in self.from_left(player) if not other.has_left()]

    # --- deeds and cards ---

    def deeds_of(self, player: Player) -> list[Deed]:
        """A player's deeds, in board order."""
        return [deed for deed in self.deeds.values() if deed.owner is player]

    def group_of(self, deed: Deed) -> list[Deed]:
        """All deeds of a deed's group."""
        return self.groups[deed.group]

    def owns_group(self, player: Player, group: int) -> bool:
        """Whether a player owns a whole group."""
        return all(deed.owner is player for deed in self.groups[group])

    def kept_card(self, pile: int) -> int:
        """The Get Out of Jail Free card of a pile."""
        cards: list[int] = self.rules.deck[pile][: self.rules.deck_size[pile]]
        return next(card for card in cards if self.rules.card_kind[card] == CardKind.KEEP)

    def return_card(self, pile: int) -> None:
        """A kept card goes under its pile."""
        holder = self.kept[pile]
        assert holder is not None
        self.note(Event.RETURN_CARD, holder, square=pile)
        self.kept[pile] = None
        self.piles[pile].append(self.kept_card(pile))

    # --- what happens ---

    def note(
        self,
        event: Event,
        player: Player | None = None,
        other: Player | int | None = None,
        square: int = NOBODY,
        amount: int = 0,
    ) -> None:
        """Write an event down."""
        self.events.append((int(event), seat_of(player), seat_of(other), square, amount))

    def throw(self, player: Player) -> tuple[int, int]:
        """Somebody throws two dice."""
        first, second = self.random.dice()
        self.note(Event.THROW, player, square=first, amount=second)
        return first, second

    def pay(
        self,
        payer: Player | None,
        payee: Player | None,
        amount: int,
        reason: Reason,
        netted: bool = False,
    ) -> None:
        """Money goes from hand to hand; None is the Bank. Netted: it comes back at once."""
        if amount == 0:
            return
        if payer is None:
            self.bank -= amount
        else:
            assert netted or payer.cash >= amount, "nobody pays what he does not have"
            payer.cash -= amount
        if payee is not None:
            payee.cash += amount
        elif self.rules.free_parking_jackpot and reason in (Reason.TAX, Reason.CARD, Reason.FINE):
            self.pot += amount
        else:
            self.bank += amount
        self.note(Event.PAY, payer, payee, int(reason), amount)

    def end(self, truncated: bool = False) -> None:
        """The game ends here and now."""
        self.over = True
        self.truncated = truncated
        self.note(Event.OVER, amount=int(truncated))
        raise GameOver


def seat_of(player: Player | int | None) -> int:
    """A player's seat as a number, NOBODY for the Bank."""
    if player is None:
        return NOBODY
    return player if isinstance(player, int) else player.seat


def ask(player: Player, phase: Phase, options: set[str]) -> Flow[str]:
    """Let a player decide."""
    answer = yield Decision(player, phase, frozenset(options))
    return answer


def round_up(amount: int, percent: int) -> int:
    """A percentage in whole dollars, rounded up."""
    return -(-amount * percent // 100)
