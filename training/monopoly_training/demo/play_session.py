"""One game at a terminal between people and bots, saved as a record."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from traceback import extract_tb

from monopoly_agents.terminal.human import HumanAgent, PlayerLeft, TakeBack
from monopoly_agents.terminal.tables import new_console, players_table, show_events

from monopoly_env import Game
from monopoly_env.agent import Agent, make_agent
from monopoly_env.errors import AgentError, RecordError, in_words, one_line
from monopoly_env.events import Happening
from monopoly_env.files import check_output
from monopoly_env.interrupts import is_real
from monopoly_env.notation import LETTERS
from monopoly_env.playing import Accumulator, GameLoop
from monopoly_env.records import write_record
from monopoly_training.matches.entrants import HUMAN

PYTHON_FILE = "python:"  # prefix of bots that may raise anything

Snapshot = tuple[Game, list[list[Happening]]]


def seat_agents(names: Sequence[str]) -> list[Agent]:
    """Return the agents of these names; people share one terminal. Raises: AgentError."""
    console = new_console()
    return [HumanAgent(console) if name == HUMAN else make_agent(name) for name in names]


@contextmanager
def one_line_errors(name: str) -> Iterator[None]:
    """Turn any exception of a bot in a Python file into a one-line AgentError with its location."""
    try:
        yield
    except BaseException as problem:
        if not name.startswith(PYTHON_FILE) or is_real(problem):
            raise
        what = in_words(problem)
        if not type(problem).__module__.startswith("monopoly_"):
            at = extract_tb(problem.__traceback__)[-1]
            what += f" ({Path(at.filename).name}, line {at.lineno})"
        raise AgentError(one_line(f"{name}: {what}")) from problem


class PlaySession(Accumulator):
    """A game at the terminal, from the first roll until it is over or left."""

    def __init__(self, game: Game, names: Sequence[str], bots: Sequence[Agent], save: Path) -> None:
        self.names = list(names)
        self.save = save
        self.console = new_console()
        self.loop = GameLoop(game, bots, game.seed or 0, accumulators=[self])
        self._snapshots: list[Snapshot] = []  # one for each decision of a person so far

    def play(self) -> None:
        """Play on; save the game however it ends. Raises: RecordError if it cannot be saved."""
        self._check_file()
        try:
            self._begin()
            while not self.loop.game.over:
                self._decide()
            with one_line_errors(self._file()):
                self.loop.finish()
        except PlayerLeft as left:
            self.console.print(f"\n{str(left).removeprefix('human: ')}.")
        finally:
            try:
                self._close()
            finally:
                self._save()

    def before(self, game: Game) -> None:
        """Show the seating."""
        self.console.print(f"{game.edition.title}, seed {game.seed}")
        for seat, name in enumerate(self.names):
            self.console.print(f"  {LETTERS[seat]} {game.edition.names.token(seat)}: {name}")
        if HUMAN in self.names:
            self.console.print("Type help to see what can be typed.")

    def after(self, game: Game) -> None:
        """Show people the remaining events, the final standings and the winners."""
        if HUMAN in self.names:
            show_events(self.console, self.loop.unheard[self.names.index(HUMAN)])
        self.console.print(players_table(game))
        self.console.print(f"{' and '.join(game.winners)} won.")

    def _begin(self) -> None:
        """Reset the bots; one in a Python file may raise anything."""
        with one_line_errors(self._file()):
            self.loop.begin()

    def _file(self) -> str:
        """Return the first bot in a Python file, to blame for unexpected errors.

        Returns "" if there is none.
        """
        return next((name for name in self.names if name.startswith(PYTHON_FILE)), "")

    def _close(self) -> None:
        """Close the bots; errors they raise now are only shown."""
        try:
            with one_line_errors(self._file()):
                self.loop.close()
        except AgentError as problem:
            self.console.print(str(problem), markup=False, soft_wrap=True)

    def _decide(self) -> None:
        """Play one decision, or take one back."""
        name = self.names[self.loop.game.actor_seat]
        if name == HUMAN:
            unheard = [list(events) for events in self.loop.unheard]
            self._snapshots.append((self.loop.game.copy(), unheard))
        try:
            with one_line_errors(name):
                self.loop.step()
        except TakeBack:
            self._take_back()

    def _take_back(self) -> None:
        """Go back to the previous decision of a person."""
        here = self._snapshots.pop()
        if not self._snapshots:
            self.console.print("There is nothing to take back.")
        self.loop.game, self.loop.unheard = self._snapshots.pop() if self._snapshots else here

    def _check_file(self) -> None:
        """Check before the game that it can be saved."""
        check_output(self.save, RecordError.at(self.save))

    def _save(self) -> None:
        """Append the game to the file, unless nothing was played."""
        if self.loop.game.history:
            write_record(self.save, self.loop.game.record(self.names))
            where = f"monopoly-env replay {self.save}"
            self.console.print(f"Saved: {where}", soft_wrap=True)
