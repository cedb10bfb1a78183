"""Convert a dataset for Minari or d3rlpy."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    data: Annotated[Path, typer.Argument(help="A dataset folder of monopoly-env generate.")],
    minari: Annotated[
        str | None,
        typer.Option(
            metavar="ID", help="Write the Minari dataset with this id, such as monopoly/mine-v0."
        ),
    ] = None,
    d3rlpy: Annotated[
        Path | None,
        typer.Option(metavar="FILE", help="Write a d3rlpy replay buffer, an HDF5 file."),
    ] = None,
    bots: Annotated[
        str | None, typer.Option(help="Keep only episodes of these bots, comma-separated.")
    ] = None,
    reward: Annotated[
        str, typer.Option(help="Final reward: win, plus_minus, win_only or worth_share.")
    ] = "win",
    narrow: Annotated[
        bool,
        typer.Option(help="Drop features and actions that cannot occur."),
    ] = True,
) -> None:
    """Convert a dataset to episodes for Minari (extra minari) or d3rlpy.

    An episode has the decisions of one seat in one game; see docs/dataset.md.
    """
    from monopoly_env.errors import InputError
    from monopoly_training.common.bot_lists import split_names
    from monopoly_training.dataset.d3rlpy_export import to_d3rlpy, write_d3rlpy
    from monopoly_training.dataset.minari_export import to_minari

    if (minari is None) == (d3rlpy is None):
        InputError.at("convert").fail("give --minari ID or --d3rlpy FILE, one of them")
    kept = tuple(split_names(bots, "--bots")) if bots is not None else None
    if minari is not None:
        made = to_minari(data, minari, kept, reward=reward, narrow=narrow)
        typer.echo(f"{made.total_episodes:,} episodes, {made.total_steps:,} decisions: {minari}")
    if d3rlpy is not None:
        buffer = to_d3rlpy(data, kept, reward=reward, narrow=narrow)
        write_d3rlpy(buffer, d3rlpy)
        typer.echo(
            f"{buffer.size():,} episodes, {buffer.transition_count:,} decisions; written: {d3rlpy}"
        )
