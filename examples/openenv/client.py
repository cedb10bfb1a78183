"""The client: one session on the server, kept open between steps."""

from typing import Any

from monopoly_openenv.models import MonopolyAction, MonopolyObservation, MonopolyState

from openenv.core import EnvClient
from openenv.core.client_types import StepResult


class MonopolyClient(EnvClient[MonopolyAction, MonopolyObservation, MonopolyState]):
    """Plays one seat. Use ``client.sync()`` in synchronous programs.

    ``reset(seed=…, opponents="background,random", preset="short")`` starts a game; all are
    optional.
    """

    def _step_payload(self, action: MonopolyAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[MonopolyObservation]:
        reward, done = payload.get("reward"), payload.get("done", False)
        shown = {**payload.get("observation", {}), "reward": reward, "done": done}
        return StepResult(MonopolyObservation(**shown), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> MonopolyState:
        return MonopolyState(**payload)
