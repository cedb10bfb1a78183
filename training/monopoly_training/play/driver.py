"""The thread of a table, which plays its bots at a pace that people can follow."""

from __future__ import annotations

import threading
import time

from monopoly_env.engine.actions import IDS
from monopoly_env.engine.phases import Phase
from monopoly_env.errors import in_words, one_line
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS
from monopoly_env.playing import ask
from monopoly_training.play.table import Table

QUICK = 1 / 8
PATIENCE = 2.0  # seconds that a bot may still take after its table is closed


def share_of_pace(game: Game, action: int) -> float:
    """Return the share of the pace that a bot's decision takes.

    Decisions that change nothing for the others are quick: the steps that put an offer together, and
    passing between turns.
    """
    if game.phase is Phase.DEAL:
        return 1.0 if action == IDS["offer"] else QUICK
    return QUICK if game.phase is Phase.BETWEEN and action == IDS["pass"] else 1.0


class Driver:
    """Plays the bots of a table until it is closed, and passes for people who want to pass."""

    def __init__(self, table: Table) -> None:
        self.table = table
        self._thread = threading.Thread(target=self._run, name="table", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        table = self.table
        while True:
            with table.changed:
                table.changed.wait_for(lambda: table.closed or self._is_due())
                if table.closed:
                    return
                seat = table.game.actor_seat
            try:
                self._step()
            except Exception as problem:  # noqa: BLE001 - a stranger's bot, a full disk
                self._stop(seat, problem)

    def _step(self) -> None:
        """Play one decision. Raises: whatever a bot raises; FileError if it cannot be saved."""
        table = self.table
        with table.changed:
            if not self._is_due():
                return
            if table.passes_now():
                table.do(["pass"])
                return
            stamp, view = table.stamp, table.view()
        begun = time.monotonic()
        # play() explains illegal actions
        action = ask(table.agents[view.seat], view, view.game.play)
        seconds = table.header.pace / 1000 * share_of_pace(view.game, action)
        self._play(stamp, action, seconds - (time.monotonic() - begun))

    def _play(self, stamp: str, action: int, rest: float) -> None:
        """Play a bot's decision after ``rest`` seconds, unless the game has changed meanwhile."""
        table = self.table

        def has_changed() -> bool:
            return table.closed or table.stamp != stamp

        with table.changed:
            if rest > 0:
                table.changed.wait_for(has_changed, rest)
            if not has_changed():
                table.do([table.game.text(action)])

    def _is_due(self) -> bool:
        """Return whether there is a decision to make here."""
        table = self.table
        return not table.closed and not table.trouble and (table.is_bots() or table.passes_now())

    def _stop(self, seat: int, problem: Exception) -> None:
        """Report why a bot failed, and wait until somebody asks to retry."""
        name = self.table.header.seats[seat]
        with self.table.changed:
            self.table.trouble = one_line(f"{LETTERS[seat]} ({name}): {in_words(problem)}")
            self.table.ring()

    def close(self) -> None:
        """Close the table and end the thread."""
        self.table.close()
        self._thread.join(PATIENCE)
