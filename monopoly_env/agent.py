"""What a bot is: the Agent protocol, the View it decides on, and finding bots by name.

A bot of any package is found through the entry-point group ``monopoly_env.agents``: each entry
point names a function that returns a mapping from names to :class:`AgentSpec`. A name that ends
in a colon is a scheme: ``model:PATH`` is made by the bot named ``model:`` from the rest.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from importlib.metadata import EntryPoint, entry_points
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt

from monopoly_env.editions.edition import Edition
from monopoly_env.engine.actions import IDS, N_ACTIONS, OFFERS
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.entry_points import legal_mask, wipe_hidden
from monopoly_env.engine.policy import Policy
from monopoly_env.engine.state import Int8s
from monopoly_env.errors import InputError, one_line, show, suggest
from monopoly_env.notation import format_actions

if TYPE_CHECKING:
    from monopoly_env.events import Happening
    from monopoly_env.game import Game

GROUP = "monopoly_env.agents"
FIRST_OFFER = IDS["propose:1"]
Records = Any  # an array of GAME records


class AgentError(InputError):
    """A bot that does not exist or cannot be had; the message is one line."""


# What a bot is shown


@dataclass(frozen=True)
class Offer:
    """A whole offer of the deal menu, as its proposer sees it. Squares 40 and 41 are kept cards."""

    action: int
    partner: int
    give: tuple[int, ...]
    ask: tuple[int, ...]
    cash: int  # received; negative: paid


class View:
    """What a bot may know when it decides; each part is made when it is first asked for.

    ``games`` and ``i`` name the game whose actor decides, ``edition`` its rules and names. The
    game is copied, and what no player can see is wiped from the copy. ``mask`` saves computing
    the legal actions again where they are known. ``events`` are what has happened since the seat
    decided last, in order; empty where whoever asks keeps no journal.
    """

    def __init__(
        self,
        games: Records,
        i: int,
        edition: Edition,
        mask: Int8s | None = None,
        events: Iterable[Happening] = (),
    ) -> None:
        self.edition = edition
        self.events = tuple(events)
        self.games: Records = copy_records(games[i : i + 1])  # one GAME record, wiped
        wipe_hidden(self.games, 0)
        self.seat = int(self.games["actor"][0])
        if mask is not None:
            self.mask = mask

    @classmethod
    def of(cls, game: Game, events: Iterable[Happening] = ()) -> View:
        """What the actor of a :class:`monopoly_env.Game` may know."""
        return cls(game.state.reshape(1), 0, game.edition, events=events)

    @property
    def record(self) -> Any:
        """The wiped GAME record: field names as in engine/state.py."""
        return self.games[0]

    @property
    def rules(self) -> Any:
        """The RULES record: field names as in engine/rules.py."""
        return self.edition.rules[0]

    @cached_property
    def mask(self) -> Int8s:
        """The legal actions, int8[N_ACTIONS]: 1 is legal."""
        mask = np.zeros(N_ACTIONS, np.int8)
        legal_mask(self.games, 0, self.edition.rules, mask)
        return mask

    @cached_property
    def legal_actions(self) -> list[str]:
        """The legal actions as text, in the order of their ids; seats by letter: ``deal:B``."""
        legal = np.flatnonzero(self.mask).tolist()
        return format_actions(legal, self.seat, int(self.games["players"][0]))

    @cached_property
    def observation(self) -> npt.NDArray[np.float32]:
        """What a learner sees, float32[OBSERVATION_SIZE]."""
        from monopoly_env.encoding.observation import OBSERVATION_SIZE, observe

        row = np.zeros(OBSERVATION_SIZE, np.float32)
        observe(self.games, 0, self.edition.rules, self.seat, row)
        return row

    @cached_property
    def menu(self) -> tuple[Offer, ...]:
        """The offers of the deal menu that may be made now; empty where there are none."""
        legal = np.flatnonzero(self.mask[FIRST_OFFER : FIRST_OFFER + OFFERS])
        return tuple(self._offer(number) for number in legal.tolist())

    def _offer(self, number: int) -> Offer:
        partner, give, ask, cash = menu_offer(self.games[0], self.edition.rules[0], number)
        return Offer(
            FIRST_OFFER + number, int(partner), squares_in(give), squares_in(ask), int(cash)
        )

    @cached_property
    def game(self) -> Game:
        """A copy of the game to try things in; ``redraw(rng)`` first gives it throws and cards."""
        from monopoly_env.game import Game

        return Game.from_record(self.games, self.edition)


def copy_records(records: Records) -> Records:
    """A copy byte by byte; NumPy's own goes field by field and takes fifty times as long."""
    copied = np.empty(records.nbytes, np.uint8)
    copied[:] = records.view(np.uint8)
    return copied.view(records.dtype).view(type(records))


def squares_in(squares: int) -> tuple[int, ...]:
    """The squares of a bit mask, in board order."""
    return tuple(square for square in range(int(squares).bit_length()) if squares >> square & 1)


# What a bot is


class Agent(Protocol):
    """Who decides for a seat.

    What a bot may have beside these: ``name``, shown in tables; ``finish(game)``, called when a
    game is over; ``close()``, called when no more games follow; ``faults``, counts of answers
    that it settled itself, by ``illegal``, ``timed_out`` and ``crashed``.
    """

    def reset(self, seed: int) -> None:
        """A new game begins; ``seed`` is for the bot's own random numbers."""

    def decide(self, view: View) -> int:
        """The id of a legal action."""


@dataclass(frozen=True)
class AgentSpec:
    """A bot that can be had by name.

    ``factory`` makes one for one game at a time; that of a scheme takes the rest of the name.
    ``load_policy`` gives the compiled policy, for bots that have one, and ``load_weights`` the
    numbers that it plays by, if they are not its own: a contiguous array that its view points to.
    A scheme that cannot say so before it has seen the rest of the name has ``resolve`` instead:
    the bot that it stands for.
    """

    name: str
    description: str  # one line
    factory: Callable[..., Agent]
    load_policy: Callable[[], Policy] | None = None
    resolve: Callable[[str], AgentSpec] | None = None
    load_weights: Callable[[], npt.NDArray[Any]] | None = None

    @property
    def weights(self) -> npt.NDArray[Any] | None:
        """What the compiled policy plays by; None: its own numbers."""
        return self.load_weights() if self.load_weights is not None else None

    @property
    def policy(self) -> Policy | None:
        """The compiled policy; None for bots that only Python can ask."""
        return self.load_policy() if self.load_policy is not None else None


# Finding bots


@lru_cache(maxsize=1)
def agents() -> dict[str, AgentSpec]:
    """All bots of all installed packages by name. The first package to claim a name has it."""
    found: dict[str, AgentSpec] = {}
    for entry in sorted(entry_points(group=GROUP), key=lambda entry: entry.name):
        for name, spec in _read(entry).items():
            if name in found:
                _warn(entry, f"bot {name!r} is left out, as another package has that name")
            found.setdefault(name, spec)
    return found


def _read(entry: EntryPoint) -> Mapping[str, AgentSpec]:
    """What an entry point offers; a package that fails costs its own bots only."""
    try:
        specs = entry.load()()
    except Exception as error:  # noqa: BLE001 - whatever a stranger's package may raise
        _warn(entry, f"its bots are left out: {type(error).__name__}: {error}")
        return {}
    if not isinstance(specs, Mapping) or not all(
        isinstance(spec, AgentSpec) for spec in specs.values()
    ):
        _warn(entry, "its bots are left out: it must return a mapping from names to AgentSpec")
        return {}
    return specs


def _warn(entry: EntryPoint, problem: str) -> None:
    warnings.warn(one_line(f"{GROUP} entry point {entry.name}: {problem}"), stacklevel=3)


def find_agent(name: str) -> tuple[AgentSpec, tuple[str, ...]]:
    """The bot that a name stands for, and what its factory takes: the rest after a scheme.

    Raises: AgentError, one line with the name that was meant or all that there are.
    """
    known = agents()
    if not isinstance(name, str):
        raise AgentError(f"a bot is named by text, not {show(name)}")
    if name in known and not name.endswith(":"):
        return known[name], ()
    scheme, colon, rest = name.partition(":")
    if colon and scheme + colon in known:
        if not rest:
            raise AgentError(f"{name}: the rest is missing; {known[name].description}")
        spec = known[scheme + colon]
        return (spec, (rest,)) if spec.resolve is None else (spec.resolve(rest), ())
    meant = suggest(name, known)
    names = f"; bots are {', '.join(known)}" if meant.startswith("did you mean") else ""
    raise AgentError(one_line(f"there is no bot {show(name)}; {meant}{names}"))


def make_agent(name: str) -> Agent:
    """A bot by name: ``fixed_a``, ``scheme:rest``. Raises: AgentError."""
    spec, rest = find_agent(name)
    return spec.factory(*rest)
