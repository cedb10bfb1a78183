"""The progress of a league, saved in ``league.json`` after each step for resuming."""

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
    """The progress of a league."""

    rounds: int = 0  # finished rounds
    population: list[str] = field(default_factory=lambda: [START])  # policies that can be met
    rates: dict[tuple[str, str], float] = field(default_factory=dict)  # see matchmaking.rate
    goes_on_from: dict[str, str] = field(default_factory=dict)  # policy by learner
    begun_after: dict[str, int] = field(default_factory=dict)  # round of the last reset, by learner
    history: list[dict[str, Any]] = field(default_factory=list)  # one row per learner and round

    def as_json(self) -> dict[str, Any]:
        """Return the state as a JSON document."""
        rates = [[one, other, rate] for (one, other), rate in sorted(self.rates.items())]
        return {**vars(self), "rates": rates}

    @classmethod
    def of(cls, document: Mapping[str, Any]) -> LeagueState:
        """Restore the state from :meth:`as_json`."""
        rates = {(one, other): rate for one, other, rate in document["rates"]}
        return cls(**{**document, "rates": rates})


def write_state(
    folder: Path, state: LeagueState, config: Mapping[str, Any], replaced: Mapping[str, Any] | None
) -> None:
    """Write the league's state with its config; ``replaced`` is the previous config."""
    document = {"config": config, "replaced": replaced, "league": state.as_json(), **provenance()}
    write_atomic(folder / FILE, as_json(with_digest(document)))


def read_state(folder: Path) -> tuple[LeagueState, dict[str, Any], dict[str, Any] | None]:
    """Read the league's state, config and previous config. Raises: FileError, one line."""
    path = folder / FILE
    document = read_with_digest(path, REMEDY)
    try:
        return LeagueState.of(document["league"]), document["config"], document["replaced"]
    except (LookupError, TypeError, ValueError):
        FileError.at(path).fail(f"is no league, or a damaged one; {REMEDY}")
