"""The results of one benchmark run, stored as a JSON file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError
from monopoly_env.files import read_json, with_digest, without_digest
from monopoly_training.bench import growth
from monopoly_training.bench.growth import Curve
from monopoly_training.bench.machine import machine
from monopoly_training.bench.timing import Result
from monopoly_training.common.files import as_json, write_atomic

FORMAT = 1


@dataclass(frozen=True)
class BenchRun:
    """The results of one run."""

    machine: dict[str, Any]
    seconds: float  # per benchmark
    results: list[Result]
    curves: Sequence[Curve] = ()
    peers: Sequence[dict[str, Any]] = ()  # each {peer, steps_per_s} or {peer, skipped}

    @classmethod
    def here(
        cls,
        seconds: float,
        results: list[Result],
        curves: Sequence[Curve] = (),
        peers: Sequence[dict[str, Any]] = (),
    ) -> BenchRun:
        """Create a run on this machine."""
        return cls(machine(), seconds, results, curves, peers)

    def as_data(self) -> dict[str, Any]:
        """Return the run as plain data."""
        return {
            "format": FORMAT,
            "machine": self.machine,
            "seconds": self.seconds,
            "results": [asdict(result) for result in self.results],
            "growth": [growth.as_data(curve) for curve in self.curves],
            "peers": list(self.peers),
        }

    def write(self, path: Path) -> None:
        """Write the file atomically."""
        write_atomic(path, as_json(with_digest(self.as_data())))


def read(path: Path) -> BenchRun:
    """Read a run from its file. Raises: FileError, one line, if it is invalid."""
    location = FileError.at(path)
    data = read_json(path, location, "give a file that `monopoly-env bench --json FILE` wrote")
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        location.fail(
            f"is not a bench of format {FORMAT}; write it again: monopoly-env bench --json FILE"
        )
    data = without_digest(data, location)
    try:
        return BenchRun(
            machine=dict(data["machine"]),
            seconds=float(data["seconds"]),
            results=[_result(row) for row in data["results"]],
            curves=[growth.from_data(row) for row in data["growth"]],
            peers=list(data["peers"]),
        )
    except (KeyError, TypeError, ValueError) as problem:
        location.fail(f"a part is missing or of the wrong kind: {problem}; write the file again")


def _result(row: dict[str, Any]) -> Result:
    return Result(**(row | {"value": float(row["value"]), "rounds": tuple(row["rounds"])}))
