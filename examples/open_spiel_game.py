"""Monopoly as a Python game for OpenSpiel, with explicit chance nodes.

Import this module, then ``pyspiel.load_game("monopoly_env(players=3,max_turns=200,deals=menu)")``.
An action that brings dice or cards is followed by a chance node with one outcome for each possible
result. Seat 0 begins. Holdings and draws are public, so there is no private information; the order
of undrawn cards is chance. If a limit ends the game, the standings decide.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pyspiel

from monopoly_env import Game, load_edition
from monopoly_env.encoding.observation import OBSERVATION_SIZE, observe
from monopoly_env.learners import N_ACTIONS

DECISIONS_A_TURN = 40  # limit of the average; the rules end a longer game
MOST_OUTCOMES = 4096  # limit per action; a throw has about 140
DEFAULTS = {"players": 2, "max_turns": 100, "deals": "off", "edition": "classic"}

GAME_TYPE = pyspiel.GameType(
    short_name="monopoly_env",
    long_name="Monopoly",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.PERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=8,
    min_num_players=2,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification=DEFAULTS,
)


class MonopolyGame(pyspiel.Game):
    """The game: its rules, and constants that hold for all its states."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = {**DEFAULTS, **(params or {})}
        self.players, turns = int(given["players"]), int(given["max_turns"])
        decisions = DECISIONS_A_TURN * turns
        rules = {
            "max_turns": turns,
            "max_decisions": decisions,
            "deals": given["deals"],
            "windows": "own",
            "max_players": 8,
        }
        self.edition = load_edition(str(given["edition"]), rules=rules)
        info = pyspiel.GameInfo(
            num_distinct_actions=N_ACTIONS,
            max_chance_outcomes=MOST_OUTCOMES,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=decisions,
        )
        super().__init__(GAME_TYPE, info, given)

    def new_initial_state(self) -> MonopolyState:
        """Return the start of a game; seat 0 is about to throw."""
        return MonopolyState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Observer:
        """Return an observer: the environments' observation, and the position as text."""
        recall = bool(iig_obs_type is not None and iig_obs_type.perfect_recall)
        return Observer(self, recall, params)


class MonopolyState(pyspiel.State):
    """A position, or, between an action and its chance outcome, a position with that action."""

    def __init__(self, game: MonopolyGame) -> None:
        super().__init__(game)
        position = {"players": game.players, "turn": "A"}
        start = Game.from_position(
            {**position, "rules": dict(game.edition.overrides), "edition": game.edition.id},
            seed=0,
            journal=False,
        )
        self.game = start
        self.pending: int | None = None  # an action whose dice or cards are not drawn yet
        self._outcomes: Any = None

    def current_player(self) -> int:
        """Return the player who decides, or chance while an action is pending."""
        if self.game.over:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if self.pending is not None else self.game.actor_seat

    def _legal_actions(self, player: int) -> list[int]:
        """Return the ids of the legal actions."""
        return self.game.legal_ids() if player == self.game.actor_seat else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes as (number, probability)."""
        return [(number, one.probability) for number, one in enumerate(self._outcomes)]

    def _apply_action(self, action: int) -> None:
        """Apply a player's action, or the number of a chance outcome."""
        if self.pending is None:
            outcomes = self.game.chance_outcomes(int(action))
            self.pending, self._outcomes = int(action), outcomes
            if len(outcomes) > 1:
                return
            action = 0
        outcome = self._outcomes[int(action)]
        self.game.play(self.pending, dice=outcome.dice, card=outcome.cards)
        self.pending = self._outcomes = None

    def _action_to_string(self, player: int, action: int) -> str:
        """Return an action in the notation of the rules; chance outcomes as dice and cards."""
        if player != pyspiel.PlayerId.CHANCE:
            return self.game.text(int(action))
        outcome = self._outcomes[int(action)]
        return " ".join([*(f"{one}+{other}" for one, other in outcome.dice), *outcome.cards])

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.game.over

    def returns(self) -> list[float]:
        """Return 1 for the winner, and the same loss for all others; ties share the win."""
        players, winners = self.game.players, self.game.winners
        if not winners:
            return [0.0] * players
        share = players / len(winners)
        return [
            ((share if s in winners else 0.0) - 1) / (players - 1) for s in "ABCDEFGH"[:players]
        ]

    def __str__(self) -> str:
        waiting = (
            "" if self.pending is None else f"\n{self.game.text(self.pending)}: chance is next"
        )
        return f"{self.game}{waiting}"


class Observer:
    """The environments' observation, float32[1365], from one player's view."""

    def __init__(self, game: MonopolyGame, recall: bool, params: Any) -> None:
        if params:
            raise ValueError(f"observation parameters are not supported: {params}")
        self._rules, self._recall = game.edition.rules, recall
        self.tensor = np.zeros(OBSERVATION_SIZE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MonopolyState, player: int) -> None:
        """Write the observation of ``player``."""
        observe(state.game.state.reshape(1), 0, self._rules, player, self.tensor)

    def string_from(self, state: MonopolyState, player: int) -> str:
        """Return the position as text, or with perfect recall the history (all is public)."""
        return f"{player} {state.history_str()}" if self._recall else f"{player}\n{state}"


pyspiel.register_game(GAME_TYPE, MonopolyGame)
