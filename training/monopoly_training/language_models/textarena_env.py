"""Monopoly for TextArena: several models play each other, with bots in the other seats.

``textarena`` must be installed (the extra ``textarena``).
"""

from __future__ import annotations

from typing import Any

from monopoly_env.extras import need
from monopoly_env.notation import LETTERS
from monopoly_env.text.env import TextEnv

ta: Any = need("textarena_env", "textarena")
NAME = "Monopoly-v0"


class MonopolyArena(ta.Env):  # type: ignore[misc]  # textarena has no types
    """A TextArena game for 1 to 8 players, in seats A, B, and so on; bots have the other seats.

    Observations are messages: first the instructions and the guide, then the player's decisions. An
    unusable answer costs a try; after the last one, an action is chosen and the player's
    ``game_info`` records it. Rewards are those of :class:`TextEnv`.

    Args:
        preset: as for :class:`TextEnv`.
        bots: number of seats with bots.
        bot: the bot in these seats.
        options: as for :class:`TextEnv`.
    """

    def __init__(
        self, preset: str = "short", bots: int = 2, bot: str = "background", **options: Any
    ) -> None:
        self._preset, self._bots, self._options = preset, [bot] * bots, options
        self.state: Any = None
        self._env: TextEnv | None = None

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Start a game. Raises: InputError for an invalid number of players."""
        seats = LETTERS[:num_players]
        self._env = TextEnv(self._preset, seats=seats, opponents=self._bots, **self._options)
        shown, info = self._env.reset(seed=seed)
        names = {player: f"Player {letter}" for player, letter in enumerate(seats)}
        self.state = ta.State(num_players=num_players, seed=seed)
        self.state.standard_resets(game_state={}, role_mapping=names)
        for player in range(num_players):
            about = f"{self._env.instructions_for(LETTERS[player])}\n{self._env.guide}"
            self.state.add_observation(about, ta.ObservationType.PROMPT, to_id=player)
        self._show(shown, info)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Apply the current player's answer."""
        assert self._env is not None
        player = self.state.current_player_id
        self.state.add_observation(
            action, ta.ObservationType.PLAYER_ACTION, from_id=player, to_id=player
        )
        shown, _, terminated, truncated, info = self._env.step(action)
        self.state.game_info[player]["turn_count"] += 1
        self.state.game_info[player]["invalid_move"] |= info["by"] == "fallback"
        if terminated or truncated:
            self._end(info)
        else:
            self._show(shown, info)
        done, _ = self.state.step()
        return done, info

    def _show(self, shown: str, info: dict[str, Any]) -> None:
        """Show a question to its player."""
        player = LETTERS.index(info["seat"])
        self.state.current_player_id = player
        self.state.add_observation(shown, ta.ObservationType.GAME_BOARD, to_id=player)

    def _end(self, info: dict[str, Any]) -> None:
        """Assign rewards and results."""
        results = info["results"]
        self.state.rewards = {LETTERS.index(seat): row["gain"] for seat, row in results.items()}
        for seat, row in results.items():
            about = {"rank": row["rank"], "win": row["win"], "counts": row["counts"]}
            self.state.game_info[LETTERS.index(seat)] |= about
        self.state.done = True


def register() -> None:
    """Register the environment as ``Monopoly-v0``; repeated calls have no effect."""
    from textarena.envs.registration import ENV_REGISTRY

    if NAME not in ENV_REGISTRY:
        ta.register(NAME, MonopolyArena)
