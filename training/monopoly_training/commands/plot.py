"""Plot the learning curves of training runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    runs: Annotated[list[Path], typer.Argument(help="Folders of training runs.")],
    out: Annotated[Path, typer.Option(help="PNG file to write.")] = Path("curves.png"),
    by: Annotated[str, typer.Option(help="X axis: steps or seconds.")] = "steps",
) -> None:
    """Plot learning curves: win rates on fixed seeds during training.

    A single run shows 95% intervals. Runs that differ only in their seed become one line, the mean,
    with a band from minimum to maximum. Needs the extra eval.
    """
    from monopoly_env.errors import InputError
    from monopoly_env.extras import require
    from monopoly_training.evaluation.learning_curve import runs_by_config
    from monopoly_training.evaluation.plots import plot_curves

    if by not in ("steps", "seconds"):
        InputError.at("--by").fail(f"must be steps or seconds, not {by!r}")
    require("plot", "matplotlib")
    plot_curves(runs_by_config(runs), out, by)
    typer.echo(f"written: {out}")
