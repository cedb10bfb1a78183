"""The course of a running game, moment by moment, as the data that a page shows.

Moment t is the game after t actions. Everything here is public: neither the seed nor the order of
the decks is included.
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
from monopoly_training.web.moments import PER_MILLE, WHY_FIRST, table_row
from monopoly_training.web.page_data import decision_data, event_data


class Course:
    """All moments of a game so far."""

    def __init__(self, game: Game) -> None:
        self.rows: list[npt.NDArray[np.int64]] = []
        self.phases: list[Phase] = []  # the phase at each moment
        self.moments: list[dict[str, Any]] = []
        self.note(game, -1)

    def note(self, game: Game, action: int) -> None:
        """Add the moment that an action has led to; -1 stands for the first moment."""
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
    """Return the differences of two rows, as place, value, place and so on."""
    places = np.flatnonzero(before != after)
    found: list[int] = np.stack([places, after[places]], axis=1).ravel().tolist()
    return found


def asked(game: Game) -> dict[str, Any]:
    """Return the current decision: each legal action in words, and the reasons against the rest."""
    games, rules = game.state.reshape(1), game.edition.rules
    view = View.of(game)
    reasons = np.zeros(N_ACTIONS, np.int8)
    write_reasons(games, rules, reasons)
    question: dict[str, Any] = {
        "seat": view.seat,
        "phase": game.phase.name,
        "legal": [[one.action, one.text, one.meaning, one.effect] for one in choices(view)],
        "reasons": "".join(chr(WHY_FIRST + int(reason)) for reason in reasons),
    }
    if game.phase is Phase.DEBT:
        due, most = debt_figures(games, rules)
        question["debt"] = {"due": int(due), "most": int(most)}
    if game.phase is Phase.AUCTION:
        question["bid"] = {
            "standing": int(game.state["bid"]),
            "opening": int(game.state["opening"]),
        }
    if game.phase is Phase.ANSWER:
        question["chances"] = chances_after(game)
    if game.phase in (Phase.DEAL, Phase.ANSWER):
        state = game.state
        cash = int(state["deal_ask_cash"]) - int(state["deal_give_cash"])
        question["offer"] = {
            "proposer": int(state["proposer"]),
            "partner": int(state["partner"]),
            "cash": cash,
        }
    return question


def chances_after(game: Game) -> dict[str, list[int]]:
    """Return all win probabilities, in thousandths, now and after the current offer is accepted."""
    then = game.copy()
    then.play("accept")
    return {"now": per_mille(game), "then": per_mille(then)}


def per_mille(game: Game) -> list[int]:
    """Return all win probabilities in thousandths."""
    found: list[int] = np.rint(PER_MILLE * win_chances(game)).astype(np.int64).tolist()
    return found


@jit
def debt_figures(games: Records, rules_: Records) -> tuple[int, int]:
    """Return what the actor owes, and its cash after selling and mortgaging everything, in $."""
    game, rules = games[0], rules_[0]
    return total_due(game, top(game)), raisable(game, rules, game.actor)
