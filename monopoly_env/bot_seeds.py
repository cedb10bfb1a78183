"""Seeds for bots: hashes of the game's seed that do not reveal it.

Each bot's seed is the part of the hash that belongs to its seat. A bot cannot compute the game's
seed from it (which would reveal future dice), nor the random numbers of other bots. A hash does not
stop a bot from guessing: trying 0, 1, 2, … finds a small seed. If bots have a reason to cheat, seed
games with large random numbers.
"""

from __future__ import annotations

import hashlib

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.dice import GAMMA
from monopoly_env.engine.policy_loop import MEMORY_SALT
from monopoly_env.seeds import check_seed

PERSON = b"monopoly_env bot"  # BLAKE2b personalization, 16 bytes

# BLAKE2b (RFC 7693) for compiled code; tests compare it with hashlib's
INITIAL = np.array(
    [
        0x6A09E667F3BCC908,
        0xBB67AE8584CAA73B,
        0x3C6EF372FE94F82B,
        0xA54FF53A5F1D36F1,
        0x510E527FADE682D1,
        0x9B05688C2B3E6C1F,
        0x1F83D9ABFB41BD6B,
        0x5BE0CD19137E2179,
    ],
    np.uint64,
)
ORDERS = np.array(  # message word schedule by round; rounds 11 and 12 reuse rows 0 and 1
    [
        [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15],
        [14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3],
        [11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4],
        [7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8],
        [9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13],
        [2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9],
        [12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11],
        [13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10],
        [6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5],
        [10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0],
    ],
    np.int8,
)
ROUNDS = 12
LANES = np.array(  # the words that each step mixes: four columns, then four diagonals
    [
        [0, 4, 8, 12],
        [1, 5, 9, 13],
        [2, 6, 10, 14],
        [3, 7, 11, 15],
        [0, 5, 10, 15],
        [1, 6, 11, 12],
        [2, 7, 8, 13],
        [3, 4, 9, 14],
    ],
    np.int8,
)
SIZE = 64  # bytes of a digest: 8 for each of 8 seats
LENGTH = 8  # bytes of a message: the seed
BEGIN = np.concatenate((INITIAL, INITIAL))  # initial values of the 16 working words
BEGIN[0] ^= np.uint64(0x01010000 | SIZE)
BEGIN[6:8] ^= np.frombuffer(PERSON, "<u8")
BEGIN[12] ^= np.uint64(LENGTH)
BEGIN[14] = ~BEGIN[14]  # the first block is also the last
R16, R24, R32, R63 = np.uint64(16), np.uint64(24), np.uint64(32), np.uint64(63)
L48, L40, L32, L1 = np.uint64(48), np.uint64(40), np.uint64(32), np.uint64(1)
NOTHING = np.uint64(0)

Uint64s = npt.NDArray[np.uint64]


def bot_seed(seed: int, seat: int) -> int:
    """Return the seed of the bot in ``seat``, 0 to 2**63 - 1, for a game with this seed.

    >>> bot_seed(7, 0) != bot_seed(7, 1)
    True

    Raises: InputError for an invalid seed.
    """
    message = check_seed(seed).to_bytes(LENGTH, "little")
    digest = hashlib.blake2b(message, digest_size=SIZE, person=PERSON).digest()
    return int.from_bytes(digest[8 * seat : 8 * seat + 8], "little") >> 1


@jit
def seat_bots(views: Records, seed: int) -> None:
    """Clear the memory of compiled policies and seed their random numbers for a game.

    The random numbers equal those of :func:`monopoly_env.engine.policy_loop.seat_players` for the
    seed that :func:`bot_seed` gives to the seat. ``views`` is VIEW[8].
    """
    seeds = hash_of(np.uint64(seed))
    for seat in range(len(views)):
        views[seat].memory[:] = 0
        views[seat].seat = seat
        views[seat].rng = ((seeds[seat] >> L1) * GAMMA) ^ (np.uint64(seat + 1) * MEMORY_SALT)


@jit
def hash_of(seed: np.uint64) -> Uint64s:
    """Return the BLAKE2b hash of a seed: uint64[16], of which the first 8 belong to the seats."""
    words = np.empty(16, np.uint64)
    for number in range(16):
        words[number] = BEGIN[number]
    for turn in range(ROUNDS):
        order = ORDERS[turn % len(ORDERS)]
        for lane in range(8):
            a, b, c, d = LANES[lane, 0], LANES[lane, 1], LANES[lane, 2], LANES[lane, 3]
            words[a] += words[b] + (seed if order[2 * lane] == 0 else NOTHING)
            word = words[d] ^ words[a]
            words[d] = (word >> R32) | (word << L32)
            words[c] += words[d]
            word = words[b] ^ words[c]
            words[b] = (word >> R24) | (word << L40)
            words[a] += words[b] + (seed if order[2 * lane + 1] == 0 else NOTHING)
            word = words[d] ^ words[a]
            words[d] = (word >> R16) | (word << L48)
            words[c] += words[d]
            word = words[b] ^ words[c]
            words[b] = (word >> R63) | (word << L1)
    for seat in range(8):
        words[seat] ^= words[seat + 8] ^ BEGIN[seat]
    return words
