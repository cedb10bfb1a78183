"""A game as it goes on, moment by moment, as the data that a page shows.

Moment t is the game after t actions. Everything here is public: neither the seed nor the order of
the decks is part of it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.bots.explain import choices
from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import Records
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.agenda import top
from monopoly_env.engine.debt import total_due
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.worth import raisable
from monopoly_env.game import Game
from monopoly_env.render.decision import decision_of
from monopoly_env.value.chances import win_chances
from monopoly_env.view import View
from monopoly_training.web.figures import write_reasons
from monopoly_training.web.head import decision_data, event_data
from monopoly_training.web.moments import PER_MILLE, WHY_FIRST, table_row


class Course:
    """All moments of a game so far."""

    def __init__(self, game: Game) -> None:
        self.rows: list[npt.NDArray[np.int64]] = []
        self.phases: list[Phase] = []  # what was decided at each moment
        self.moments: list[dict[str, Any]] = []
        self.note(game, -1)

    def note(self, game: Game, action: int) -> None:
        """The next moment, to which an action has led; -1: the first one."""
        games = game.state.reshape(1)
        row = table_row(games, game)
        self.phases.append(game.phase)
        self.moments.append(
            {
                "row": row.tolist() if not self.rows else _changes(self.rows[-1], row),
                "decision": decision_data(decision_of(games, game.edition)),
                "events": event_data(game.journal()),
                "action": action,
            }
        )
        self.rows.append(row)

    def __len__(self) -> int:
        return len(self.moments)


def _changes(before: npt.NDArray[np.int64], after: npt.NDArray[np.int64]) -> list[int]:
    """What differs, as place, value, place and so on."""
    places = np.flatnonzero(before != after)
    found: list[int] = np.stack([places, after[places]], axis=1).ravel().tolist()
    return found


def asked(game: Game) -> dict[str, Any]:
    """What whoever decides is asked: each legal action in words, and the reasons against the rest."""
    games, rules = game.state.reshape(1), game.edition.rules
    view = View.of(game)
    reasons = np.zeros(N_ACTIONS, np.int8)
    write_reasons(games, rules, reasons)
    told: dict[str, Any] = {
        "seat": view.seat,
        "phase": game.phase.name,
        "legal": [[one.action, one.text, one.meaning, one.effect] for one in choices(view)],
        "reasons": "".join(chr(WHY_FIRST + int(reason)) for reason in reasons),
    }
    if game.phase is Phase.DEBT:
        due, most = debt_figures(games, rules)
        told["debt"] = {"due": int(due), "most": int(most)}
    if game.phase is Phase.AUCTION:
        told["bid"] = {"standing": int(game.state["bid"]), "opening": int(game.state["opening"])}
    if game.phase is Phase.ANSWER:
        told["chances"] = chances_after(game)
    if game.phase in (Phase.DEAL, Phase.ANSWER):
        state = game.state
        cash = int(state["deal_ask_cash"]) - int(state["deal_give_cash"])
        told["offer"] = {
            "proposer": int(state["proposer"]),
            "partner": int(state["partner"]),
            "cash": cash,
        }
    return told


def chances_after(game: Game) -> dict[str, list[int]]:
    """Everybody's chance to win, in thousandths, now and once the offer at hand is accepted."""
    then = game.copy()
    then.play("accept")
    return {"now": per_mille(game), "then": per_mille(then)}


def per_mille(game: Game) -> list[int]:
    """Everybody's chance to win in thousandths."""
    found: list[int] = np.rint(PER_MILLE * win_chances(game)).astype(np.int64).tolist()
    return found


@jit
def debt_figures(games: Records, rules_: Records) -> tuple[int, int]:
    """What the actor owes, and the cash once everything is sold and mortgaged, both in $."""
    game, rules = games[0], rules_[0]
    return total_due(game, top(game)), raisable(game, rules, game.actor)
