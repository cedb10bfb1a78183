"""Export a dataset to Minari, the Farama Foundation's format for offline RL."""

from __future__ import annotations

import shutil
import warnings
from collections.abc import Collection, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np

from monopoly_env.errors import InputError
from monopoly_env.extras import need
from monopoly_training.dataset.episodes import Episode, check_reward, episodes, table_options
from monopoly_training.dataset.reader import info

ENVIRONMENT = "monopoly_env/Monopoly-v0"


def to_minari(
    folder: str | Path,
    dataset_id: str,
    bots: Collection[str] | None = None,
    seats: Collection[int] | None = None,
    reward: str = "win",
    narrow: bool = False,
) -> Any:
    """Write a dataset to Minari's local storage and return the ``MinariDataset``.

    Observations are dictionaries with ``observation`` and ``action_mask``, as in the single-agent
    environment with ``observation="dict"``. ``recover_environment()`` creates that environment,
    with the other bots of the line-up as opponents. Minari expects one more observation than
    actions: the one after the game is all zeros, with an empty mask. One episode is in memory at a
    time.

    Args: as for :func:`monopoly_training.dataset.episodes.episodes`; ``dataset_id`` is a Minari id
    such as ``monopoly/veteran-v0``.

    Raises: MissingExtra without the extra ``minari``; FileError and InputError, one line, for an
    invalid dataset, or an id that is invalid or taken.
    """
    minari = need("convert", "minari")
    about = info(folder)
    check_reward(reward)
    whole = episodes(folder, bots, seats, reward, narrow)
    first = next(whole)  # surfaces invalid data or arguments before Minari writes anything
    env: Any = gymnasium.make(ENVIRONMENT, **environment_options(about, bots, reward, narrow))
    place = _free_place(dataset_id)
    made = False
    try:
        with warnings.catch_warnings():
            # about author_email and the like
            warnings.filterwarnings("ignore", message=".* is set to None")
            data = minari.create_dataset_from_buffers(
                dataset_id,
                _buffers(first, whole),
                env=env,
                eval_env=env,
                algorithm_name=", ".join(bots or about["bots"]),
                author="monopoly-env",
                description=f"Decisions of {', '.join(bots or about['bots'])} in Monopoly, written "
                f"by monopoly-env {about['code']['version']}; reward: {reward}.",
                requirements=[f"monopoly-env=={about['code']['version']}"],
            )
        made = True
    finally:
        env.close()
        if not made:
            shutil.rmtree(place, ignore_errors=True)
    return data


def _free_place(dataset_id: str) -> Path:
    """Return Minari's path for a new dataset. Raises: InputError for an invalid or existing id."""
    from minari.dataset.minari_dataset import parse_dataset_id
    from minari.storage import get_dataset_path

    location = InputError.at("minari")
    try:
        parse_dataset_id(dataset_id)
    except ValueError as problem:
        location.fail(" ".join(str(problem).split()))
    place = Path(get_dataset_path(dataset_id))
    if place.exists():
        location.fail(
            f"{dataset_id} is there already, in {place}; name another, such as one of -v1"
        )
    return place


def environment_options(
    about: dict[str, Any], bots: Collection[str] | None, reward: str, narrow: bool
) -> dict[str, Any]:
    """Return the arguments of an environment like the one in which the data's bots played."""
    table = table_options(about)
    kept = set(bots or about["bots"][:1])
    others = [bot for bot in about["bots"] if bot not in kept] or about["bots"]
    return {
        "edition": table.edition,
        "mode": table.mode,
        "rules": dict(table.rules or {}),
        "opponents": list(islice(cycle(others), about["players"] - 1)),
        "narrow": narrow,
        "observation": "dict",
    } | ({} if reward == "worth_share" else {"reward": {"end": reward, "truncation": "standings"}})


def _buffers(first: Episode, others: Iterator[Episode]) -> Iterator[Any]:
    """Yield episodes as Minari buffers, one at a time."""
    yield _buffer(first)
    for episode in others:
        yield _buffer(episode)


def _buffer(episode: Episode) -> Any:
    from minari.data_collector.episode_buffer import EpisodeBuffer

    def with_last(rows: Any) -> Any:
        return np.concatenate([rows, np.zeros_like(rows[:1])])

    return EpisodeBuffer(
        seed=episode.seed,
        options={"game": episode.game, "seat": episode.seat, "bot": episode.bot},
        observations={
            "observation": with_last(episode.observations),
            "action_mask": with_last(episode.masks),
        },
        actions=episode.actions,
        rewards=episode.rewards,
        terminations=episode.terminals,
        truncations=episode.truncations,
    )
