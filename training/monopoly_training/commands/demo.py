"""Train a small agent and evaluate it against bots, in a few minutes."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    out: Annotated[Path, typer.Option(help="Output folder.")] = Path("runs/demo"),
    config: Annotated[str, typer.Option(help="Training config.")] = "quick",
    changes: Annotated[
        list[str] | None, typer.Option("--set", help="Change a setting of the config: key=value.")
    ] = None,
) -> None:
    """Train a small agent and evaluate it against bots. Replaces an earlier demo in the folder.

    Takes about three minutes on two free cores: the agent learns from a fixed number of decisions
    (--set steps=…), so a busy machine takes longer and trains the same agent. Needs the extra
    train. With the extra eval, it also plots the learning curve.
    """
    from monopoly_env.extras import hint, is_installed, require
    from monopoly_training.runs import PACKAGES

    require("demo", *PACKAGES)
    from monopoly_env.errors import FileError
    from monopoly_training.common import stopping
    from monopoly_training.common.console import new_console
    from monopoly_training.common.progress import Live
    from monopoly_training.demo.demo import in_short, run_demo
    from monopoly_training.evaluation.score_table import score_table
    from monopoly_training.runs.config import load_train_config

    settings = load_train_config(config, changes or ())
    if out.exists() and not out.is_dir():
        FileError.at(out).fail("is a file, and a folder is needed there; name another --out")
    stopping.set_discard_message("the same command starts over")
    with Live() as progress:
        demo = run_demo(settings, out, progress)
    rows = [([in_short(one.against)], one.score) for one in demo.evaluations]
    title = f"The agent trained for {demo.steps:,} decisions; chance is 25%"
    new_console().print(score_table(title, ["against"], rows))
    typer.echo("\n".join(["", "Written:", *(f"  {path}" for path in demo.paths)]))
    if not is_installed("matplotlib"):
        typer.echo(f"\nwithout curve.png: matplotlib is not installed; {hint('matplotlib')}")
    typer.echo(next_steps(out))


def next_steps(out: Path) -> str:
    """Return commands to try next."""
    return f"""
Next:
  less {out}/game.txt                                     read a game of the trained agent
  monopoly-env replay {out}/game.jsonl --at 100           the position after 100 actions
  tensorboard --logdir {out}/tensorboard                  what training did
  monopoly-env train --resume {out} --set steps=5000000     go on training
  monopoly-env evaluate model:{out} --against fixed_a,fixed_b,fixed_c --rule deals=menu --rule windows=own
  monopoly-env tournament --agents model:{out},background,fixed_a,random --rule deals=menu --rule windows=own
"""
