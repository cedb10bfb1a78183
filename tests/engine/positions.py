"""Small positions for the rules' own tests: who has what, how the dice fall, what is then done.

    game = position(A={"at": "bno"}, B={"deeds": ["marvin"]}, dice=[(1, 3)])
    play(game, "A roll")
    assert game.cash == (1476, 1524)

Expected values are worked out by hand from the rule book, the board and the cards; nothing is
taken from a run of the engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from monopoly_env import Game
from monopoly_env.engine.journal import Event, Reason
from monopoly_env.notation import LETTERS

EDITIONS = (
    "classic", "kanto2014", "pokemon1999", "pokemon_fr2000", "nintendo2010", "yugioh2016",
)  # fmt: skip
SHARED_TEXT = ("classic", "kanto2014", "nintendo2010", "yugioh2016")  # one rule text, four boards

BROWNS = ["mediterranean", "baltic"]
LIGHT_BLUES = ["oriental", "vermont", "connecticut"]
ORANGES = ["st_james", "tennessee", "new_york"]
GREENS = ["pacific", "north_carolina", "pennsylvania"]
DARK_BLUES = ["park_place", "boardwalk"]
RAILROADS = ["reading", "pennsylvania_rr", "bno", "short_line"]
UTILITIES = ["electric", "water"]

Throw = tuple[int, int]


def position(
    players: int = 2,
    *,
    dice: Iterable[Throw] = (),
    chance: Sequence[str] = (),
    chest: Sequence[str] = (),
    edition: str = "classic",
    mode: str = "standard",
    rules: dict[str, object] | None = None,
    **given: Any,
) -> Game:
    """A game in a position: a row a player (A, B, …), ``turn``, ``bank``, as in a position file.

    ``dice`` are all the throws that may be made, ``chance`` and ``chest`` the top cards. What is
    not said is as at the start, in every edition with $1,500 each.
    """
    hidden = {
        "rng": 1, "dice": [list(pair) for pair in dice], "dice_only": True,
        "chance": list(chance), "chest": list(chest),
    }  # fmt: skip
    document = {"players": players, "hidden": hidden, **given}
    return Game.from_position(document, edition=edition, mode=mode, rules=rules)


def play(game: Game, *lines: str) -> Game:
    """Play ``"A roll"``, ``"B pass"`` …, each by who decides; the game stays sound all the way."""
    for line in lines:
        player, action = line.split()
        assert game.actor == player, f"{line}: {game.actor} decides ({game.phase.name})"
        game.play(action)
        assert not game.status(), f"{line}: {game.status()!r}"
    return game


def options(game: Game, *kinds: str) -> list[str]:
    """The legal actions of some kinds."""
    return [text for text in game.legal_actions() if text.partition(":")[0] in kinds]


def payments(game: Game) -> list[tuple[str, str, int, Reason]]:
    """Who has paid whom how much and why, since the last action."""
    return [
        (_party(event.player), _party(event.other), event.amount, Reason(event.square))
        for event in game.journal()
        if event.kind is Event.PAY
    ]


def events(game: Game, kind: Event) -> list[tuple[str, str, int, int]]:
    """Events of a kind since the last action: player, other, square, amount."""
    return [
        (_party(event.player), _party(event.other), event.square, event.amount)
        for event in game.journal()
        if event.kind is kind
    ]


def _party(seat: int) -> str:
    return "bank" if seat < 0 else LETTERS[seat]
