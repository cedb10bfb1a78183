"""Who won, in RLlib's metrics: returns alone do not say, as shaping is in them."""

from __future__ import annotations

from typing import Any

from ray.rllib.callbacks.callbacks import RLlibCallback


class Standings(RLlibCallback):  # type: ignore[misc]  # no types there
    """Logs ``win_rate`` and ``rank``, under ``env_runners``, of the games that ended in an iteration.

    Where every seat is an agent, ``win_rate_MODULE`` and ``rank_MODULE`` are those of a seat that
    the module plays, on average. Early games mislead: those that end soon end by bankruptcies.
    """

    def on_episode_end(self, *, episode: Any, metrics_logger: Any, **_: Any) -> None:
        """Log how a game went."""
        if not hasattr(episode, "agent_episodes"):
            _log(metrics_logger, "", episode.get_infos(-1))
            return
        for one in episode.agent_episodes.values():
            _log(metrics_logger, f"_{one.module_id}", one.get_infos(-1))


def _log(logger: Any, module: str, info: dict[str, Any]) -> None:
    """Log how a game went for a seat; an agent that was out before the end does not say."""
    if "win" in info:
        logger.log_value(f"win_rate{module}", float(info["win"]), reduce="mean")
        logger.log_value(f"rank{module}", float(info["rank"]), reduce="mean")
