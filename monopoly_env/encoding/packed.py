"""The observation in 832 bytes: the fields of a packed row, and how to decode them.

A packed row contains the same information as the 1,365 numbers of
:mod:`monopoly_env.encoding.blocks`, bit for bit. It has four kinds of fields: float32 numbers, sets
of bits, one-byte codes and two-byte codes. A code or bit is an index into a table of numbers, so
decoding is a lookup without arithmetic that another device could round differently.

:data:`PACKED` is the record of a row, :class:`DecodePlan` describes how to decode it with any array
library. A change here is a new :data:`PACKED_VERSION`, which each row carries. New blocks get new
fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, cached_property, partial
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.jit import JIT
from monopoly_env.compiler.records import Field, Records, dtype_of, fields
from monopoly_env.editions import Edition
from monopoly_env.encoding.blocks import (
    BLOCKS,
    OBSERVATION_SIZE,
    OFFER_ASKED,
    OFFER_CASH,
    OFFER_EXISTS,
    OFFER_GIVEN,
    OFFER_OWN_GROUPS,
    OFFER_PARTNER,
    OFFER_PARTNER_GROUPS,
    OFFER_SHARE,
    OFFER_SIZE,
    PRICE_SCALE,
)
from monopoly_env.encoding.observation import BUILDINGS, COSINES, COUNTS, SINES
from monopoly_env.engine.actions import OFFERS
from monopoly_env.engine.board import GROUP_SIZE, GROUPS, N_DEEDS, PLAYERS, SPACES
from monopoly_env.engine.deeds import DEED_TABLE
from monopoly_env.engine.rules import SWITCHES, RuleSet, scaled
from monopoly_env.engine.state import Float32s, Int64s
from monopoly_env.errors import InputError

PACKED_VERSION = 2

_RULES = fields(RuleSet)
HIGHEST = tuple(int(getattr(_RULES[name], "high", 1)) for name in SWITCHES)
FLAGS = tuple(k for k, high in enumerate(HIGHEST) if high == 1)
SMALL = tuple(k for k, high in enumerate(HIGHEST) if 1 < high <= 100)
LARGE = tuple(k for k, high in enumerate(HIGHEST) if high > 100)
PAIRS = GROUPS // 2  # two groups per byte
MOST_RENT, MOST_PRICE = (1 << 16) - 1, 12_600  # $, limits of the two-byte codes
PRICE_CAP = 1600  # $, higher prices are clipped


class PackedRow:
    """One packed observation. If all but the version is zero, the seat sees nothing."""

    cash: Annotated[Float32s, Field("f4", (PLAYERS,), "number", "")]
    worth: Annotated[Float32s, Field("f4", (PLAYERS,), "number", "")]
    pot: Annotated[Any, Field("f4", (), "number", "")]
    bid: Annotated[Any, Field("f4", (), "number", "")]
    opening: Annotated[Any, Field("f4", (), "number", "")]
    debt: Annotated[Any, Field("f4", (), "number", "")]
    shortfall: Annotated[Any, Field("f4", (), "number", "")]
    raisable: Annotated[Any, Field("f4", (), "number", "")]
    claim: Annotated[Any, Field("f4", (), "number", "")]
    deal_give_cash: Annotated[Any, Field("f4", (), "number", "")]
    deal_get_cash: Annotated[Any, Field("f4", (), "number", "")]
    clock: Annotated[Float32s, Field("f4", (3,), "number", "")]
    could_raise: Annotated[Float32s, Field("f4", (PLAYERS,), "number", "")]
    menu_share: Annotated[Float32s, Field("f4", (OFFERS,), "number", "see `menu`")]
    rules_large: Annotated[Float32s, Field("f4", (len(LARGE),), "number", "rules above 100")]

    owner: Annotated[Any, Field("u4", (PLAYERS,), "bits", "deeds of each seat")]
    subject: Annotated[int, Field("u4", (), "bits", "")]
    deal_give: Annotated[int, Field("u4", (), "bits", "")]
    deal_get: Annotated[int, Field("u4", (), "bits", "")]
    rules_flags: Annotated[int, Field("u4", (), "bits", "yes/no rules")]

    price: Annotated[Any, Field("u2", (N_DEEDS,), "code", "$, up to 1,600")]
    rent: Annotated[Any, Field("u2", (N_DEEDS,), "code", "$")]
    menu_cash: Annotated[Any, Field("u2", (OFFERS,), "code", "$ received, two's complement")]
    phase: Annotated[int, Field("u2", (), "bits", "")]
    creditor: Annotated[int, Field("u2", (), "bits", "")]

    version: Annotated[int, Field("u1", (), "", "PACKED_VERSION")]
    position: Annotated[
        Any,
        Field(
            "u1", (PLAYERS,), "code", "square + 1; 0: nowhere; also gives `around_x`, `around_y`"
        ),
    ]
    square: Annotated[int, Field("u1", (), "code", "own square + 1; also gives `distance`")]
    jail_tries: Annotated[Any, Field("u1", (PLAYERS,), "code", "a fraction: see FRACTIONS")]
    offers_left: Annotated[Any, Field("u1", (PLAYERS,), "code", "a fraction")]
    refused: Annotated[Any, Field("u1", (PLAYERS,), "code", "fourths")]
    laps: Annotated[Any, Field("u1", (PLAYERS,), "code", "fourths")]
    could_build: Annotated[Any, Field("u1", (PLAYERS,), "code", "twentieths")]
    offers_made: Annotated[Any, Field("u1", (PLAYERS,), "code", "offers, up to 100")]
    offers_accepted: Annotated[Any, Field("u1", (PLAYERS,), "code", "offers, up to 100")]
    offers_rejected: Annotated[Any, Field("u1", (PLAYERS,), "code", "offers, up to 100")]
    deeds: Annotated[
        Any,
        Field("u1", (N_DEEDS,), "code", "1 mortgaged + 2 complete + 4 pending + 8 × level"),
    ]
    groups: Annotated[
        Any,
        Field("u1", (PLAYERS, PAIRS), "code", "deeds of groups 2k and 2k + 1: first + 5 × second"),
    ]
    houses: Annotated[int, Field("u1", (), "code", "buildings, up to 64")]
    hotels: Annotated[int, Field("u1", (), "code", "buildings, up to 24")]
    debt_deals: Annotated[int, Field("u1", (), "code", "a fraction")]
    claim_times: Annotated[int, Field("u1", (), "code", "times the throw")]
    deal_share: Annotated[
        Any, Field("u1", (GROUPS,), "code", "deeds gained, modulo 9: mine + 9 × theirs")
    ]
    deal_complete: Annotated[Any, Field("u1", (2,), "code", "groups, two's complement")]
    menu_terms: Annotated[
        Any,
        Field(
            "u1",
            (OFFERS,),
            "code",
            "0: none; else 1 + 9 × seats to the left + 3 × my groups + theirs, modulo 3",
        ),
    ]
    menu_given: Annotated[Any, Field("u1", (OFFERS,), "code", "deed + 1; 0: none")]
    menu_asked: Annotated[Any, Field("u1", (OFFERS,), "code", "deed + 1; 0: none")]
    throw: Annotated[int, Field("u1", (), "code", "first + 7 × second + 49 × doubles")]
    rules_small: Annotated[Any, Field("u1", (len(SMALL),), "code", "rules up to 100")]

    alive: Annotated[int, Field("u1", (), "bits", "")]
    in_jail: Annotated[int, Field("u1", (), "bits", "")]
    cards: Annotated[Any, Field("u1", (2,), "bits", "`card_chance`, `card_chest`")]
    turn: Annotated[int, Field("u1", (), "bits", "")]
    actor: Annotated[int, Field("u1", (), "bits", "")]
    lot: Annotated[int, Field("u1", (), "bits", "")]
    high_bidder: Annotated[int, Field("u1", (), "bits", "")]
    bidders: Annotated[int, Field("u1", (), "bits", "")]
    debtor: Annotated[int, Field("u1", (), "bits", "")]
    debt_rent: Annotated[int, Field("u1", (), "bits", "")]
    claim_debtor: Annotated[int, Field("u1", (), "bits", "")]
    double: Annotated[int, Field("u1", (), "bits", "")]
    denied: Annotated[int, Field("u1", (), "bits", "")]
    deal_with: Annotated[int, Field("u1", (), "bits", "")]


PACKED = dtype_of(PackedRow)
PACKED_SIZE = PACKED.itemsize
PLACE: dict[str, int] = {name: int(PACKED.fields[name][1]) for name in PACKED.names}  # type: ignore[index, union-attr]
NUMBERS_END = PLACE["owner"]  # end of the float32 fields, in bytes


def as_packed(rows: npt.NDArray[np.uint8]) -> Records:
    """View the bytes of rows, uint8[n · PACKED_SIZE], as records in the same memory."""
    records = rows.view(PACKED)
    return records if JIT else records.view(np.recarray)


def check_packable(edition: Edition) -> None:
    """Refuse rules with amounts beyond the range of the codes. Raises: InputError."""
    rules = edition.rules[0]
    rents = (2 * rules["rent"].max(), rules["railroad_rent"].max())
    if max(rents) > MOST_RENT:
        problem = (
            f"rents up to ${max(rents):,} with a complete group; packed reaches ${MOST_RENT:,}"
        )
    elif rules["price"].max() > MOST_PRICE:
        problem = f"prices up to ${rules['price'].max():,}; packed reaches ${MOST_PRICE:,}"
    else:
        return
    InputError.at("observation").fail(f"{edition.id} has {problem}; use 'flat' or 'dict'")


# Fractions of integers up to 20: the code by part and whole, and the value by code
_PARTS = sorted({Fraction(part, whole) for whole in range(1, 21) for part in range(whole + 1)})
FRACTIONS = np.array([np.float32(one.numerator) / np.float32(one.denominator) for one in _PARTS])
FRACTION_CODES = np.zeros((21, 21), np.uint8)  # by part and whole
for _whole in range(1, 21):
    for _part in range(_whole + 1):
        FRACTION_CODES[_part, _whole] = _PARTS.index(Fraction(_part, _whole))


# Tables: the value of each code


def table(numbers: Any) -> Float32s:
    """Return the values by code, rounded once to float32."""
    return np.asarray(numbers, np.float64).astype(np.float32)


def _two(code: npt.NDArray[Any], bits: int) -> npt.NDArray[Any]:
    """Decode two's complement numbers of ``bits`` bits."""
    return np.where(code >= 1 << bits - 1, code - (1 << bits), code)


BYTE, WORD = np.arange(256), np.arange(1 << 16)
BIT = table([0, 1])
PLACES = table(np.r_[0, np.arange(SPACES) / (SPACES - 1)])
AROUND = table(np.r_[0, COSINES]), table(np.r_[0, SINES])  # by position + 1, as PLACES
COUNTED = ("offers_made", "offers_accepted", "offers_rejected")
FOURTHS = (np.arange(5, dtype=np.float32) / np.float32(4)).astype(np.float32)
PRICES = table(np.minimum(np.arange(PRICE_CAP + 1) / 400.0, 4.0))


@cache
def rents() -> Float32s:
    """Return the encoded rents by dollars."""
    return np.divide(WORD, WORD + PRICE_SCALE, dtype=np.float32)


@cache
def balances() -> Float32s:
    """Return the encoded cash by dollars, in two's complement."""
    dollars = _two(WORD, 16)
    return table(dollars / (np.abs(dollars) + float(PRICE_SCALE)))


DEED = table(BYTE[: N_DEEDS + 1] / N_DEEDS)
COMPLETE = table(_two(BYTE, 8) / 4.0)
_TERMS = np.maximum(np.arange(73) - 1, 0)
PARTNER = table(_TERMS // 9 / 7.0)
_THIRD = np.where(np.arange(3) == 2, -1, np.arange(3)) / 2.0
OWN_GROUPS, PARTNER_GROUPS = table(_THIRD[_TERMS // 3 % 3]), table(_THIRD[_TERMS % 3])


def _deal_share(group: int, side: int) -> Float32s:
    """Return the change of a group's share, by the joint code of both sides."""
    gained = np.arange(81) // (9 if side else 1) % 9
    return table(np.where(gained > 4, gained - 9, gained) / GROUP_SIZE[group])


def _held(group: int, second: int) -> dict[str, Float32s]:
    """Return the three features of a group, by the code of its pair."""
    held = np.minimum(np.arange(25) // (5 if second else 1) % 5, GROUP_SIZE[group])
    size = GROUP_SIZE[group]
    return {
        "group_share": table(held / size),
        "group_complete": table(held == size),
        "group_lacking": table(np.where(held > 0, (size - held) / 4, 0)),
    }


@dataclass(frozen=True)
class Column:
    """The location of one feature in a packed row.

    ``width`` is the number of bytes from ``byte`` on. A width of 4 is the float32 itself. Otherwise
    the feature is ``numbers[code]``, where the code is these bytes (little-endian), shifted right
    by ``shift`` and masked.
    """

    byte: int
    width: int
    numbers: Float32s | None = None
    shift: int = 0
    mask: int = 255


def _bits(field: str, count: int, offset: int = 0) -> Iterator[Column]:
    """Yield a column for each of the lowest ``count`` bits of a field."""
    for bit in range(count):
        yield Column(PLACE[field] + offset + bit // 8, 1, BIT, bit % 8, 1)


def _numbers(field: str, count: int = 1) -> Iterator[Column]:
    for index in range(count):
        yield Column(PLACE[field] + 4 * index, 4)


def _codes(field: str, numbers: Float32s, count: int = 1, width: int = 1) -> Iterator[Column]:
    for index in range(count):
        yield Column(PLACE[field] + width * index, width, numbers)


def _deed_codes(part: Any) -> Iterator[Column]:
    yield from _codes("deeds", table(part(np.arange(48))), N_DEEDS)


def _groups(block: str) -> Iterator[Column]:
    for player in range(PLAYERS):
        for group in range(GROUPS):
            byte = PLACE["groups"] + PAIRS * player + group // 2
            yield Column(byte, 1, _held(group, group % 2)[block])


def _menu() -> Iterator[Column]:
    for offer in range(OFFERS):
        terms, word = PLACE["menu_terms"] + offer, PLACE["menu_cash"] + 2 * offer
        facts = {
            OFFER_EXISTS: Column(terms, 1, table(np.arange(73) > 0)),
            OFFER_PARTNER: Column(terms, 1, PARTNER),
            OFFER_GIVEN: Column(PLACE["menu_given"] + offer, 1, DEED),
            OFFER_ASKED: Column(PLACE["menu_asked"] + offer, 1, DEED),
            OFFER_CASH: Column(word, 2, balances()),
            OFFER_OWN_GROUPS: Column(terms, 1, OWN_GROUPS),
            OFFER_PARTNER_GROUPS: Column(terms, 1, PARTNER_GROUPS),
            OFFER_SHARE: Column(PLACE["menu_share"] + 4 * offer, 4),
        }
        yield from (facts[fact] for fact in range(OFFER_SIZE))


def _rules() -> Iterator[Column]:
    for k, name in enumerate(SWITCHES):
        if k in LARGE:
            yield Column(PLACE["rules_large"] + 4 * LARGE.index(k), 4)
        elif k in SMALL:
            numbers = table([scaled(name, value) for value in range(HIGHEST[k] + 1)])
            yield Column(PLACE["rules_small"] + SMALL.index(k), 1, numbers)
        else:
            flag = FLAGS.index(k)
            yield Column(PLACE["rules_flags"] + flag // 8, 1, BIT, flag % 8, 1)


def _block(name: str, size: int) -> Iterator[Column]:
    """Yield the columns of a block."""
    throw = BYTE[:196]
    own = PLACE["square"]
    distances = (DEED_TABLE - np.arange(SPACES)[:, None]) % SPACES / SPACES
    known: dict[str, Any] = {
        "position": lambda: _codes("position", PLACES, size),
        "around_x": lambda: _codes("position", AROUND[0], size),
        "around_y": lambda: _codes("position", AROUND[1], size),
        "could_build": lambda: _codes("could_build", BUILDINGS, size),
        **{name: partial(_codes, name, COUNTS, size) for name in COUNTED},
        "jail_tries": lambda: _codes("jail_tries", FRACTIONS, size),
        "offers_left": lambda: _codes("offers_left", FRACTIONS, size),
        "refused": lambda: _codes("refused", FOURTHS, size),
        "laps": lambda: _codes("laps", FOURTHS, size),
        "card_chance": lambda: _bits("cards", size),
        "card_chest": lambda: _bits("cards", size, 1),
        "owner": lambda: (c for k in range(PLAYERS) for c in _bits("owner", N_DEEDS, 4 * k)),
        "mortgaged": lambda: _deed_codes(lambda code: code & 1),
        "complete": lambda: _deed_codes(lambda code: code >> 1 & 1),
        "pending": lambda: _deed_codes(lambda code: code >> 2 & 1),
        "level": lambda: _deed_codes(lambda code: (code >> 3) / 5),
        "price": lambda: _codes("price", PRICES, size, 2),
        "rent": lambda: _codes("rent", rents(), size, 2),
        "houses": lambda: _codes("houses", table(np.arange(65) / 32.0)),
        "hotels": lambda: _codes("hotels", table(np.arange(25) / 12.0)),
        "square": lambda: (
            Column(own, 1, table(np.arange(SPACES + 1) == k + 1)) for k in range(SPACES)
        ),
        "distance": lambda: (
            Column(own, 1, table(np.r_[0, distances[:, k]])) for k in range(N_DEEDS)
        ),
        "debt_deals": lambda: _codes("debt_deals", FRACTIONS),
        "claim_times": lambda: _codes("claim_times", table(BYTE / 10.0)),
        "deal_my_share": lambda: (
            Column(PLACE["deal_share"] + k, 1, _deal_share(k, 0)) for k in range(GROUPS)
        ),
        "deal_their_share": lambda: (
            Column(PLACE["deal_share"] + k, 1, _deal_share(k, 1)) for k in range(GROUPS)
        ),
        "deal_complete": lambda: _codes("deal_complete", COMPLETE, 2),
        "menu": _menu,
        "dice": lambda: (
            Column(PLACE["throw"], 1, table(part / 6.0)) for part in (throw % 7, throw // 7 % 7)
        ),
        "doubles": lambda: _codes("throw", table(throw // 49 / 3.0)),
        "rules": _rules,
    }
    if name.startswith("group_"):
        yield from _groups(name)
    elif name in known:
        yield from known[name]()
    elif PACKED[name].base == np.float32:
        yield from _numbers(name, size)
    else:
        yield from _bits(name, size)


@cache
def columns() -> tuple[Column, ...]:
    """Return the location of each feature of the observation, in order."""
    found = [column for block in BLOCKS for column in _block(block.name, block.size)]
    assert len(found) == OBSERVATION_SIZE
    return tuple(found)


class DecodePlan:
    """Index arrays (int64) for decoding packed rows with any array library.

    The float32 features are at indices ``floats`` of a row viewed as float32. The others are
    ``numbers[base + ((byte | second_byte << 8) >> shift & mask)]``, where ``second`` is the index
    of a zero byte for one-byte codes. ``order`` sorts the concatenation of both into the order of
    the observation.

    Attributes:
        floats: int64[f]; first, second, shift, mask, base: int64[c]; order: int64[f + c].
        plain, coded: int64[f], int64[c]; the columns of the result that they produce.
        narrow: the number of one-byte codes, which come first.
        numbers: float32, all tables concatenated.
    """

    def __init__(self, chosen: Int64s | None = None) -> None:
        """Create the plan for ``chosen`` columns, as ``narrow`` selects them; None for all."""
        every = columns()
        picked = [every[k] for k in (range(len(every)) if chosen is None else chosen.tolist())]
        plain = [k for k, one in enumerate(picked) if one.numbers is None]
        coded = [k for width in (1, 2) for k, one in enumerate(picked) if one.width == width]
        tables: dict[bytes, int] = {}
        numbers: list[Float32s] = []
        size = 0
        base = []
        for one in (picked[k] for k in coded):
            assert one.numbers is not None
            data = one.numbers.tobytes()
            if data not in tables:
                tables[data] = size
                numbers.append(one.numbers)
                size += len(one.numbers)
            base.append(tables[data])
        of = [picked[k] for k in coded]
        self.floats = np.array([picked[k].byte // 4 for k in plain], np.int64)
        self.first = np.array([one.byte for one in of], np.int64)
        self.second = np.array([one.byte + 1 if one.width == 2 else PAD for one in of], np.int64)
        self.shift = np.array([one.shift for one in of], np.int64)
        self.mask = np.array([one.mask if one.width == 1 else 65535 for one in of], np.int64)
        self.base = np.array(base, np.int64)
        self.numbers = np.concatenate(numbers) if numbers else np.zeros(1, np.float32)
        self.narrow = sum(one.width == 1 for one in of)
        self.plain, self.coded = np.array(plain, np.int64), np.array(coded, np.int64)
        self.order = np.argsort(np.concatenate([self.plain, self.coded]), kind="stable")

    @cached_property
    def arrays(self) -> tuple[Any, ...]:
        """The arrays in the form of :func:`monopoly_env.encoding.unpacking.decode_rows`."""
        plain = np.stack([self.floats, self.plain], axis=1).astype(np.int32)
        coded = np.stack([self.first, self.shift, self.mask, self.base, self.coded], axis=1)
        return (plain, coded.astype(np.int32), self.narrow, self.numbers)


PAD = PACKED_SIZE - 1  # a byte that is always zero
assert PACKED.names is not None
assert "padding_" in PACKED.names
