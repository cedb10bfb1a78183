"""Win rates and ranks in RLlib's metrics; returns do not show them, since they include shaping."""

from __future__ import annotations

from typing import Any

from ray.rllib.callbacks.callbacks import RLlibCallback


class Standings(RLlibCallback):  # type: ignore[misc]  # RLlib has no types
    """Logs the mean ``win_rate`` and ``rank`` of an iteration's finished games (``env_runners``).

    With several agents, ``win_rate_MODULE`` and ``rank_MODULE`` are means over the seats that a
    module plays. Early iterations are biased: games that end soon end by bankruptcy.
    """

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **_: Any) -> None:
        """Log the result of a game."""
        if not hasattr(episode, "agent_episodes"):
            _log(metrics_logger, "", episode.get_infos(-1))
            return
        for one in episode.agent_episodes.values():
            _log(metrics_logger, f"_{one.module_id}", one.get_infos(-1))


def _log(logger: Any, module: str, info: dict[str, Any]) -> None:
    """Log a seat's result; an agent without one was eliminated before the end."""
    if "win" in info:
        logger.log_value(f"win_rate{module}", float(info["win"]), reduce="mean")
        logger.log_value(f"rank{module}", float(info["rank"]), reduce="mean")
