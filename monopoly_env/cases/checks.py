"""The checks that a rule case may expect of a position, by key."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from monopoly_env.editions.values import PILES
from monopoly_env.engine.board import DEEDS, HOTEL, NOBODY, SPACE_IDS, SPACES, STREETS
from monopoly_env.engine.cards import CARD_IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.why import Why
from monopoly_env.errors import Location, show
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS, NotAnAction, parse_action
from monopoly_env.position.public_state import CARDS, deeds_of, flag, seat_in, square_of

MOST = 2**31 - 1  # limit for expected numbers


@dataclass(frozen=True)
class Check:
    """One expectation; ``test`` returns what differs, or None if it holds."""

    key: str
    test: Test


Reader = Callable[[Game], Any]
Test = Callable[[Game], str | None]
Parser = Callable[[object, Location], Test]


def parse_expect(raw: object, players: int, location: Location) -> tuple[Check, ...]:
    """Return the checks of an ``expect`` section, in order."""
    letters = LETTERS[:players]
    parsers = _game_parsers(players)
    checks: list[Check] = []
    for key, value in location.mapping(raw, "key", (*letters, *parsers, "bank", "bottom")).items():
        here = location / key
        if key in letters:
            checks += _parts(value, key, _player_parsers(LETTERS.index(key)), here)
        elif key == "bank":
            checks += _parts(value, key, _BANK, here)
        elif key == "bottom":
            checks += _parts(value, key, {name: _bottom(name) for name in PILES}, here)
        else:
            checks.append(Check(key, parsers[key](value, here)))
    if not checks:
        location.fail("expects nothing")
    return tuple(checks)


def check_text(text: str, players: int, location: Location) -> None:
    """Check that an action's text is meaningful, even if it can never be legal."""
    try:
        parse_action(text, NOBODY, players)
    except NotAnAction as problem:
        if problem.reason is Why.NO_SUCH_ACTION:
            location.fail(str(problem))


def _parts(
    raw: object, name: str, parsers: Mapping[str, Parser], location: Location
) -> list[Check]:
    """Return the checks of a nested mapping, such as a player's."""
    return [
        Check(f"{name}.{key}", parsers[key](value, location / key))
        for key, value in location.mapping(raw, "key", parsers).items()
    ]


# --- kinds of checks ---


def _equal(expected: Any, read: Reader) -> Test:
    """Return a test that the value read equals the expected one."""

    def test(game: Game) -> str | None:
        actual = read(game)
        return None if actual == expected else f"should be {_show(expected)}, is {_show(actual)}"

    return test


def _show(value: Any) -> str:
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_show(item) for item in value) + "]"
    return "nobody" if value is None else str(value)


def _whole(read: Reader) -> Parser:
    return lambda raw, location: _equal(location.whole(raw, -MOST, MOST), read)


def _flag(read: Reader) -> Parser:
    return lambda raw, location: _equal(flag(raw, location), read)


def _letter(players: int, read: Reader) -> Parser:
    def parse(raw: object, location: Location) -> Test:
        return _equal(None if raw is None else LETTERS[seat_in(raw, players, location)], read)

    return parse


def _letters(raw: object, players: int, location: Location) -> list[str]:
    return [LETTERS[seat_in(letter, players, location)] for letter in location.texts(raw)]


def _squares(raw: object, location: Location) -> list[str]:
    """Return a list of deed ids after checking them."""
    ids = location.texts(raw)
    for id_ in ids:
        square_of(id_, DEEDS, location)
    return ids


def _all_in(read: Callable[[Game], set[str]], lacks: bool = False) -> Parser:
    """Return a parser for deeds that must all be in what is read, or (``lacks``) must not."""

    def parse(raw: object, location: Location) -> Test:
        expected = _squares(raw, location)

        def test(game: Game) -> str | None:
            actual = read(game)
            wrong = [id_ for id_ in expected if (id_ in actual) == lacks]
            verb = "should not have" if lacks else "should have"
            return f"{verb} {', '.join(wrong)}" if wrong else None

        return test

    return parse


# --- a player ---


def _player_parsers(seat: int) -> dict[str, Parser]:
    """Return the expectations about one player."""

    def deeds(game: Game) -> list[str]:
        return deeds_of(game.state, seat)

    return {
        "cash": _whole(lambda game: game.hand(seat).cash),
        "worth": _whole(lambda game: game.hand(seat).worth),
        "out": _flag(lambda game: game.hand(seat).out),
        "at": lambda raw, location: _at(seat, raw, location),
        "jail": lambda raw, location: _jail(seat, raw, location),
        "has": _all_in(lambda game: {id_.removesuffix("*") for id_ in deeds(game)}),
        "lacks": _all_in(lambda game: {id_.removesuffix("*") for id_ in deeds(game)}, lacks=True),
        "open": _all_in(lambda game: {id_ for id_ in deeds(game) if id_[-1] != "*"}),
        "mortgaged": _all_in(lambda game: {id_[:-1] for id_ in deeds(game) if id_[-1] == "*"}),
        "deeds": lambda raw, location: _exact_deeds(seat, raw, location),
        "buildings": lambda raw, location: _buildings(seat, raw, location),
        "cards": lambda raw, location: _cards(seat, raw, location),
    }


def _at(seat: int, raw: object, location: Location) -> Test:
    square_of(raw, range(SPACES), location)
    return _equal(raw, lambda game: game.hand(seat).at)


def _jail(seat: int, raw: object, location: Location) -> Test:
    """Expect true, false, or the number of failed throws in Jail; 0 is not the same as false."""
    if isinstance(raw, bool):
        return _equal(raw, lambda game: game.hand(seat).in_jail)

    def tries(game: Game) -> int | str:
        hand = game.hand(seat)
        return hand.jail_tries if hand.in_jail else "not in Jail"

    return _equal(location.whole(raw, 0, 10), tries)


def _exact_deeds(seat: int, raw: object, location: Location) -> Test:
    expected = location.texts(raw)
    for id_ in expected:
        square_of(id_.removesuffix("*"), DEEDS, location)
    return _equal(sorted(expected), lambda game: sorted(deeds_of(game.state, seat)))


def _buildings(seat: int, raw: object, location: Location) -> Test:
    """Expect these levels on the player's streets."""
    expected: dict[str, int] = {}
    for id_, level in location.mapping(raw).items():
        square_of(id_, STREETS, location / id_)
        expected[id_] = (location / id_).whole(level, 0, HOTEL)

    def test(game: Game) -> str | None:
        actual = game.hand(seat).buildings
        wrong = [
            f"{id_} should have {level}, has {actual.get(id_, 0)}"
            for id_, level in expected.items()
            if actual.get(id_, 0) != level
        ]
        return "; ".join(wrong) or None

    return test


def _cards(seat: int, raw: object, location: Location) -> Test:
    expected = location.texts(raw)
    for card in expected:
        if card not in CARDS:
            location.fail_unknown(card, "card to keep", CARDS)
    return _equal(sorted(expected), lambda game: sorted(game.hand(seat).cards))


# --- the game ---


def _bank_deeds(game: Game) -> set[str]:
    return {SPACE_IDS[square] for square in DEEDS if game.state["owner"][square] == NOBODY}


_BANK: dict[str, Parser] = {
    "houses": _whole(lambda game: int(game.state["houses"])),
    "hotels": _whole(lambda game: int(game.state["hotels"])),
    "has": _all_in(_bank_deeds),
}


def _bottom(name: str) -> Parser:
    """Return a parser for the card at the bottom of a deck."""
    pile = PILES[name]

    def bottom(game: Game) -> str:
        return CARD_IDS[int(game.state["deck"][pile][game.state["deck_size"][pile] - 1])]

    def parse(raw: object, location: Location) -> Test:
        if not isinstance(raw, str) or raw not in CARD_IDS:
            location.fail_unknown(show(raw), "card", CARD_IDS)
        return _equal(raw, bottom)

    return parse


def _game_parsers(players: int) -> dict[str, Parser]:
    """Return the expectations about the game as a whole."""
    return {
        "turn": _letter(players, lambda game: game.turn),
        "actor": _letter(players, lambda game: game.actor),
        "phase": _phase,
        "over": _flag(lambda game: game.over),
        "winner": lambda raw, location: _winners([raw], players, location),
        "winners": lambda raw, location: _winners(raw, players, location),
        "standings": lambda raw, location: _standings(raw, players, location),
        "legal": lambda raw, location: _legal(raw, players, location, True),
        "illegal": lambda raw, location: _legal(raw, players, location, False),
    }


def _phase(raw: object, location: Location) -> Test:
    names = [phase.name for phase in Phase]
    if not isinstance(raw, str) or raw not in names:
        location.fail_unknown(show(raw), "phase", names)
    return _equal(raw, lambda game: game.phase.name)


def _winners(raw: object, players: int, location: Location) -> Test:
    expected = sorted(_letters(raw, players, location))
    return _equal(expected, lambda game: sorted(game.winners))


def _standings(raw: object, players: int, location: Location) -> Test:
    """Expect these players, best first; tied players may be in any order."""
    expected = _letters(raw, players, location)
    if sorted(expected) != list(LETTERS[:players]):
        location.fail(f"must name each of {', '.join(LETTERS[:players])} once")

    def test(game: Game) -> str | None:
        rank = {row.player: row.rank for row in game.standings()}
        if [rank[letter] for letter in expected] == sorted(rank.values()):
            return None
        return f"should be {_show(expected)}, is {_show(sorted(rank, key=lambda p: rank[p]))}"

    return test


def _legal(raw: object, players: int, location: Location, legal: bool) -> Test:
    """Expect actions of the actor to be legal, or not."""
    texts = location.texts(raw)
    for text in texts:
        check_text(text, players, location)

    def test(game: Game) -> str | None:
        reasons = {text: game.why(text) for text in texts}
        wrong = [text for text, why in reasons.items() if (why is Why.OK) != legal]
        if not wrong:
            return None
        text = wrong[0]
        if not legal:
            return f"{text} should not be legal for {game.actor} ({game.phase.name})"
        now = ", ".join(game.legal_actions())
        return f"{text} should be legal, but: {reasons[text]}; {game.actor} may {now}"

    return test
