"""Frozen positions of games that no value was fitted to, for comparing values.

The file holds the game fields that a value reads, as columns, so it outlives changes of the GAME
record. A JSON file beside it tells how it was made, with a digest of both.
"""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.engine.state import new_games
from monopoly_env.errors import FileError
from monopoly_env.files import read_bytes, read_json, with_digest, without_digest
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.value.positions import Positions
from monopoly_training.value.tables import Table, table_of

FROZEN = Path(__file__).with_name("heldout.npz")
FROZEN_BOARDS = Path(__file__).with_name("heldout_boards.npz")  # of the generated test split
MOST_BYTES = 64 << 20
READ = tuple(
    "owned mortgaged built cash pot owner level houses hotels position in_jail jail_tries out "
    "card_holder players turn actor phase depth turns rounds again bid high_bidder lot lot_square "
    "agenda claims".split()
)
TABLE = ("edition", "mode", "deals", "windows", "players")


def save_positions(path: Path, positions: Positions, made: dict[str, Any]) -> None:
    """Write positions, and beside them how they were made."""
    columns: dict[str, Any] = {}
    for name in READ:
        field = positions.states[name]
        if field.dtype.names is None:
            columns[f"state.{name}"] = field
        else:
            for part in field.dtype.names:
                if part != "padding_":
                    columns[f"state.{name}.{part}"] = field[part]
    tables = [[getattr(table, name) for name in TABLE] for table in positions.tables]
    columns["shares"] = positions.shares.astype(np.float32)
    columns["games"] = positions.games
    columns["swapped"] = positions.swapped
    columns["tables"] = np.frombuffer(json.dumps(tables).encode(), np.uint8)
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, column in columns.items():
            array = io.BytesIO()
            np.lib.format.write_array(array, np.ascontiguousarray(column), allow_pickle=False)
            # without a timestamp, so that the bytes are the same each time
            entry = zipfile.ZipInfo(f"{name}.npy")
            archive.writestr(entry, array.getvalue(), zipfile.ZIP_LZMA)
    data = buffer.getvalue()
    own = {"sha256": hashlib.sha256(data).hexdigest(), "positions": len(positions)}
    write_atomic(path, data)
    write_atomic(path.with_suffix(".json"), as_json(with_digest({**own, **made})))


def load_positions(path: Path = FROZEN) -> Positions:
    """Read positions; fields that the value does not read are blank.

    Raises: FileError, one line.
    """
    card_path, here = path.with_suffix(".json"), FileError.at(path)
    card = read_json(card_path, FileError.at(card_path))
    if not isinstance(card, dict):
        FileError.at(card_path).fail("must be a mapping; make it again with value freeze")
    card = without_digest(card, FileError.at(card_path))
    data = read_bytes(path, here, MOST_BYTES)
    if hashlib.sha256(data).hexdigest() != card.get("sha256"):
        here.fail("is damaged: its digest is not that of the card; make it again")
    with np.load(io.BytesIO(data), allow_pickle=False) as columns:
        states = new_games(len(columns["games"]))
        for key in columns.files:
            if key.startswith("state."):
                name, _, part = key[len("state.") :].partition(".")
                target = states[name][part] if part else states[name]
                target[...] = columns[key]
        tables: list[Table] = [table_of(row) for row in json.loads(columns["tables"].tobytes())]
        return Positions(
            states,
            columns["shares"].astype(np.float64),
            columns["games"],
            tables,
            columns["swapped"],
        )
