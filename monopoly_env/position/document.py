"""A position as one document: edition, public state, hidden information and engine state.

``hidden`` and ``engine`` are only needed to continue exactly where a game stood. A position written
by hand lists the players' holdings; the player whose turn it is throws next.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from monopoly_env.editions import DEFAULT, STANDARD, Edition, load_edition
from monopoly_env.editions.frozen import thawed
from monopoly_env.editions.sets import check_loaded
from monopoly_env.engine import entry_points
from monopoly_env.engine.board import NOBODY
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import new_games
from monopoly_env.errors import EditionError, InputError, Location, PositionError, show
from monopoly_env.notation import LETTERS
from monopoly_env.position.engine_state import describe_engine, set_engine
from monopoly_env.position.hidden import describe_hidden, redraw, set_hidden
from monopoly_env.position.public_state import (
    GIVEN_KEYS,
    describe_public_state,
    set_bank_balance,
    set_public_state,
    unsound_text,
)
from monopoly_env.yaml_text import parse_yaml, read_yaml

EDITION_KEYS = ("edition", "mode", "rules")
KEYS = (*EDITION_KEYS, *GIVEN_KEYS, *LETTERS, "hidden", "engine")
MAX_BYTES = 1_000_000

Source = Mapping[str, object] | str | Path


@dataclass(frozen=True, eq=False)
class Position:
    """A parsed position that is not yet set up: its keys, and their location."""

    given: dict[str, object]
    location: Location

    def edition(
        self,
        edition: str | Path | Edition | None = None,
        mode: str | None = None,
        rules: Mapping[str, object] | None = None,
    ) -> Edition:
        """Return the edition of the position; arguments take precedence over its keys.

        Rule overrides are merged with those of the position, which must have none for an
        :class:`Edition`.
        """
        given_rules = (self.location / "rules").mapping(self.given.get("rules"))
        overrides = {**given_rules, **InputError.at("rules").mapping(rules)}
        if isinstance(edition, Edition):
            return check_loaded(edition, mode, overrides)
        named = edition if edition is not None else self.given.get("edition", DEFAULT)
        played = mode if mode is not None else self.given.get("mode", STANDARD)
        try:
            return load_edition(named, played, overrides)  # type: ignore[arg-type]  # checked there
        except EditionError as problem:
            if edition is None and mode is None and rules is None:
                self.location.fail(str(problem))
            raise


def read_position(source: Source, text: bool = False) -> Position:
    """Return a position from a mapping, a file, or (``text``) from YAML text.

    Raises: PositionError, one line that names the file, the key and the remedy.
    """
    location = PositionError.at("position")
    content: object
    if isinstance(source, Mapping):
        content = dict(source)
    elif not isinstance(source, str | Path):
        location.fail(f"must be a mapping or the path of a YAML file, not {show(source)}")
    elif not text and not str(source).strip():
        location.fail("is an empty path; name a YAML file")
    elif text:
        content = parse_yaml(str(source), location)
    else:
        location = PositionError.at(source)
        content = read_yaml(Path(source), location, MAX_BYTES)
    if not isinstance(content, dict):
        location.fail(f"must be a mapping with keys such as players and A, not {show(content)}")
    return Position(location.mapping(content, "key", KEYS), location)


def build(position: Position, edition: Edition, seed: int | None = None) -> Any:
    """Return one GAME record, advanced to its first decision, as an array of length 1.

    ``seed`` draws hidden information that the position does not give. Without a seed, the decks
    continue in the edition's order.

    Raises: PositionError for invalid values, or a position that the rules cannot reach.
    """
    given, location = position.given, position.location
    games = new_games(1)
    game, rules = games[0], edition.rules[0]
    set_public_state(game, rules, given, location)
    hidden = (location / "hidden").mapping(given.get("hidden"))
    set_hidden(game, rules, hidden, location / "hidden")
    if seed is not None and "rng" not in hidden:
        redraw(game, np.random.default_rng(seed), _named_cards(hidden))
    set_engine(game, given.get("engine"), location / "engine")
    set_bank_balance(game, location)
    if not given.get("engine"):
        check_turn(game, location)
    run_to_decision(games, edition, location)
    return games


def check_turn(game: Any, location: Location) -> None:
    """Check that the player whose turn it is is in the game."""
    if game["out"][game["turn"]]:
        (location / "turn").fail(f"{LETTERS[game['turn']]} is out of the game; name another player")


def _named_cards(hidden: Mapping[str, object]) -> tuple[int, int]:
    """Return how many top cards of each deck are given."""
    chance, chest = hidden.get("chance"), hidden.get("chest")
    return (
        len(chance) if isinstance(chance, list) else 0,
        len(chest) if isinstance(chest, list) else 0,
    )


def run_to_decision(games: Any, edition: Edition, location: Location) -> None:
    """Advance to the first decision; an invalid position before or after it is an error."""
    game = games[0]
    if game["phase"] != Phase.OVER:
        in_game = np.flatnonzero(game["out"][: game["players"]] == 0)
        game["actor"] = in_game[0] if len(in_game) else NOBODY
        _check_sound(games, edition, location)
        entry_points.resume(games, 0, edition.rules, entry_points.NO_JOURNALS)
    _check_sound(games, edition, location)


def _check_sound(games: Any, edition: Edition, location: Location) -> None:
    if broken := entry_points.status(games, 0, edition.rules):
        location.fail(f"the rules cannot reach this position: {unsound_text(broken)}")


def describe(games: Any, edition: Edition, hidden: bool = True) -> dict[str, Any]:
    """Return the document of a game; :func:`build` creates the same record from it, byte for byte.

    ``hidden=False`` omits hidden information.
    """
    game, rules = games[0], edition.rules[0]
    public = describe_public_state(game, rules)
    base = new_games(1)
    location = PositionError.at("position")
    set_public_state(base[0], rules, public, location)
    set_hidden(base[0], rules, None, location)
    document: dict[str, Any] = {"edition": edition.reference, "mode": edition.mode}
    if edition.overrides:
        document["rules"] = thawed(edition.overrides)
    document |= public
    if hidden:
        document["hidden"] = describe_hidden(game)
    if engine := describe_engine(game, base[0]):
        document["engine"] = engine
    return document


def to_text(document: Mapping[str, Any], note: str = "") -> str:
    """Return a document as YAML text, with a comment on top."""
    body = yaml.safe_dump(
        dict(document),
        sort_keys=False,
        default_flow_style=None,
        allow_unicode=True,
        width=100,
    )
    return (f"# {note}\n" if note else "") + str(body)
