"""How Python calls the kernel: by addresses of arrays that live as long as the batch."""

from __future__ import annotations

import copy

import numpy as np
import pytest

from monopoly_env.encoding.row_cache import NOTHING_SHOWN, new_shown
from monopoly_env.envs import VectorEnv
from monopoly_env.envs._call import ADDRESSES, Call, Calls
from monopoly_env.envs._work_queue import NO_QUEUE
from monopoly_env.envs.game_batch import HELD


def arrays_of(n: int) -> tuple[np.ndarray, ...]:
    """Five arrays of n rows, in place of a batch's."""
    return tuple(np.zeros((n, 2)) for _ in range(5))


def test_a_call_names_every_array_and_how_many_there_are() -> None:
    arrays, shown, queue = arrays_of(3), new_shown(4), np.zeros(6, np.int64)
    call = Call(arrays, shown, queue)
    written = call._written[0]
    held = (*arrays, shown, queue)
    assert [int(written[name]) for name in ADDRESSES] == [array.ctypes.data for array in held]
    assert [int(written[name]) for name in ("n", "n_shown", "n_queue")] == [3, 4, 6]
    assert call.address == call._written.ctypes.data


def test_each_buffer_and_queue_has_an_address_of_its_own_which_stays() -> None:
    """A thread that comes late, with the buffer of the step before, changes nothing for others."""
    calls = Calls(arrays_of(2))
    buffers, queue = [new_shown(2), new_shown(2)], np.zeros(4, np.int64)
    kinds = [(NOTHING_SHOWN, NO_QUEUE), (buffers[0], queue), (buffers[1], queue)]
    addresses = [calls.address(*kind) for kind in kinds]
    assert len(set(addresses)) == 3
    assert addresses[0] == calls.alone
    assert [calls.address(*kind) for kind in kinds[::-1]] == addresses[::-1]


def test_a_copy_steps_arrays_of_its_own() -> None:
    env = VectorEnv(2, opponents=["random"])
    env.reset(seed=3)
    twin = copy.deepcopy(env)
    before = env.batch.games.tobytes()
    twin.step(twin.sample_actions(0))
    assert env.batch.games.tobytes() == before
    assert twin.batch.games.tobytes() != before
    assert twin.batch.calls.alone != env.batch.calls.alone


@pytest.mark.parametrize("name", sorted(HELD))
def test_arrays_of_a_batch_cannot_be_replaced(name: str) -> None:
    """The kernel would go on with the old ones, and nobody would see what it does there."""
    batch = VectorEnv(2, opponents=["random"]).batch
    there = getattr(batch, name)
    with pytest.raises(AttributeError, match=rf"^{name} cannot be replaced: .*write into it"):
        setattr(batch, name, copy.copy(there) if name != "arrays" else (*there[:1], *there[1:]))
    assert getattr(batch, name) is there


def test_arrays_of_a_batch_are_changed_in_place() -> None:
    batch = VectorEnv(2, opponents=["random"]).batch
    there = batch.action
    batch.action += 1
    batch.action[:] = [4, 5]
    assert batch.action is there
    assert batch.step_records["action"].tolist() == [4, 5]
