"""The games that a trained policy plays itself: the key ``where`` of its card's table.

In all other games, the bot in ``rest`` decides everything.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Self

from monopoly_env.editions import Edition, EditionSet
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.rules import Deals
from monopoly_env.errors import Location, show

FEWEST = 2  # players
WORDS = {"deals": tuple(deals.name.lower() for deals in Deals)}
EXAMPLES = {"edition": "[classic]", "mode": "[standard]", "players": "[3, 4]", "deals": "[steps]"}


@dataclass(frozen=True)
class Where:
    """A set of games, given by the values that each setting may have; None allows all values.

    >>> duels = Where(players=(2,), deals=("steps",))
    >>> from monopoly_env import load_edition
    >>> duels.holds(load_edition("classic"), 2), duels.holds(load_edition("classic"), 4)
    (True, False)
    """

    edition: tuple[str, ...] | None = None  # ids
    mode: tuple[str, ...] | None = None
    players: tuple[int, ...] | None = None  # at the start of the game
    deals: tuple[str, ...] | None = None  # steps, menu, off

    @classmethod
    def of(cls, table: Mapping[str, Any]) -> Self:
        """Read the key ``where`` of a card's table."""
        return cls(**{name: tuple(values) for name, values in (table.get("where") or {}).items()})

    def holds(self, edition: Edition, players: int) -> bool:
        """Return whether the set contains games of an edition and a number of players at the start."""
        here = {
            "edition": edition.id,
            "mode": edition.mode,
            "players": players,
            "deals": Deals(int(edition.rules[0]["deals"])).name.lower(),
        }
        return all(
            getattr(self, name) is None or here[name] in getattr(self, name) for name in here
        )

    def holds_for(self, editions: EditionSet, players: int) -> bool | None:
        """Return whether it contains games in these editions; None if only in some of them."""
        found = {
            self.holds(edition, players)
            for edition in ([editions.first] if self.edition is None else editions)
        }
        return found.pop() if len(found) == 1 else None


def check_where(where: object, at: Location) -> None:
    """Check the key ``where`` of a card's table. Raises: AgentError, one line, for a bad value."""
    for name, values in at.mapping(
        where, "setting", [field.name for field in fields(Where)]
    ).items():
        key = at / name
        if not isinstance(values, list) or not values:
            key.fail(f"must be a list of values, such as {EXAMPLES[name]}, not {show(values)}")
        for value in values:
            if name == "players":
                key.whole(value, FEWEST, PLAYERS)
            elif key.text(value) not in WORDS.get(name, (value,)):
                key.fail_unknown(value, name, WORDS[name])
