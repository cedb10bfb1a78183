"""What a bot may know when it decides: the public position and the legal actions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.compiler.records import Records, copy_records
from monopoly_env.editions import Edition
from monopoly_env.engine.actions import IDS, N_ACTIONS, OFFERS
from monopoly_env.engine.deal_menu import menu_offer
from monopoly_env.engine.entry_points import legal_mask, wipe_hidden
from monopoly_env.engine.state import GAME, Int8s
from monopoly_env.errors import InputError, show
from monopoly_env.events import Happening
from monopoly_env.game import Game
from monopoly_env.notation import format_actions
from monopoly_env.position.public_state import members

FIRST_OFFER = IDS["propose:1"]


@dataclass(frozen=True)
class Offer:
    """A complete offer of the deal menu, as its proposer sees it. Squares 40, 41 are Jail cards."""

    action: int
    partner: int
    give: tuple[int, ...]
    ask: tuple[int, ...]
    cash: int  # cash that the proposer receives; negative if it pays


class View:
    """What a bot may know when it decides. Attributes are computed on first access.

    ``games`` and ``i`` select the game, ``edition`` gives its rules and names. The view copies the
    game without its hidden information, so changing a view does not change the game. Pass ``mask``
    if the legal actions are already known. ``events`` are the events since the seat's last
    decision, in order; empty if the game has no journal.

    >>> game = Game(players=3, seed=7)
    >>> view = View.of(game)
    >>> view.seat, view.legal_actions, view.observation.shape
    (2, ['roll'], (1365,))
    """

    def __init__(
        self,
        games: Records,
        i: int,
        edition: Edition,
        mask: Int8s | None = None,
        events: Iterable[Happening] = (),
    ) -> None:
        _check(games, i, edition)
        self.edition = edition
        try:
            self.events = tuple(events)
        except Exception:  # noqa: BLE001 - a third-party iterator may raise anything
            InputError.at("events").fail(f"must be a list of events, not {show(events)}")
        self.games: Records = copy_records(games[i : i + 1])  # one GAME record
        wipe_hidden(self.games, 0)
        self.seat = int(self.games["actor"][0])
        if mask is not None:
            self.mask = _own_mask(mask)

    @classmethod
    def of(cls, game: Game, events: Iterable[Happening] = ()) -> View:
        """Return the view of the actor of a :class:`monopoly_env.Game`."""
        if not isinstance(game, Game):
            InputError.at("game").fail(f"must be a Game, not {show(game)}")
        return cls(game.state.reshape(1), 0, game.edition, events=events)

    @property
    def record(self) -> Any:
        """The GAME record without hidden information; docs/state.md lists the fields."""
        return self.games[0]

    @property
    def rules(self) -> Any:
        """The read-only RULES record; docs/switches.md lists the fields."""
        return self.edition.rules[0]

    @cached_property
    def mask(self) -> Int8s:
        """The action mask, int8[N_ACTIONS], 1 if legal."""
        mask = np.zeros(N_ACTIONS, np.int8)
        legal_mask(self.games, 0, self.edition.rules, mask)
        return mask

    @cached_property
    def legal_actions(self) -> list[str]:
        """The legal actions as text, in the order of their ids, with seats as letters: ``deal:B``."""
        legal = np.flatnonzero(self.mask).tolist()
        return format_actions(legal, self.seat, int(self.games["players"][0]))

    @cached_property
    def observation(self) -> npt.NDArray[np.float32]:
        """The observation, float32[OBSERVATION_SIZE]."""
        from monopoly_env.encoding.observation import OBSERVATION_SIZE, observe

        row = np.zeros(OBSERVATION_SIZE, np.float32)
        observe(self.games, 0, self.edition.rules, self.seat, row)
        return row

    @cached_property
    def menu(self) -> tuple[Offer, ...]:
        """The legal offers of the deal menu; empty if there are none."""
        legal = np.flatnonzero(self.mask[FIRST_OFFER : FIRST_OFFER + OFFERS])
        return tuple(self._offer(number) for number in legal.tolist())

    def _offer(self, number: int) -> Offer:
        partner, give, ask, cash = menu_offer(self.games[0], self.edition.rules[0], number)
        return Offer(FIRST_OFFER + number, int(partner), members(give), members(ask), int(cash))

    @cached_property
    def game(self) -> Game:
        """A copy of the game to experiment with; call ``redraw(rng)`` first to sample dice and cards."""
        return Game.from_record(self.games, self.edition)


def _check(games: object, i: object, edition: object) -> None:
    """Refuse arguments that compiled code would misread. Raises: InputError."""
    dtype = getattr(games, "dtype", None)
    if (
        not isinstance(games, np.ndarray)
        or games.ndim != 1
        or (dtype is not GAME and dtype != GAME)
    ):
        InputError.at("games").fail(f"must be an array of GAME records, not {show(games)}")
    if type(i) is not int or not 0 <= i < len(games):
        InputError.at("i").index(i, 0, len(games) - 1)
    if not isinstance(edition, Edition):
        InputError.at("edition").fail(f"must be an Edition that is loaded, not {show(edition)}")


def _own_mask(mask: object) -> Int8s:
    """Return a copy of the action mask. Raises: InputError."""
    if not isinstance(mask, np.ndarray) or mask.shape != (N_ACTIONS,) or mask.dtype != np.int8:
        InputError.at("mask").fail(f"must be int8[{N_ACTIONS}], not {show(mask)}")
    return mask.copy()
