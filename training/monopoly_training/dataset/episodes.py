"""Read a dataset as episodes: one seat's observations, actions and rewards in one game."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from monopoly_env.encoding.blocks import OBSERVATION_SIZE
from monopoly_env.encoding.features import used_actions, used_columns
from monopoly_env.engine.actions import N_ACTIONS
from monopoly_env.engine.state import Float32s, Int8s, Int32s, Int64s
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import FileError, InputError
from monopoly_training.dataset.reader import FILE, Arrays, info, read

Bools = npt.NDArray[np.bool_]
REWARDS = ("win", "plus_minus", "win_only", "worth_share")
DECIDED = ("game", "seed", "bot", "seat", "decision", "action", "mask", "observation")


@dataclass(frozen=True, eq=False)
class Episode:
    """The decisions of one seat in one game, in order: ``n`` of them.

    Attributes:
        game: number of the game in the dataset.
        seed: of the game.
        seat: 0 is A.
        bot: the bot that decided.
        decisions: int32[n], the number of each action in the game.
        observations: float32[n, columns].
        masks: int8[n, actions], 1 is legal.
        actions: int64[n], the actions taken.
        rewards: float32[n], 0 except for the last.
        terminals: bool[n], True at the last decision if the rules ended the game for this seat.
        truncations: bool[n], True at the last decision if a limit ended it; standings are rewarded.
    """

    game: int
    seed: int
    seat: int
    bot: str
    decisions: Int32s
    observations: Float32s
    masks: Int8s
    actions: Int64s
    rewards: Float32s
    terminals: Bools
    truncations: Bools

    def __len__(self) -> int:
        return len(self.actions)


@dataclass(frozen=True)
class EpisodeSpace:
    """The columns and actions of episodes.

    ``columns`` and ``action_ids`` are None for all of them, or those that ``narrow`` keeps.
    """

    columns: Int64s | None
    action_ids: Int64s | None

    @property
    def actions(self) -> int:
        """Number of actions."""
        return N_ACTIONS if self.action_ids is None else len(self.action_ids)

    @property
    def width(self) -> int:
        """Length of an observation and its mask together."""
        columns = OBSERVATION_SIZE if self.columns is None else len(self.columns)
        return columns + self.actions

    def of(self, rows: Arrays) -> Arrays:
        """Select the observations, masks and actions of some rows."""
        seen, mask, actions = rows["observation"], rows["mask"], rows["action"].astype(np.int64)
        if self.columns is not None and self.action_ids is not None:
            seen, mask = seen[:, self.columns], mask[:, self.action_ids]
            actions = np.searchsorted(self.action_ids, actions)
        return {"observations": seen, "masks": mask, "actions": actions}


def episode_space(folder: str | Path, narrow: bool = True) -> EpisodeSpace:
    """Return the columns and actions of :func:`episodes` for a dataset. Raises: FileError."""
    if not narrow:
        return EpisodeSpace(None, None)
    about = info(folder)
    editions = table_options(about).editions()
    return EpisodeSpace(used_columns(about["players"], editions), used_actions(editions))


def table_options(about: dict[str, Any]) -> TableOptions:
    """Return the options of the games in a dataset."""
    config = about["config"]
    return TableOptions(
        edition=config["edition"],
        mode=config["mode"],
        num_players=about["players"],
        rules=config["rules"],
    )


def episodes(
    folder: str | Path,
    bots: Collection[str] | None = None,
    seats: Collection[int] | None = None,
    reward: str = "win",
    narrow: bool = False,
    batch_size: int = 4096,
) -> Iterator[Episode]:
    """Yield the episodes of a dataset, one per seat and game, game by game.

    At most one batch of rows and one game are in memory. Decisions that the dataset omits, such as
    forced ones (one legal action), are not steps of the episode.

    Args:
        folder: a dataset written by ``monopoly-env generate``.
        bots: keep only these bots' episodes.
        seats: keep only these seats' episodes.
        reward: given at the last decision. ``win``: 1 for the winner, -1 / (players - 1) for the
            others; ``plus_minus``: 1 and -1; ``win_only``: 1 and 0; tied winners share.
            ``worth_share``: the share of all net worth, 0 if bankrupt.
        narrow: drop columns and actions that cannot occur in these games, as environments with
            ``narrow=True`` do; actions are then indices into the remaining ones.
        batch_size: rows read at a time.

    Raises: FileError, one line, for an incomplete dataset, or one without observations; InputError
    for an unknown bot, seat or reward.
    """
    about = info(folder)
    check_reward(reward)
    if not about["observations"]:
        FileError.at(Path(folder) / FILE).fail(
            "has no observations; generate the data without --no-observations"
        )
    space = episode_space(folder, narrow)
    columns = [*DECIDED, "win", "worth_share", "truncated"]
    kept: list[Arrays] = []
    for rows in read(folder, batch_size, bots, seats, columns):
        cuts = np.flatnonzero(np.diff(rows["game"])) + 1
        for begin, end in zip([0, *cuts], [*cuts, len(rows["game"])], strict=True):
            if kept and kept[0]["game"][0] != rows["game"][begin]:
                yield from _of_game(kept, about["players"], reward, space)
                kept = []
            kept.append({name: values[begin:end] for name, values in rows.items()})
    yield from _of_game(kept, about["players"], reward, space)


def check_reward(reward: str) -> None:
    """Raise a one-line InputError for an unknown reward."""
    if reward not in REWARDS:
        InputError.at("reward").fail_unknown(reward, "reward", REWARDS)


def _of_game(
    kept: list[Arrays], players: int, reward: str, space: EpisodeSpace
) -> Iterator[Episode]:
    """Yield the episodes of the seats of one game."""
    if not kept:
        return
    game = {name: np.concatenate([rows[name] for rows in kept]) for name in kept[0]}
    for seat in np.unique(game["seat"]).tolist():
        rows = {name: values[game["seat"] == seat] for name, values in game.items()}
        n = len(rows["seat"])
        paid, terminal, truncated = np.zeros(n, np.float32), np.zeros(n, bool), np.zeros(n, bool)
        paid[-1] = _pay(rows, players, reward)
        # otherwise the seat was bankrupt before
        truncated[-1] = rows["truncated"][0] and rows["worth_share"][0] > 0
        terminal[-1] = not truncated[-1]
        yield Episode(
            game=int(rows["game"][0]),
            seed=int(rows["seed"][0]),
            seat=seat,
            bot=str(rows["bot"][0]),
            decisions=rows["decision"],
            **space.of(rows),
            rewards=paid,
            terminals=terminal,
            truncations=truncated,
        )


def _pay(rows: Arrays, players: int, reward: str) -> float:
    """Return the seat's reward, as the environments' rewards of these names define it."""
    share = float(rows["win"][0])
    if reward == "win":
        return (players * share - 1) / (players - 1)
    if reward == "plus_minus":
        return 2 * share - 1
    return share if reward == "win_only" else float(rows["worth_share"][0])
