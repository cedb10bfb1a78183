"""One game as a Python object: legal actions, playing, copying, saving, inspecting."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn, Self

import numpy as np
import numpy.typing as npt

from monopoly_env import chance, notation
from monopoly_env.chance import ChanceOutcome
from monopoly_env.compiler.records import copy_records, records_of
from monopoly_env.editions import DEFAULT, STANDARD, Edition, load_editions
from monopoly_env.editions.sets import check_loaded
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.board import PLAYERS, SPACE_IDS
from monopoly_env.engine.journal import Event, new_journals
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.redraw import copy_at, redraw_at
from monopoly_env.engine.state import GAME, new_games
from monopoly_env.engine.status import Status
from monopoly_env.engine.why import Why
from monopoly_env.errors import InputError, NoSuchItem, show, suggest
from monopoly_env.events import Happening, happenings
from monopoly_env.hands import Hand, Standing, read_hand, read_standings, winners_in
from monopoly_env.integers import as_int
from monopoly_env.notation import LETTERS, NotAnAction, letter_of
from monopoly_env.position import Position, build, describe, read_position, to_text
from monopoly_env.position.document import Source
from monopoly_env.records import make_record
from monopoly_env.render.board_text import map_text
from monopoly_env.render.text import game_text, head_text, table_lines
from monopoly_env.seeds import check_or_draw_seed

if TYPE_CHECKING:
    from rich.text import Text

Mask = npt.NDArray[np.int8]
FEW = 12  # legal actions that an error message lists


class IllegalAction(ValueError):  # noqa: N818  (a move that the rules refuse)
    """Raised for an illegal action; ``reason`` says why. The game is unchanged.

    Libraries that step environments in processes pickle it, or make it again from itself or its
    message; Gymnasium's ``AsyncVectorEnv`` does both.

    Args:
        message: the text, or the error to repeat.
        action: what was played, as text.
        reason: ``Why.OK`` if only the message is known.
    """

    action: str
    reason: Why

    def __init__(self, message: object, action: str = "", reason: Why = Why.OK) -> None:
        super().__init__(str(message))
        if isinstance(message, IllegalAction):
            action, reason = message.action, message.reason
        self.action, self.reason = action, reason


class Game:
    """One game of Monopoly.

    >>> game = Game(edition="classic", players=3, seed=7)
    >>> game.actor, game.phase.name, game.legal_actions()
    ('C', 'TURN', ['roll'])
    >>> game.why("build:boardwalk")
    <Why.NOT_OWNED: 4>

    Args:
        edition: an id (``monopoly-env editions`` lists them), the path of an edition file, a
            generated edition such as ``random:train:17``, or an :class:`Edition` object, loaded
            with its ``mode`` and ``rules``. From a set of generated editions, such as
            ``random:train``, the seed draws one.
        players: from 2 to the edition's maximum; ``rules={"max_players": 8}`` allows up to eight.
        seed: 0 to 2**63 - 1. The same seed gives the same game. None draws a seed, stored in
            ``game.seed``.
        mode: ``standard``, or another mode of the edition, such as ``short``.
        rules: rule overrides by name, such as ``{"free_parking_jackpot": True}``.
        journal: record the events of each step for :meth:`journal`. False is slightly faster.

    Raises:
        InputError: one line that names the parameter and the remedy. EditionError for a bad
            edition, mode or rule.
    """

    __slots__ = (
        "_actor",
        "_games",
        "_history",
        "_journals",
        "_length",
        "_phase",
        "_rules",
        "_start",
        "edition",
        "seed",
    )

    edition: Edition
    seed: int | None

    def __init__(
        self,
        edition: str | Path | Edition = DEFAULT,
        players: int = 4,
        seed: int | None = None,
        mode: str = STANDARD,
        rules: Mapping[str, object] | None = None,
        journal: bool = True,
    ) -> None:
        seed = check_or_draw_seed(seed)
        if isinstance(edition, Edition):
            loaded = check_loaded(edition, mode, rules)
        else:
            loaded = load_editions(edition, mode, rules).for_seed(seed)
        players = loaded.check_players(players)
        games = new_games(1)
        journals = _new_journals(journal)
        entry_points.start(games, 0, loaded.rules, journals, players, seed)
        self._set_up(loaded, games, journals, seed)

    @classmethod
    def from_position(
        cls,
        position: Source,
        *,
        edition: str | Path | Edition | None = None,
        mode: str | None = None,
        rules: Mapping[str, object] | None = None,
        seed: int | None = None,
        journal: bool = True,
    ) -> Game:
        """Return a game that starts from a position: a mapping, or the path of a YAML file.

        The keys are those of :meth:`to_yaml`. Missing keys have their values at the start of a
        game, and hidden information is drawn from ``seed``.

        >>> position = {"players": 2, "turn": "B", "B": {"deeds": ["park_place", "boardwalk"]}}
        >>> Game.from_position(position, seed=1).why("build:boardwalk")
        <Why.OK: 0>

        Raises: PositionError, one line that names the file, the key and the remedy; EditionError
        or InputError for the other parameters.
        """
        return cls._from(read_position(position), edition, mode, rules, seed, journal)

    @classmethod
    def from_yaml(cls, text: str, *, seed: int | None = None, journal: bool = True) -> Game:
        """Load a game from the text of :meth:`to_yaml`."""
        return cls._from(read_position(text, text=True), None, None, None, seed, journal)

    @classmethod
    def from_record(cls, games: Any, edition: Edition, journal: bool = False) -> Game:
        """Return a game from a copy of one GAME record: an array of length 1.

        ``envs.batch.games`` holds such records. Raises: InputError that names the parameter.
        """
        if getattr(games, "dtype", None) != GAME or games.shape != (1,):
            InputError.at("games").fail(f"must be an array of one GAME record, not {show(games)}")
        if not isinstance(edition, Edition):
            InputError.at("edition").fail(f"must be an Edition that is loaded, not {show(edition)}")
        game: Game = object.__new__(cls)
        game._set_up(edition, copy_records(games), _new_journals(journal), None)
        return game

    @classmethod
    def _from(
        cls,
        position: Position,
        edition: str | Path | Edition | None,
        mode: str | None,
        rules: Mapping[str, object] | None,
        seed: int | None,
        journal: bool,
    ) -> Game:
        loaded = position.edition(edition, mode, rules)
        seed = check_or_draw_seed(seed)
        game: Game = object.__new__(cls)
        game._set_up(loaded, build(position, loaded, seed), _new_journals(journal), None)
        return game

    def _set_up(self, edition: Edition, games: Any, journals: Any, seed: int | None) -> None:
        """Set the attributes; without a seed, the game starts from the present position."""
        self.edition = edition
        self.seed = seed
        self._games = games
        self._journals = journals
        self._rules = edition.rules
        self._actor = games["actor"]
        self._phase = games["phase"]
        self._forget(seed)

    def _forget(self, seed: int | None) -> None:
        """Start a new history from the present position."""
        self._history: list[int] = []  # action * PLAYERS + actor; shared by copies
        self._length = 0
        self.seed = seed
        self._start: bytes | None = None if seed is not None else self._games.tobytes()

    # --- the current decision ---

    @property
    def actor(self) -> str | None:
        """The letter of the player to act; None if the game is over."""
        return letter_of(int(self._actor[0]))

    @property
    def actor_seat(self) -> int:
        """The seat to act, 0 for A; -1 if the game is over."""
        return int(self._actor[0])

    @property
    def phase(self) -> Phase:
        """The phase of the current decision."""
        return Phase(int(self._phase[0]))

    @property
    def turn(self) -> str:
        """The letter of the player whose turn it is."""
        return LETTERS[self._games["turn"][0]]

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return bool(self._phase[0] == Phase.OVER)

    @property
    def truncated(self) -> bool:
        """Whether a limit of turns or decisions ended the game."""
        return bool(self._games["truncated"][0])

    def legal_mask(self) -> Mask:
        """Return the action mask, int8[N_ACTIONS], 1 if legal, as a new array."""
        mask = np.empty(N_ACTIONS, np.int8)
        entry_points.legal_mask(self._games, 0, self._rules, mask)
        return mask

    def legal_ids(self) -> list[int]:
        """Return the ids of the legal actions."""
        ids: list[int] = np.flatnonzero(self.legal_mask()).tolist()
        return ids

    def legal_actions(self) -> list[str]:
        """Return the legal actions as text, with seats as letters."""
        return notation.format_actions(self.legal_ids(), self.actor_seat, self.players)

    def text(self, action: int) -> str:
        """Return an action id as text, from the point of view of the current player."""
        return notation.format_action(action, self.actor_seat, self.players)

    def id(self, action: int | str) -> int:
        """Return the id of an action given as text, from the point of view of the current player.

        >>> Game(seed=7).id("roll")
        0

        Raises: IllegalAction if there is no such action.
        """
        try:
            return self._number(action)
        except NotAnAction as problem:
            raise self._illegal(show(action), problem.reason, str(problem)) from None

    def why(self, action: int | str) -> Why:
        """Return ``Why.OK``, or the reason why an action, given as an id or as text, is illegal.

        >>> game = Game(seed=7)
        >>> print(game.why("jail_pay"))
        the player is not in Jail
        >>> game.why("attack:reading").name, game.why("fly").name
        ('NOT_A_STREET', 'NO_SUCH_ACTION')
        """
        try:
            number = self._number(action)
        except NotAnAction as problem:
            over = self.over and problem.reason is not Why.NO_SUCH_ACTION
            return Why.GAME_OVER if over else problem.reason
        if not 0 <= number < N_ACTIONS:
            return Why.NO_SUCH_ACTION
        return Why(entry_points.why(self._games, 0, self._rules, number))

    def _number(self, action: object) -> int:
        if isinstance(action, str):
            return notation.parse_action(action, int(self._actor[0]), self.players)
        number = as_int(action)
        if number is not None:
            return number
        raise NotAnAction(f"an action is an id or text, not {show(action)}")

    # --- playing ---

    def play(
        self,
        action: int | str,
        *,
        dice: Sequence[Any] | None = None,
        card: str | Sequence[str] | None = None,
    ) -> None:
        """Play an action, given as an id or as text, and continue to the next decision.

        ``dice`` sets the roll, or a list of rolls, and ``card`` the id of the drawn card, or a list,
        instead of random ones. The record of the game then starts after this action.

        >>> game = Game(players=2, seed=7)
        >>> game.play("roll")
        >>> for event in game.journal():
        ...     print(event)
        A throws 5 and 3
        A lands on Vermont Avenue
        >>> game.play("build:boardwalk")
        Traceback (most recent call last):
        monopoly_env.game.IllegalAction: build:boardwalk: not possible in this phase; ...

        Raises: IllegalAction with the reason; InputError for impossible dice and cards. In both
        cases the game is unchanged.
        """
        actor = int(self._actor[0])
        try:
            number = action if type(action) is int else self._number(action)
        except NotAnAction as problem:
            raise self._illegal(show(action), problem.reason, str(problem)) from None
        if dice is not None or card is not None:
            self._play_with(number, dice, card)
            return
        if not 0 <= number < N_ACTIONS or entry_points.step(
            self._games, 0, self._rules, self._journals, number
        ):
            self._refuse(number)
        if len(self._history) != self._length:  # copies share the list until one of them plays on
            self._history = self._history[: self._length]
        self._history.append(number * PLAYERS + actor)
        self._length += 1

    def _play_with(self, number: int, dice: object, card: object) -> None:
        """Play an action with the given rolls and cards."""
        if self.why(number) is not Why.OK:
            self._refuse(number)
        throws, cards = chance.read_dice(dice), chance.read_cards(card, self.state)
        played = chance.play_with(self._games, self._rules, number, throws, cards)
        chance.check_used(played, throws, cards)
        self._games[:] = played.games
        if self._journals is not entry_points.NO_JOURNALS:
            self._journals[:] = played.journals
        self._forget(None)

    def chance_outcomes(self, action: int | str = "roll") -> list[ChanceOutcome]:
        """Return the possible dice and cards of a legal action, with probabilities that sum to 1.

        The probabilities use public information only. An action without chance has one empty
        outcome. ``play(action, dice=outcome.dice, card=outcome.cards)`` plays an outcome.

        >>> outcomes = Game(players=2, seed=7).chance_outcomes("roll")
        >>> outcomes[0].dice, round(sum(one.probability for one in outcomes), 9)
        (((1, 1),), 1.0)

        Raises: IllegalAction.
        """
        number = self.id(action)
        if self.why(number) is not Why.OK:
            self._refuse(number)
        return list(chance.outcomes(self._games, self._rules, number))

    def _refuse(self, number: int) -> NoReturn:
        """Raise the error for an action that the rules refuse."""
        reason = self.why(number)
        text = self.text(number) if 0 <= number < N_ACTIONS else show(number)
        raise self._illegal(text, reason, f"{text}: {reason}")

    def _illegal(self, action: str, reason: Why, problem: str) -> IllegalAction:
        """Return the error: the problem, the actor, and the first legal actions."""
        if self.over:
            return IllegalAction(f"{action}: the game is over", action, Why.GAME_OVER)
        legal = self.legal_actions()
        more = f" and {len(legal) - FEW} more" if len(legal) > FEW else ""
        listed = ", ".join(legal[:FEW]) + more
        message = f"{problem}; {self.actor} decides ({self.phase.name}), legal: {listed}"
        return IllegalAction(message, action, reason)

    def journal(self) -> list[Happening]:
        """Return the events since the last action or the start; ``str(event)`` is a sentence."""
        journal = self._journals[0]
        events = [
            (Event(e["kind"]), [int(e[name]) for name in _EVENT_FIELDS])
            for e in journal["events"][: journal["length"]]
        ]
        return happenings(self.edition.names, self._games[0], events)

    # --- copying, hidden information ---

    def copy(self) -> Self:
        """Return an independent copy, with the same position and the same future random numbers."""
        copied: Self = object.__new__(type(self))
        copied.edition = self.edition
        copied.seed = self.seed
        copied._games = games = copy_records(self._games)
        copied._journals = journals = self._journals
        if journals is not entry_points.NO_JOURNALS:
            copied._journals = copy_records(journals)
        copied._rules = self._rules
        copied._actor = games["actor"]
        copied._phase = games["phase"]
        copied._history = self._history
        copied._length = self._length
        copied._start = self._start
        return copied

    __copy__ = copy

    def __deepcopy__(self, _: dict[int, Any]) -> Self:
        return self.copy()

    def copy_from(self, other: Game) -> None:
        """Copy another game into this object, without allocating memory.

        A search can reuse one scratch game this way. It is fastest without a journal.

        >>> game = Game(players=2, seed=7, journal=False)
        >>> scratch = game.copy()
        >>> scratch.play("roll")
        >>> scratch.copy_from(game)
        >>> scratch == game
        True

        Raises: InputError if it is not a Game.
        """
        if not isinstance(other, Game):
            InputError.at("other").fail(f"must be a Game, not {show(other)}")
        copy_at(self._games, 0, other._games, 0)
        self.edition = other.edition
        self._rules = other._rules
        journals = other._journals
        if journals is not entry_points.NO_JOURNALS:
            journals = copy_records(journals)
        self._journals = journals
        self.seed = other.seed
        self._history = other._history
        self._length = other._length
        self._start = other._start

    def wiped(self) -> Game:
        """Return a copy without hidden information (random numbers, order of undrawn cards)."""
        copied = self.copy()
        entry_points.wipe_hidden(copied._games, 0)
        copied._forget(None)
        return copied

    def redraw(self, rng: np.random.Generator | int) -> None:
        """Redraw the hidden information: random numbers and the order of undrawn cards.

        ``rng`` is a NumPy generator or a seed. With a seed, the result depends only on the seed and
        public information. Raises: InputError for anything else.
        """
        if type(rng) is int and 0 <= rng < 2**64:
            seed = rng
        elif isinstance(rng, np.random.Generator):
            bits = rng.bit_generator
            if type(bits) is np.random.PCG64:  # the same number, seven times faster
                seed = bits.random_raw()
            else:
                seed = int(rng.integers(0, 2**64, dtype=np.uint64))
        else:
            seed = InputError.at("rng").index(rng, 0, 2**128 - 1)
        redraw_at(self._games, 0, np.uint64((seed ^ seed >> 64) & 2**64 - 1))
        self._forget(None)

    def __eq__(self, other: object) -> bool:
        """Compare the rules and every field of the GAME records."""
        if not isinstance(other, Game):
            return NotImplemented
        mine, theirs = self._games, other._games
        if self._rules is not other._rules and self._rules.tobytes() != other._rules.tobytes():
            return False
        return bool(mine.tobytes() == theirs.tobytes())

    __hash__ = None  # type: ignore[assignment]  # a Game is mutable

    def __getstate__(self) -> dict[str, Any]:
        names = set(self.__slots__) - {"_actor", "_phase", "_rules", "_journals", "_history"}
        state = {name: getattr(self, name) for name in names}
        journals = None if self._journals is entry_points.NO_JOURNALS else self._journals
        return state | {"_journals": journals, "_history": self._history[: self._length]}

    def __setstate__(self, state: dict[str, Any]) -> None:
        for name, value in state.items():
            setattr(self, name, value)
        if self._journals is None:
            self._journals = entry_points.NO_JOURNALS
        self._rules = self.edition.rules
        self._actor, self._phase = self._games["actor"], self._games["phase"]

    # --- inspecting ---

    @property
    def players(self) -> int:
        """The number of players, 2 to 8, including bankrupt ones."""
        return int(self._games["players"][0])

    @property
    def state(self) -> Any:
        """The GAME record itself, not a copy; docs/state.md lists the fields."""
        return self._games[0]

    @property
    def cash(self) -> tuple[int, ...]:
        """Cash in hand by seat."""
        return tuple(self._games["cash"][0][: self.players].tolist())

    def owner(self, space: str) -> str | None:
        """Return the owner of a deed, given by its space id; None for the Bank."""
        if type(space) is not str or space not in SPACE_IDS:
            known = suggest(str(space)[:50], SPACE_IDS) if type(space) is str else "give its id"
            NoSuchItem.at("space").fail(f"no space {show(space)}; {known}")
        return letter_of(int(self._games["owner"][0][SPACE_IDS.index(space)]))

    def hand(self, player: str | int) -> Hand:
        """Return the holdings of a player, given by letter or seat.

        >>> Game(players=2, seed=7).hand("B").cash
        1500
        """
        if isinstance(player, str):
            seat = notation.seat_of(player, self.players)
        else:
            seat = NoSuchItem.at("player").index(player, 0, self.players - 1)
        return read_hand(self._games, self._rules, seat)

    def hands(self) -> list[Hand]:
        """Return the holdings of each player, in seat order."""
        return [self.hand(seat) for seat in range(self.players)]

    def standings(self) -> list[Standing]:
        """Return the standings by net worth, best first; bankrupt players come last."""
        return read_standings(self._games, self._rules)

    @property
    def winners(self) -> tuple[str, ...]:
        """The winners, several in a tie; empty while the game is running."""
        return winners_in(self._games, self._rules)

    def status(self) -> Status:
        """Return the violated invariants; ``Status(0)`` for every position reached by play."""
        return Status(entry_points.status(self._games, 0, self._rules))

    # --- saving ---

    @property
    def history(self) -> list[tuple[int, int]]:
        """The actions so far as (seat, id)."""
        codes = self._history[: self._length]
        return [(code % PLAYERS, code // PLAYERS) for code in codes]

    def position(self, hidden: bool = True) -> dict[str, Any]:
        """Return the position as data for :meth:`from_position`; see :meth:`to_yaml`."""
        return describe(self._games, self.edition, InputError.at("hidden").flag(hidden))

    def start_position(self) -> dict[str, Any] | None:
        """Return the position from which the game started; None if it started from a seed."""
        if self._start is None:
            return None
        return describe(records_of(self._start, GAME), self.edition)

    def to_yaml(self, hidden: bool = True) -> str:
        """Return the position as readable YAML that loads exactly.

        ``hidden=False`` omits hidden information, which is then redrawn on loading.

        >>> game = Game(seed=7)
        >>> Game.from_yaml(game.to_yaml()) == game
        True
        """
        if self.over:
            note = f"{self.edition.title}: the game is over, won by {' and '.join(self.winners)}"
        else:
            note = f"{self.edition.title}: {self.actor} decides ({self.phase.name})"
        return to_text(self.position(hidden), note)

    def record(self, bots: Iterable[str] = ()) -> dict[str, Any]:
        """Return the game so far as data; :func:`monopoly_env.replay.replay` replays it.

        ``bots`` are the names of the players by seat. Raises: RecordError if it is not a list of names.
        """
        start = self.start_position() if self.seed is None else self.seed
        assert start is not None  # a game starts from a seed or from a position
        return make_record(self._games, self.edition, start, self.history, bots)

    def _repr_svg_(self) -> str:
        """Return the picture for notebooks; :func:`monopoly_env.svg` has more options."""
        from monopoly_env.render.picture import draw

        return draw(self._games, self.edition, self.journal()).svg()

    def __str__(self) -> str:
        return game_text(self._games, self.edition, self.legal_actions())

    def __rich__(self) -> Text:
        """Return the text that rich prints: a map in color, the players and the journal."""
        from rich.text import Text

        head, below = head_text(self.state, self.edition), self.legal_actions()
        text = Text(f"{head}\n", no_wrap=True, overflow="ignore")
        text.append_text(map_text(self.state, self.edition))
        text.append("\n".join(table_lines(self._games, self.edition, below)))
        return text.append("".join(f"\n> {event}" for event in self.journal()))

    def __repr__(self) -> str:
        what = f"{self.edition.id}, {self.edition.mode}, {self.players} players"
        decides = "over" if self.over else f"{self.actor} decides ({self.phase.name})"
        return f"<Game {what}: turn {self.state['turns']}, {decides}>"


_EVENT_FIELDS = ("player", "other", "square", "amount")


def _new_journals(on: bool) -> Any:
    """Return a new journal, or the shared one that records nothing."""
    return new_journals(1) if InputError.at("journal").flag(on) else entry_points.NO_JOURNALS
