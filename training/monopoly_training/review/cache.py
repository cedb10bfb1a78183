"""Reviews saved beside their records, and remade when the record or the value changes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

from monopoly_env.errors import FileError, Location
from monopoly_env.files import digest_of, with_digest
from monopoly_env.value.weights import shipped_value
from monopoly_training.common.files import read_with_digest, write_atomic
from monopoly_training.common.progress import Progress
from monopoly_training.review.review import FORMAT, review


def kept_path(records: Path, number: int) -> Path:
    """Return the path of a game's review, such as ``games.jsonl.review-3.json``."""
    return records.with_name(f"{records.name}.review-{number}.json")


def kept_review(
    records: Path,
    number: int,
    record: Mapping[str, Any],
    location: Location,
    progress: Progress | None = None,
) -> tuple[dict[str, Any], bool]:
    """Return the review of game ``number`` of a file, and whether it was a saved one.

    A saved review is remade if it is damaged or of another record, value or format. Where nothing
    can be written, the review is made each time.

    Raises: RecordError.
    """
    path = kept_path(records, number)
    with suppress(FileError):
        found = read_with_digest(path)
        if all(found.get(key) == value for key, value in names_of(record).items()):
            return found, True
    made = review(record, location, progress)
    with suppress(OSError, FileError):  # a read-only folder saves none
        write_atomic(path, text_of(made))
    return made, False


def names_of(record: Mapping[str, Any]) -> dict[str, Any]:
    """Return what a saved review must state to be valid for a record now."""
    return {
        "format": FORMAT,
        "record": digest_of(dict(record)),
        "value": shipped_value().digest,
    }


def text_of(made: dict[str, Any]) -> str:
    """Return the text of a review file."""
    return json.dumps(with_digest(made), separators=(",", ":")) + "\n"
