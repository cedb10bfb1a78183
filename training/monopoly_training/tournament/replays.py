"""Replay pages of a tournament's most notable recorded games."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from monopoly_env.errors import RecordError
from monopoly_env.records import record_at
from monopoly_training.common.files import write_atomic
from monopoly_training.tournament.ledger import RECORDS
from monopoly_training.web.games import PICKS, picks, summaries
from monopoly_training.web.replay_page import replay_page

FOLDER = "replays"
MOST = 200  # maximum number of recorded games considered


@dataclass(frozen=True)
class Replay:
    """A replay page and the reason to watch it."""

    link: str  # relative to the tournament's folder, with an anchor at the moment to watch
    title: str  # such as "the shortest game"
    text: str

    @property
    def file(self) -> str:
        """The page without the anchor."""
        return self.link.partition("#")[0]


def write_replays(folder: Path) -> list[Replay]:
    """Write replay pages of notable games; return none if no game was recorded."""
    path = folder / RECORDS
    if not path.exists() or not path.stat().st_size:
        return []
    found: list[Replay] = []
    for old in (folder / FOLDER).glob("game-*.html"):  # left from an earlier tournament
        old.unlink()
    for pick in picks(summaries(path, MOST)):
        number = pick.summary.number
        name = f"{FOLDER}/game-{number}.html"
        if not any(one.file == name for one in found):
            location = RecordError.at(f"{path}: game {number}")
            source = f"{RECORDS}, game {number}"
            write_atomic(folder / name, replay_page(record_at(path, number), location, source))
        found.append(Replay(f"{name}#t={pick.moment}", PICKS[pick.key], pick.text))
    return found
