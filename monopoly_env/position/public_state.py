"""The public state in readable form: positions, holdings, and whose turn it is.

Missing values are those at the start of a game: $1,500 (in any edition), on GO, no deeds.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from monopoly_env.engine.board import (
    DEEDS,
    HOTEL,
    JAIL,
    NOBODY,
    PLAYERS,
    SPACE_IDS,
    SPACES,
    STREETS,
)
from monopoly_env.engine.money import MOST_MONEY
from monopoly_env.engine.movement import on_route
from monopoly_env.engine.new_game import clear_game
from monopoly_env.engine.phases import Phase, Task
from monopoly_env.engine.status import Status
from monopoly_env.errors import Location, show
from monopoly_env.notation import LETTERS

GIVEN_KEYS = ("players", "turn", "bank", "doubles", "rounds")
PLAYER_KEYS = ("at", "cash", "deeds", "buildings", "cards", "jail", "out")
BANK_KEYS = ("houses", "hotels")
CARDS = ("card_chance", "card_chest")
CASH = 1500
MOST_STORED = 2**31 - 1  # $, limit of a player's cash
LAPS = 10  # default; no rule needs more
MOST_TURNS = 1_000_000_000  # limit for turns and rounds
DOUBLES = 2  # maximum; the third leads to Jail

Record = Any  # one GAME record
Rules = Any  # one RULES record


# Descriptions of the violated invariants.
UNSOUND: dict[Status, str] = {
    Status.MONEY: "money was lost or made, or there is more than a game can hold",
    Status.CASH: "a player has less than no cash",
    Status.DEEDS: "a deed is in two places",
    Status.BUILDINGS: "buildings stand outside complete groups, or more houses than a lot can have",
    Status.SUPPLY: "more buildings stand on the board than there are in the game",
    Status.EVENNESS: "a group is built unevenly",
    Status.MORTGAGE: "a lot is mortgaged in a group with buildings",
    Status.CARDS: "a card is missing, doubled, or held by a player who is out",
    Status.PLACES: "a player rests on Go To Jail, or is in Jail and somewhere else",
    Status.OUT: "a player who is out has cash or deeds",
    Status.ACTOR: "who is to decide is not in the game",
    Status.MASK: "nothing is legal",
    Status.AGENDA: "the agenda has no frame, or is too deep",
    Status.DICE: "a throw is asked for, and there is none left",
    Status.OVER: "one player is left, so the game is over",
}


def unsound_text(status: int) -> str:
    """Return the violated invariants in words."""
    return "; ".join(text for flag, text in UNSOUND.items() if status & flag)


# --- reading ---


def set_public_state(
    game: Record, rules: Rules, given: Mapping[str, object], location: Location
) -> None:
    """Write a public state into a blank record: phase TURN, before the throw.

    Raises: the error of ``location``, which names the invalid key.
    """
    if "players" not in given:
        (location / "players").fail("is missing: say how many, 2 to 8")
    players = (location / "players").whole(given["players"], 2, PLAYERS)
    clear_game(game, rules, players)
    game["laps"][:players] = LAPS
    for seat in range(players):
        letter = LETTERS[seat]
        _set_player(game, rules, seat, given.get(letter), location / letter)
    for letter in LETTERS[players:]:
        if letter in given:
            (location / letter).fail(f"does not play: there are {players} players")
    _set_out(game)
    _set_bank(game, rules, given.get("bank"), location / "bank")
    _set_turn(game, given, location)


def _set_player(game: Record, rules: Rules, seat: int, raw: object, location: Location) -> None:
    """Write one player's state."""
    given = location.mapping(raw, "key", PLAYER_KEYS)
    out = flag(given.get("out", False), location / "out")
    game["out"][seat] = int(out)
    cash = given.get("cash", 0 if out else CASH)
    game["cash"][seat] = (location / "cash").whole(cash, 0, MOST_STORED)
    jail = given.get("jail")
    if jail is not None:
        game["jail_tries"][seat] = (location / "jail").whole(jail, 0, int(rules["jail_tries"]) - 1)
        game["in_jail"][seat] = 1
    at = given.get("at", "go" if jail is None else "jail")
    game["position"][seat] = square_of(at, range(SPACES), location / "at")
    _check_route(rules, int(game["position"][seat]), location / "at")
    if jail is not None and game["position"][seat] != JAIL:
        (location / "at").fail("must be jail for a player in Jail; leave it out")
    _set_deeds(game, rules, seat, given.get("deeds"), location / "deeds")
    _set_buildings(game, seat, given.get("buildings"), location / "buildings")
    _set_cards(game, seat, given.get("cards"), location / "cards")


def _check_route(rules: Rules, square: int, location: Location) -> None:
    """Refuse a space that is not on the route of a small board."""
    if not on_route(rules, square):
        spaces = ", ".join(id_ for at, id_ in enumerate(SPACE_IDS) if on_route(rules, at))
        location.fail(
            f"{SPACE_IDS[square]} is not on the board of this edition, which has {spaces}"
        )


def _set_deeds(game: Record, rules: Rules, seat: int, raw: object, location: Location) -> None:
    """Write a player's deeds; a star after an id means mortgaged."""
    for text in [] if raw is None else location.texts(raw):
        square = square_of(text.removesuffix("*"), DEEDS, location)
        _check_route(rules, square, location)
        if game["owner"][square] != NOBODY:
            location.fail(
                f"{SPACE_IDS[square]} belongs to {LETTERS[game['owner'][square]]} already"
            )
        game["owner"][square] = seat
        game["owned"][seat] |= 1 << square
        if text.endswith("*"):
            game["mortgaged"] |= 1 << square


def _set_buildings(game: Record, seat: int, raw: object, location: Location) -> None:
    """Write a player's buildings: 1 to 4 houses; 5 is a hotel."""
    for id_, level in location.mapping(raw).items():
        here = location / id_
        square = square_of(id_, STREETS, location)
        if game["owner"][square] != seat:
            here.fail(f"{LETTERS[seat]} does not own it; list it under deeds")
        game["level"][square] = here.whole(level, 1, HOTEL)
        game["built"] |= 1 << square


def _set_cards(game: Record, seat: int, raw: object, location: Location) -> None:
    """Write a player's Get Out of Jail Free cards."""
    for card in [] if raw is None else location.texts(raw):
        if card not in CARDS:
            location.fail_unknown(card, "card to keep", CARDS)
        pile = CARDS.index(card)
        if game["card_holder"][pile] != NOBODY:
            location.fail(f"{card} is held by {LETTERS[game['card_holder'][pile]]} already")
        game["card_holder"][pile] = seat


def _set_out(game: Record) -> None:
    """Number the bankrupt players in seat order, as if they had left in that order."""
    gone = 0
    for seat in range(PLAYERS):
        if game["out"][seat]:
            gone += 1
            game["out"][seat] = gone


def _set_bank(game: Record, rules: Rules, raw: object, location: Location) -> None:
    """Write the Bank's buildings: as given, or else the supply less those on the board."""
    given = location.mapping(raw, "key", BANK_KEYS)
    level = game["level"]
    standing = {"houses": int(level[level < HOTEL].sum()), "hotels": int((level == HOTEL).sum())}
    for kind in BANK_KEYS:
        if kind in given:
            left = (location / kind).whole(given[kind], 0, 1000)
        else:
            left = int(rules[kind]) - standing[kind]
        game[kind] = left
        game[f"{kind[:-1]}_supply"] = left + standing[kind]


def _set_turn(game: Record, given: Mapping[str, object], location: Location) -> None:
    """Write whose turn it is, before the throw."""
    players = int(game["players"])
    turn = seat_in(given.get("turn", "A"), players, location / "turn")
    game["turn"] = turn
    game["doubles"] = (location / "doubles").whole(given.get("doubles", 0), 0, DOUBLES)
    game["rounds"] = (location / "rounds").whole(given.get("rounds", 0), 0, MOST_TURNS)
    game["turns"] = min(int(game["rounds"]) * players + turn + 1, MOST_TURNS)
    frame = game["agenda"][0]
    frame["kind"] = Task.TURN
    frame["player"] = turn
    frame["step"] = 1  # no rent can be asked for
    game["depth"] = 1


def set_bank_balance(game: Record, location: Location) -> None:
    """Set the Bank's balance so that all money sums to zero.

    Raises: the error of ``location`` if the total is more than a game can hold. A finished game may
    hold slightly more, because the Bank's last payment may have ended it.
    """
    money = int(game["cash"].sum()) + int(game["pot"])
    most = MOST_STORED if game["phase"] == Phase.OVER else MOST_MONEY
    if money > most:
        location.fail(
            f"all cash and the pot come to ${money:,}; a game holds at most ${most:,}: give less"
        )
    game["bank"] = -money


def flag(raw: object, location: Location) -> bool:
    """Return ``raw`` as a bool. Raises: the error of ``location``."""
    if not isinstance(raw, bool):
        location.fail(f"must be true or false, not {show(raw)}")
    return raw


def square_of(raw: object, allowed: range | tuple[int, ...], location: Location) -> int:
    """Return the square of a space id. Raises: the error of ``location``."""
    if not isinstance(raw, str) or raw not in SPACE_IDS:
        location.fail_unknown(
            raw if isinstance(raw, str) else show(raw),
            "space",
            [SPACE_IDS[square] for square in allowed],
        )
    square = SPACE_IDS.index(raw)
    if square not in allowed:
        location.fail(f"{raw} is not a {'street' if allowed == STREETS else 'deed'}")
    return square


def seat_in(raw: object, players: int, location: Location) -> int:
    """Return the seat of a player's letter. Raises: the error of ``location``."""
    seat = LETTERS.find(raw) if isinstance(raw, str) and len(raw) == 1 else -1
    if not 0 <= seat < players:
        location.fail(f"must be a player, one of {', '.join(LETTERS[:players])}, not {show(raw)}")
    return seat


def members(bits: int) -> tuple[int, ...]:
    """Return the squares or seats of a bit mask, in order; 40 and 41 are Jail cards."""
    whole = int(bits)
    return tuple(index for index in range(whole.bit_length()) if whole >> index & 1)


# --- writing ---


def describe_public_state(game: Record, rules: Rules) -> dict[str, Any]:
    """Return the keys that :func:`set_public_state` reads, without defaults."""
    players = int(game["players"])
    document: dict[str, Any] = {"players": players, "turn": LETTERS[game["turn"]]}
    if game["doubles"]:
        document["doubles"] = min(int(game["doubles"]), DOUBLES)
    if game["rounds"]:
        document["rounds"] = int(game["rounds"])
    for seat in range(players):
        document[LETTERS[seat]] = describe_player(game, rules, seat)
    if game["house_supply"] != rules["houses"] or game["hotel_supply"] != rules["hotels"]:
        document["bank"] = {kind: int(game[kind]) for kind in BANK_KEYS}
    return document


def describe_player(game: Record, rules: Rules, seat: int) -> dict[str, Any]:
    """Return one player's state."""
    row: dict[str, Any] = {}
    row["at"] = SPACE_IDS[game["position"][seat]]
    row["cash"] = int(game["cash"][seat])
    parts: dict[str, Callable[[], Any]] = {
        "deeds": lambda: deeds_of(game, seat),
        "buildings": lambda: buildings_of(game, seat),
        "cards": lambda: cards_of(game, seat),
    }
    row.update({key: value for key, part in parts.items() if (value := part())})
    if game["in_jail"][seat]:
        row["jail"] = min(int(game["jail_tries"][seat]), int(rules["jail_tries"]) - 1)
    if game["out"][seat]:
        row["out"] = True
    return row


def deeds_of(game: Record, seat: int) -> list[str]:
    """Return a player's deeds; mortgaged ones have a star."""
    mortgaged, owner = int(game["mortgaged"]), game["owner"].tolist()
    return [
        SPACE_IDS[square] + ("*" if mortgaged >> square & 1 else "")
        for square in DEEDS
        if owner[square] == seat
    ]


def buildings_of(game: Record, seat: int) -> dict[str, int]:
    """Return a player's building levels, by street."""
    level, owner = game["level"].tolist(), game["owner"].tolist()
    return {
        SPACE_IDS[square]: level[square]
        for square in STREETS
        if level[square] and owner[square] == seat
    }


def cards_of(game: Record, seat: int) -> list[str]:
    """Return a player's Get Out of Jail Free cards."""
    return [card for pile, card in enumerate(CARDS) if game["card_holder"][pile] == seat]
