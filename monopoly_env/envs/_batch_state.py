"""Saves, checks and restores the state of a batch of games as bytes."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
import numpy.typing as npt

from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.policy import MEMORY, VIEW
from monopoly_env.engine.state import GAME
from monopoly_env.envs._records import EPISODE, KERNEL_CONFIG, START, STEP_RECORD
from monopoly_env.envs._saved_state import (
    BATCH,
    CHECKSUM,
    SEEDED,
    STARTS,
    WHOLE,
    byte_rows,
    check_rows,
    fingerprint,
    read_state,
    write_state,
)
from monopoly_env.envs.checks import fail
from monopoly_env.records import RULES_VERSION

if TYPE_CHECKING:
    from monopoly_env.envs.game_batch import GameBatch

RECORDS = repr([GAME, EPISODE, STEP_RECORD, VIEW, KERNEL_CONFIG, START, RULES_VERSION])
LAYOUT = hashlib.blake2b(RECORDS.encode(), digest_size=8).digest()
RNG, MEMORIES = (VIEW.fields[name][1] for name in ("rng", "memory"))  # type: ignore[index]
BOT_FIELDS = ("pool", "whole", "line_ups", "opponents", "fallback")
OPTION_FIELDS = (
    "decides",
    "leaves",
    "every_seat",
    "seat",
    "skip_forced",
    "play_out",
    "pay_leavers",
    "autoreset",
    "illegal",
)


STEPS = 2  # index of the block of step records
ACTION = STEP_RECORD.fields["action"][1]  # type: ignore[index]


class Block(NamedTuple):
    """The bytes of one kind of record, for all games."""

    rows: npt.NDArray[np.uint8]  # one row per game
    shape: tuple[int, ...]  # of one row
    size: int  # bytes of one row


def state_blocks(batch: GameBatch) -> tuple[Block, ...]:
    """Return the parts of a batch's arrays that go into its state.

    Of the VIEW records, only the random generators and memories are included: addresses are
    meaningless in another process, and the rest is rewritten whenever a policy is asked.
    """
    n, players = batch.n, batch.config.players
    views = byte_rows(batch.views, n).reshape(n, PLAYERS, VIEW.itemsize)[:, :players]
    parts = (
        byte_rows(batch.games, n),
        byte_rows(batch.episodes, n),
        byte_rows(batch.step_records, n),
        views[:, :, RNG : RNG + 8],
        views[:, :, MEMORIES : MEMORIES + 4 * MEMORY],
    )
    return tuple(Block(part, part.shape[1:], math.prod(part.shape[1:])) for part in parts)


def clone_state(batch: GameBatch, indices: object, kind: int, extra: bytes) -> bytes:
    """See :meth:`GameBatch.clone_state`."""
    rows: Any = slice(None) if indices is None else check_rows(indices, batch.n)
    blocks = [block.rows[rows].tobytes() for block in batch.blocks]
    if kind != BATCH:  # the last action is an input, not state
        steps = batch.blocks[STEPS].rows[rows].copy()
        steps[:, ACTION : ACTION + 8] = 0
        blocks[STEPS] = steps.tobytes()
    flags = SEEDED if batch.seeded else 0
    starts = batch.starts.to_bytes(rows)
    if starts:
        flags |= STARTS
        blocks.append(starts)
    if indices is None:
        flags |= WHOLE
        blocks.append(batch.kernel_config["chances"].tobytes())
    count = batch.n if indices is None else len(rows)
    return write_state(kind, flags, count, prints(batch), [*blocks, extra])


def restore_state(
    batch: GameBatch,
    state: object,
    indices: object,
    kind: int,
    accept: Callable[[bytes, int], None],
) -> bytes:
    """See :meth:`GameBatch.restore_state`. Everything is checked before anything is written."""
    saved = read_state(state, kind, prints(batch))
    rows: Any = slice(None) if indices is None else check_rows(indices, batch.n)
    games, count = saved.games, batch.n if indices is None else len(rows)
    if games not in (1, count):
        fail("state", f"has {games} games, not {count}; name as many indices")
    if indices is not None and not saved.flags & SEEDED:
        fail("state", "was taken before the first reset; reset the environment instead")
    starts = saved.offset + games * sum(block.size for block in batch.blocks)
    chances = starts + (games * START.itemsize if saved.flags & STARTS else 0)
    extra = chances + (8 * PLAYERS if saved.flags & WHOLE else 0)
    end = len(saved.data) - CHECKSUM.size
    if extra > end:
        fail("state", "is damaged: it ends too early; clone the state again")
    accept(saved.data[extra:end], games)
    data, first = np.frombuffer(saved.data, np.uint8), saved.offset
    for block in batch.blocks:
        last = first + games * block.size
        block.rows[rows] = data[first:last].reshape(games, *block.shape)
        first = last
    batch.starts.from_bytes(saved.data[starts:chances], rows)
    batch.set_weight_addresses()
    if indices is None and saved.flags & WHOLE:
        batch.kernel_config["chances"][0] = data[chances:extra].view(np.float64)
    if count == batch.n:
        batch.seeded = bool(saved.flags & SEEDED)
    return saved.data[extra:end]


def prints(batch: GameBatch) -> bytes:
    """Return the fingerprints that a state must match, one for each of the PARTS."""
    if not batch.fingerprint:
        config = batch.kernel_config
        bots = [config[name].tobytes() for name in BOT_FIELDS]
        weights = [
            np.asarray(one.weights).tobytes()
            for one in batch.config.policies
            if one.weights is not None
        ]
        python_bots = [repr(one).encode() for one in batch.config.python_bots]
        batch.fingerprint = fingerprint(
            (
                LAYOUT,
                config["players"].tobytes(),
                np.asarray(batch.edition.rules).tobytes()
                + (batch.config.editions.name.encode() if batch.draws_editions else b""),
                b"".join((repr(batch.bots).encode(), *bots, *weights, *python_bots)),
                np.asarray(config["reward"]).tobytes(),
                b"".join(config[name].tobytes() for name in OPTION_FIELDS),
            )
        )
    return batch.fingerprint
