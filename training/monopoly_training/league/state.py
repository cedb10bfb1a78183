"""How far a league is: ``league.json``, written anew after each step, and gone on from after a kill."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError
from monopoly_env.files import with_digest
from monopoly_training.common.files import as_json, provenance, read_with_digest, write_atomic
from monopoly_training.league.policies import START

FILE = "league.json"
REMEDY = "put it back, or name another folder"


@dataclass
class LeagueState:
    """What has come of a league so far."""

    rounds: int = 0  # that are over
    population: list[str] = field(default_factory=lambda: [START])  # policies that are met
    rates: dict[tuple[str, str], float] = field(default_factory=dict)  # see matchmaking.rate
    goes_on_from: dict[str, str] = field(default_factory=dict)  # the policy, by learner
    begun_after: dict[str, int] = field(default_factory=dict)  # the round, by learner
    history: list[dict[str, Any]] = field(default_factory=list)  # a row a learner and round

    def as_json(self) -> dict[str, Any]:
        """As a JSON document has it."""
        rates = [[one, other, rate] for (one, other), rate in sorted(self.rates.items())]
        return {**vars(self), "rates": rates}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> LeagueState:
        """What :meth:`as_json` gave."""
        rates = {(one, other): rate for one, other, rate in document["rates"]}
        return cls(**{**document, "rates": rates})


def write_state(
    folder: Path, state: LeagueState, config: Mapping[str, Any], replaced: Mapping[str, Any] | None
) -> None:
    """Write how far a league is, with its config; ``replaced``: the config before."""
    document = {"config": config, "replaced": replaced, "league": state.as_json(), **provenance()}
    write_atomic(folder / FILE, as_json(with_digest(document)))


def read_state(folder: Path) -> tuple[LeagueState, dict[str, Any], dict[str, Any] | None]:
    """How far a league is, its config and the one before. Raises: FileError, one line."""
    path = folder / FILE
    document = read_with_digest(path, REMEDY)
    try:
        return LeagueState.of(document["league"]), document["config"], document["replaced"]
    except (LookupError, TypeError, ValueError):
        FileError.at(path).fail(f"is no league, or a damaged one; {REMEDY}")
