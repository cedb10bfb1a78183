"""The card of a trained policy: versions, and the game and options it was trained on."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn, Self

from monopoly_env.agent import find_agent
from monopoly_env.encoding.blocks import OBSERVATION_SIZE, OBSERVATION_VERSION
from monopoly_env.engine.actions import KINDS
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import AgentError, one_line, show
from monopoly_env.files import read_json, without_digest
from monopoly_env.records import ACTIONS_VERSION
from monopoly_training.models.table_filter import Where, check_where

FORMAT = 3
MOST_BYTES = 16 << 20  # maximum size of a card
VERSIONS = {
    "format": FORMAT,
    "observation_version": OBSERVATION_VERSION,
    "observation_size": OBSERVATION_SIZE,
    "actions_version": ACTIONS_VERSION,
}
# allowed values of table settings
WORDS = {"deals": ("steps", "menu", "off"), "windows": ("all", "own")}
FALLBACK = "background"  # the default fallback bot


class ModelError(AgentError):
    """An invalid model; the message is one line."""


def fail(path: Path, problem: str) -> NoReturn:
    """Raise the one-line error for a model."""
    raise ModelError(one_line(f"{path}: {problem}"))


@dataclass(frozen=True)
class TrainedTable:
    """The settings that a policy was trained with: the card's key ``table``."""

    deals: str | None  # steps, menu, off; None: the edition's default
    windows: str | None  # all, own (never decides in others' turns); None: all
    decides: tuple[str, ...] | None  # the phases that the policy decides; None: all
    # the kinds of action that the fallback bot chooses even in these phases
    leaves: tuple[str, ...]
    fallback: str  # the bot that decides the other phases
    where: Where  # the games that the policy plays; the fallback bot plays all others

    @classmethod
    def of(cls, card: Mapping[str, Any]) -> Self:
        """Read the settings from a card that has been checked."""
        table = card.get("table", {})
        decides = table.get("decides")
        return cls(
            deals=table.get("deals"),
            windows=table.get("windows"),
            decides=None if decides is None else tuple(str(name).upper() for name in decides),
            leaves=tuple(table.get("leaves", ())),
            fallback=str(table.get("rest", FALLBACK)),
            where=Where.of(table),
        )


def read_card(path: Path) -> dict[str, Any]:
    """Read the card of a model.

    Raises: ModelError if it does not fit this version of the package.
    """
    if not path.exists():
        fail(path, "is missing; a model is its weights and the card beside them")
    card = read_json(path, ModelError.at(path), most=MOST_BYTES)
    if not isinstance(card, dict):
        fail(path, f"must be a mapping, not {show(card)}")
    for key in ("table", "config", "packages"):
        if not isinstance(card.get(key, {}), dict):
            fail(path, f"{key}: must be a mapping, not {show(card[key])}")
    for key, value in VERSIONS.items():
        if card.get(key) != value:
            fail(
                path,
                f"{key}: {show(card.get(key))} is not this version's {value}; "
                "train the model again, or use the version of monopoly-env that made it",
            )
    return without_digest(card, ModelError.at(path), hint="save the model again")


def check_table(card: Mapping[str, Any], path: Path) -> None:
    """Check the table settings of a card. Raises: ModelError, AgentError, one line."""
    table = card.get("table", {})
    at_table = AgentError.at(f"{path}: its card") / "table"
    if table.get("players") is not None:
        (at_table / "players").whole(table["players"], 2, PLAYERS)
    for key in ("edition", "mode"):
        if table.get(key) is not None:
            (at_table / key).text(table[key])
    (at_table / "rules").mapping(table.get("rules"))
    for key, words in WORDS.items():
        if table.get(key) not in (None, *words):
            problem = f"must be one of {', '.join(words)}, not {show(table[key])}"
            fail(path, f"its card: table.{key} {problem}")
    phases = table.get("decides")
    known = {phase.name for phase in Phase}
    if phases is not None and not (
        isinstance(phases, list) and all(str(name).upper() in known for name in phases)
    ):
        fail(path, f"its card: table.decides must be phases, such as [BUY], not {show(phases)}")
    kinds = table.get("leaves", [])
    if not isinstance(kinds, list) or any(kind not in KINDS for kind in kinds):
        problem = f"must be kinds of action, such as [deal], not {show(kinds)}"
        fail(path, f"its card: table.leaves {problem}")
    check_where(table.get("where"), at_table / "where")
    fallback = TrainedTable.of(card).fallback
    if find_agent(fallback)[0].policy is None:
        problem = f"must be a compiled bot, such as {FALLBACK}, not {fallback}"
        fail(path, f"its card: table.rest {problem}")
