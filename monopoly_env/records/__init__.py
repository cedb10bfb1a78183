"""Saved games: records, and files with one record per JSON line.

:mod:`monopoly_env.replay` replays records.

>>> from monopoly_env import Game
>>> from monopoly_env.records import check_record
>>> game = Game(players=2, seed=7)
>>> game.play("roll")
>>> record = game.record(bots=["ann", "ben"])
>>> record["actions"]
['A roll']
>>> check_record(record) == record
True
"""

from monopoly_env.errors import RecordError
from monopoly_env.records.files import (
    RecordWarning,
    encode_record,
    read_records,
    record_at,
    write_record,
)
from monopoly_env.records.record import (
    ACTIONS_VERSION,
    FORMAT,
    RULES_VERSION,
    check_record,
    edition_hash,
    make_record,
    result_of,
    versions,
)

__all__ = [
    "ACTIONS_VERSION",
    "FORMAT",
    "RULES_VERSION",
    "RecordError",
    "RecordWarning",
    "check_record",
    "edition_hash",
    "encode_record",
    "make_record",
    "read_records",
    "record_at",
    "result_of",
    "versions",
    "write_record",
]
