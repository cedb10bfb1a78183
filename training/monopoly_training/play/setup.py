"""Choices for a new game."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from monopoly_env.agent import agents
from monopoly_env.editions import (
    DEFAULT,
    STANDARD,
    Edition,
    editions,
    is_generated,
    load_edition,
)
from monopoly_env.editions.edition import RuleRow
from monopoly_env.editions.loader import SMALL
from monopoly_env.errors import InputError
from monopoly_env.game import Game
from monopoly_env.position.document import Source
from monopoly_env.records.record import check_record
from monopoly_training.matches.entrants import HUMAN
from monopoly_training.play.store import Header, new_links

# the first available one is the default opponent
BEST_FIRST = ("champion", "strategist", "fixed_a")
DRAWN = 1000  # generated editions that a page may offer
BUILT_IN = (*editions(), *SMALL)
SLOWEST = 10_000  # milliseconds per action of a bot
PACE = 400
KEYS = ("edition", "mode", "rules", "seats", "seed", "practice", "pace")


def known_bots() -> dict[str, str]:
    """Return the bots that need only their name, each with its description."""
    return {
        name: spec.description
        for name, spec in agents().items()
        if not name.endswith(":") and name != HUMAN
    }


def default_names(players: int = 4) -> list[str]:
    """Return a line-up of a person against the best available bot."""
    known = known_bots()
    best = next(name for name in BEST_FIRST if name in known)
    return [HUMAN, *[best] * (players - 1)]


@dataclass(frozen=True)
class Setup:
    """The choices for a new game."""

    seats: list[str]  # human, or a bot's name
    edition: str = DEFAULT
    mode: str = STANDARD
    rules: dict[str, object] = field(default_factory=dict)
    seed: int | None = None
    practice: bool = True
    pace: int = PACE
    position: Source | None = None  # where it starts; None: at the beginning

    def game(self) -> Game:
        """Return the game before its first move. Raises: InputError."""
        if self.position is None:
            return Game(self.edition, len(self.seats), self.seed, self.mode, self.rules)
        game = Game.from_position(
            self.position,
            edition=None if self.edition == DEFAULT else self.edition,
            mode=None if self.mode == STANDARD else self.mode,
            rules=self.rules or None,
            seed=self.seed,
        )
        if len(self.seats) != game.players:
            InputError.at("seats").fail(
                f"must be {game.players}, as many as the position has, not {len(self.seats)}"
            )
        return game

    def header(self) -> Header:
        """Return the header to save. Raises: InputError."""
        game = self.game()
        people = [seat for seat, name in enumerate(self.seats) if name == HUMAN]
        start = check_record(game.record(self.seats))
        return Header(start, self.seats, new_links(people), self.practice, self.pace)


def read_setup(
    raw: Mapping[str, object], bots: Sequence[str], position: Mapping[str, Any] | None = None
) -> Setup:
    """Return the setup that a page sent; ``bots`` may be seated. Raises: InputError, one line."""
    location = InputError.at("new game")
    data = location.mapping(raw, "key", KEYS)
    seats = (location / "seats").texts(data.get("seats"))
    for number, name in enumerate(seats):
        if name != HUMAN and name not in bots:
            (location / "seats" / str(number + 1)).fail_unknown(name, "bot", (HUMAN, *bots))
    edition = (location / "edition").text(data.get("edition", DEFAULT))
    # Files are not accepted: a page would make this machine read them
    if edition not in BUILT_IN and not is_generated(edition):
        (location / "edition").fail_unknown(edition, "edition", BUILT_IN)
    seed = data.get("seed")
    return Setup(
        seats,
        edition,
        (location / "mode").text(data.get("mode", STANDARD)),
        (location / "rules").mapping(data.get("rules")),
        None if seed is None else (location / "seed").whole(seed, 0, 2**63 - 1),
        (location / "practice").flag(data.get("practice", True)),
        (location / "pace").whole(data.get("pace", PACE), 0, SLOWEST),
        position,
    )


def offered(bots: Mapping[str, str]) -> dict[str, Any]:
    """Return everything that a page offers to choose from; one edition is generated each time."""
    drawn = f"random:train:{secrets.randbelow(DRAWN)}"
    return {
        "editions": [_edition(load_edition(name)) for name in (*BUILT_IN, drawn)],
        "bots": [[name, description] for name, description in bots.items()],
        "default": default_names(),
        "pace": PACE,
    }


def _meaning(rule: RuleRow) -> str:
    """Return what a house rule means; for the cash to start with, how much it is."""
    return f"{rule.meaning}: {rule.text}" if rule.name == "start_cash" else rule.meaning


def _edition(edition: Edition) -> dict[str, Any]:
    return {
        "id": edition.id,
        "title": edition.title,
        "year": edition.year,
        "modes": list(edition.modes),
        "players": [edition.min_players, edition.max_players],
        "tokens": list(edition.names.tokens),
        "rules": [
            {"name": row.name, "value": row.value, "meaning": _meaning(row)}
            for row in edition.house_rule_rows()
            if row.value != edition.value(row.name)
        ]
        + [
            {"name": name, "value": True, "meaning": str(name).replace("_", " ")}
            for name in edition.optional_rules
            if name not in edition.modes
        ],
    }
