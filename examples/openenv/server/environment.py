"""The environment behind the server: one text game per session."""

from typing import Any
from uuid import uuid4

from monopoly_openenv.models import MonopolyAction, MonopolyObservation, MonopolyState
from monopoly_training.common.bot_lists import split_names
from monopoly_training.language_models.scores import scores

from monopoly_env.text.env import TextEnv
from openenv.core.env_server.interfaces import Environment

OPPONENTS = "background,background,background"


class MonopolyEnvironment(Environment[MonopolyAction, MonopolyObservation, MonopolyState]):
    """One seat of a game against bots; the reward comes at the end, +1 for a win."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self) -> None:
        super().__init__()
        self._env: TextEnv | None = None
        self._id, self._steps, self._seed = "", 0, None

    def reset(
        self, seed: int | None = None, episode_id: str | None = None, **options: Any
    ) -> MonopolyObservation:
        """Start a game. ``options``: comma-separated ``opponents``, and TextEnv's."""
        bots = split_names(options.pop("opponents", OPPONENTS), "opponents")
        self._env = TextEnv(options.pop("preset", "short"), opponents=bots, **options)
        shown, info = self._env.reset(seed=seed)
        self._id, self._steps, self._seed = episode_id or str(uuid4()), 0, info["game_seed"]
        instructions = f"{self._env.instructions}\n{self._env.guide}"
        return self._observation(shown, info, instructions=instructions)

    def step(
        self,
        action: MonopolyAction,
        timeout_s: float | None = None,  # noqa: ARG002 - OpenEnv gives it
        **kwargs: Any,  # noqa: ARG002
    ) -> MonopolyObservation:
        """Process an answer, and play on to the next decision."""
        if self._env is None:
            self.reset()
        self._steps += 1
        shown, reward, terminated, truncated, info = self._env.step(action.answer)
        done = terminated or truncated
        ended = {"done": True, "scores": scores(self._env)} if done else {}
        return self._observation(shown, info, reward=reward, **ended)

    def _observation(self, shown: str, info: dict[str, Any], **more: Any) -> MonopolyObservation:
        return MonopolyObservation(
            text=shown,
            legal_actions=info["legal_actions"],
            answer_schema=self._env.answer_schema(),
            tries_left=info["tries_left"],
            played=info["played"],
            **more,
        )

    @property
    def state(self) -> MonopolyState:
        """The state of the game."""
        if self._env is None:
            return MonopolyState()
        ((seat, row),) = self._env.results().items()
        return MonopolyState(
            episode_id=self._id,
            step_count=self._steps,
            seat=seat,
            seed=self._seed,
            counts=row["counts"],
        )
