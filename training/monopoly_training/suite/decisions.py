"""The decision set: decisions with each action's value to every seat, in a checked file.

``set_2.jsonl.gz`` has one decision per line. Its card, ``set_2.json``, records how it was made, its
license and the SHA-256 of the file. Earlier sets stay beside it, because scores name their set.
"""

from __future__ import annotations

import gzip
import hashlib
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Float64s, Int8s
from monopoly_env.errors import FileError, InputError, Location, show
from monopoly_env.files import check_output, parse_json, read_bytes, read_lines, with_digest
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.view import View
from monopoly_training.common.files import as_json, read_with_digest, write_atomic
from monopoly_training.suite.action_values import Tally
from monopoly_training.suite.kinds import ALL_KINDS

VERSION = 2
VERSIONS = (1, VERSION)  # that can be read: they differ in their values, not in the format
SHIPPED = Path(__file__).with_name(f"set_{VERSION}.jsonl.gz")
LICENSE = (
    "Apache-2.0, as the rest of the package. The positions are from games between its own bots; no "
    "text of a rule book is in them."
)
DIGITS = 5  # decimals of values
MOST_BYTES = 64 << 20
REMEDY = "install the package again, or make the set again with `monopoly-env suite make`"


@dataclass(frozen=True)
class Decision:
    """A decision of the set."""

    id: str  # such as buy-017
    kind: str
    seat: int  # the player to act
    position: Mapping[str, Any]  # in the format of Game.from_position
    actions: tuple[str, ...]  # the compared actions, as text
    values: Float64s  # [actions, players] each seat's win probability after each action
    errors: Float64s  # [actions, players] standard errors of ``values``
    loss_errors: Float64s  # [actions] standard errors of ``losses``
    samples: int  # rollouts per action

    @property
    def losses(self) -> Float64s:
        """Loss of win probability for the actor relative to the best action, float64[actions]."""
        own = self.values[:, self.seat]
        losses: Float64s = own.max() - own
        return losses

    @property
    def best(self) -> list[int]:
        """Indices of the actions that are best, or not significantly worse."""
        close = self.losses <= np.maximum(2 * self.loss_errors, 10.0**-DIGITS)
        found: list[int] = np.flatnonzero(close).tolist()
        return found

    @cached_property
    def game(self) -> Game:
        """The position as a game. Raises: PositionError."""
        return Game.from_position(self.position, seed=0)

    @cached_property
    def ids(self) -> list[int]:
        """The action ids of ``actions``."""
        return [self.game.id(text) for text in self.actions]

    def view(self) -> View:
        """Return the agent's view of the position, with only the compared actions legal."""
        mask: Int8s = np.zeros(N_ACTIONS, np.int8)
        mask[self.ids] = 1
        return View(self.game.state.reshape(1), 0, self.game.edition, mask)

    def as_dict(self) -> dict[str, Any]:
        """Return the content of the decision's line in the file."""
        return {
            "id": self.id,
            "kind": self.kind,
            "seat": LETTERS[self.seat],
            "position": self.position,
            "actions": list(self.actions),
            "values": _rounded(self.values),
            "errors": _rounded(self.errors),
            "loss_errors": _rounded(self.loss_errors),
            "samples": self.samples,
        }


def _rounded(values: Float64s) -> Any:
    return np.round(values, DIGITS).tolist()


@dataclass(frozen=True)
class DecisionSet:
    """The decisions of a file, and its card."""

    decisions: tuple[Decision, ...]
    card: Mapping[str, Any]

    @property
    def name(self) -> str:
        """Version and digest that identify the set in results: ``1 (f1d2…)``."""
        return f"{self.card['version']} ({self.card['sha256'][:12]})"

    def only(self, kinds: Sequence[str] | None, most: int | None) -> DecisionSet:
        """Return the first ``most`` decisions of some kinds.

        Raises: InputError for an unknown kind.
        """
        for kind in kinds or ():
            if kind not in ALL_KINDS:
                InputError.at("kind").fail_unknown(kind, "kind of decision", ALL_KINDS)
        chosen = [one for one in self.decisions if not kinds or one.kind in kinds]
        return DecisionSet(tuple(chosen[:most]), self.card)


# Reading


def load_set(path: Path = SHIPPED) -> DecisionSet:
    """Read a set. Raises: FileError, one line that names the file, if it is damaged."""
    here, card_path = FileError.at(path), card_of(path)
    card = read_with_digest(card_path, REMEDY)
    if card.get("version") not in VERSIONS:
        FileError.at(card_path).fail(
            f"is of version {show(card.get('version'))}, and this program reads "
            f"{' and '.join(map(str, VERSIONS))}"
        )
    data = read_bytes(path, here, MOST_BYTES, REMEDY)
    if hashlib.sha256(data).hexdigest() != card.get("sha256"):
        here.fail(f"is damaged: its SHA-256 is not that of {card_path.name}; {REMEDY}")
    lines = enumerate(read_lines(path, here), 1)
    rows = tuple(_decision(line, FileError.at(f"{path}: line {number}")) for number, line in lines)
    return DecisionSet(rows, card)


def card_of(path: Path) -> Path:
    """Return the path of a set's card: ``set_2.json`` for ``set_2.jsonl.gz``."""
    return path.with_name(path.name.removesuffix(".gz").removesuffix(".jsonl") + ".json")


def _decision(line: bytes, here: Location) -> Decision:
    """Parse a line of a set. Raises: the error of ``here``."""
    row: Any = parse_json(line, here, REMEDY)
    try:
        found = Decision(
            str(row["id"]), str(row["kind"]), LETTERS.index(row["seat"]), row["position"],
            tuple(row["actions"]), np.array(row["values"], np.float64),
            np.array(row["errors"], np.float64), np.array(row["loss_errors"], np.float64),
            int(row["samples"]),
        )  # fmt: skip
        shape = len(found.actions), int(found.position["players"])
        fits = found.values.shape == found.errors.shape == shape and found.kind in ALL_KINDS
    except (KeyError, TypeError, ValueError, IndexError):
        fits = False
    if not fits:
        here.fail(f"is not a decision of a set; {REMEDY}")
    return found


# Writing


def decision_of(row: Mapping[str, Any], number: int) -> Decision:
    """Build a decision from a row of the generator; ``number`` counts its kind from 1."""
    tally, seat = Tally.from_dict(row["tally"]), LETTERS.index(row["seat"])
    return Decision(
        f"{row['kind']}-{number:03}", row["kind"], seat, row["position"], tuple(row["actions"]),
        tally.means(), tally.errors(), tally.loss_errors(seat), tally.samples,
    )  # fmt: skip


def write_set(path: Path, rows: Iterable[Mapping[str, Any]], made: Mapping[str, Any]) -> int:
    """Write a set and its card from the rows of the generator; return the number of decisions.

    The same rows give the same bytes. Raises: FileError if the file cannot be written.
    """
    check_output(path, FileError.at(path))
    counts: dict[str, int] = dict.fromkeys(ALL_KINDS, 0)
    lines, samples = [], [0]
    for row in rows:
        counts[row["kind"]] += 1
        decision = decision_of(row, counts[row["kind"]])
        samples.append(decision.samples)
        lines.append(json.dumps(decision.as_dict(), separators=(",", ":")) + "\n")
    buffer = io.BytesIO()
    with gzip.GzipFile("", "wb", fileobj=buffer, mtime=0) as file:
        file.write("".join(lines).encode())
    data = buffer.getvalue()
    card = {
        "version": VERSION,
        "license": LICENSE,
        "sha256": hashlib.sha256(data).hexdigest(),
        "decisions": len(lines),
        "kinds": {kind: count for kind, count in counts.items() if count},
        "samples": {"least": min(samples[1:], default=0), "most": max(samples)},
        "made": dict(made),
    }
    write_atomic(path, data)
    write_atomic(card_of(path), as_json(with_digest(card)))
    return len(lines)
