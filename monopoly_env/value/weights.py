"""Value models on disk: a safetensors file with the weights, and a JSON card.

Loading needs only NumPy. The layout is fixed (:mod:`monopoly_env.value.network`); other files are
refused before their numbers are read. The card records how the weights were trained and how
accurate they are.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.compiler.records import Records, fields, new_records, read_only
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.state import Float64s
from monopoly_env.errors import FileError, InputError, Location, show
from monopoly_env.files import (
    DIGITS,
    open_file,
    parse_json,
    read_bytes,
    read_json,
    with_digest,
    without_digest,
)
from monopoly_env.value.features import FEATURES_VERSION
from monopoly_env.value.network import NETWORK, NetworkState, new_work, write_all_chances

SHIPPED = Path(__file__).with_name("value.safetensors")
MOST_BYTES = 16 << 20
REMEDY = "make it again with monopoly-env value fit"


class Value:
    """A value model, which estimates each player's win probability.

    ``digest`` identifies its weights in reports, ``card`` describes it. A compiled kernel takes
    ``networks``, NETWORK[1], and its own workspace
    (:func:`monopoly_env.value.network.write_chances`). A policy that can only use addresses finds
    the record at ``address``. Keep a reference to the value while it is in use.

    >>> from monopoly_env import Game, VectorEnv, win_chances
    >>> game = Game.from_position({"players": 2, "A": {"cash": 1500}, "B": {"cash": 1200}}, seed=7)
    >>> print(win_chances(game, shipped_value()).round(2))
    [0.66 0.34]
    >>> envs = VectorEnv(3, num_players=4, seats="all")
    >>> _ = envs.reset(seed=7)
    >>> shipped_value().chances(envs.batch.games, game.edition.rules).shape
    (3, 8)
    """

    def __init__(self, networks: Records, digest: str, card: Mapping[str, Any]) -> None:
        self.networks = read_only(networks)
        self.digest = digest
        self.card = dict(card)

    @property
    def address(self) -> int:
        """The memory address of the weights."""
        return int(self.networks.ctypes.data)

    def chances(self, games: Records, rules: Records) -> Float64s:
        """Return the win probabilities in many positions: float64[n, 8] from GAME[n] and RULES[1].

        Each row sums to 1; seats that are out, or not in the game, have 0. Takes about 10 µs per
        four-player position.
        """
        out = np.zeros((len(games), PLAYERS))
        write_all_chances(games, rules, self.networks, new_work(), out)
        return out

    def __repr__(self) -> str:
        return f"<Value {self.digest}>"


@lru_cache(maxsize=1)
def shipped_value() -> Value:
    """Return the included value model; it is loaded once."""
    return load_value(SHIPPED)


def load_value(path: str | Path) -> Value:
    """Load a value model from its safetensors file, with the JSON card of the same name next to it.

    Raises: FileError that names the file and the remedy.
    """
    path = Path(path)
    with open_file(path, FileError.at(path), REMEDY):
        pass  # so that a missing model is reported before its card
    card_path = path.with_suffix(".json")
    there = FileError.at(card_path)
    card = read_json(card_path, there, REMEDY)
    if not isinstance(card, dict):
        there.fail(f"must be a mapping, not {show(card)}; {REMEDY}")
    card = without_digest(card, there, hint=REMEDY)
    version = card.get("features_version")
    if version != FEATURES_VERSION:
        there.fail(
            f"features_version is {show(version)}, and this version of monopoly-env computes "
            f"{FEATURES_VERSION}; {REMEDY}"
        )
    here = FileError.at(path)
    data = read_bytes(path, here, MOST_BYTES, REMEDY)
    digest = hashlib.sha256(data).hexdigest()
    if digest != card.get("weights_sha256"):
        here.fail(f"is damaged, or of another card: its digest is not that of the card; {REMEDY}")
    return Value(unpack(data, here), digest[:DIGITS], card)


def unpack(data: bytes, location: Location) -> Records:
    """Return NETWORK[1] from the bytes of a safetensors file. Raises: the error of ``location``."""
    length = int.from_bytes(data[:8], "little")
    if not 2 <= length <= len(data) - 8:
        location.fail(f"is not a safetensors file, or is cut off; {REMEDY}")
    header = parse_json(data[8 : 8 + length], location / "header", REMEDY)
    if not isinstance(header, dict):
        location.fail(f"has a header that is no mapping; {REMEDY}")
    record = new_records(1, NETWORK)
    names = set(header) - {"__metadata__"}
    for name in sorted(names ^ set(fields(NetworkState))):
        location.fail(f"{show(name)} is {'not known' if name in names else 'missing'}; {REMEDY}")
    for name, field in fields(NetworkState).items():
        entry, numbers = header[name], int(np.prod(field.shape))
        begin, end = offsets_of(entry, field.shape, location / name)
        if end - begin != 4 * numbers or end > len(data) - 8 - length:
            location.fail(f"{name} must have {4 * numbers:,} bytes in the file; {REMEDY}")
        array = np.frombuffer(data, "<f4", numbers, 8 + length + begin)
        if not np.isfinite(array).all():
            location.fail(f"{name} must be finite; {REMEDY}")
        record[name][0] = array.reshape(field.shape)
    return record


def offsets_of(entry: Any, shape: tuple[int, ...], location: Location) -> tuple[int, int]:
    """Return the byte range of a tensor after the header. Raises: the error of ``location``."""
    try:
        begin, end = entry["data_offsets"]
        fits = entry["dtype"] == "F32" and tuple(entry["shape"]) == shape
        fits = fits and type(begin) is int and type(end) is int and 0 <= begin <= end
    except (KeyError, TypeError, ValueError):
        fits = False
    if not fits:
        location.fail(f"must be float32{list(shape)}, not {show(entry)}; {REMEDY}")
    return begin, end


def pack(networks: Records) -> bytes:
    """Return the bytes of a safetensors file; equal weights give equal bytes."""
    header: dict[str, Any] = {}
    parts, at = [], 0
    for name, field in fields(NetworkState).items():
        part = np.ascontiguousarray(networks[name][0], "<f4").tobytes()
        entry = {"dtype": "F32", "shape": list(field.shape)}
        header[name] = {**entry, "data_offsets": [at, at + len(part)]}
        parts.append(part)
        at += len(part)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # tensors are aligned to 8 bytes
    return len(text).to_bytes(8, "little") + text + b"".join(parts)


def card_of(data: bytes, more: Mapping[str, Any]) -> dict[str, Any]:
    """Return the card of a weights file, with its digest."""
    if set(more) & {"features_version", "weights_sha256"}:
        InputError.at("more").fail("must not name what the card says of the file itself")
    own = {
        "features_version": FEATURES_VERSION,
        "weights_sha256": hashlib.sha256(data).hexdigest(),
    }
    return with_digest({**own, **more})
