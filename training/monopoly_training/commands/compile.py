"""Compile the rules, the bots and everything else ahead of time."""

from __future__ import annotations

import typer


def command() -> None:
    """Compile everything ahead, once a machine: for images, for CI, before a timed run.

    Compiled code goes to the folder that MONOPOLY_ENV_CACHE names, or to the usual cache folder.
    """
    from monopoly_env.engine._jit import CACHE_FOLDER
    from monopoly_training.compiling import PARTS, compile_all
    from monopoly_training.screen import Live

    with Live() as screen:
        for number, part in enumerate(compile_all(screen.doing), start=1):
            screen.update(number / len(PARTS), f"{number} of {len(PARTS)} parts")
            screen.say(f"{part.name}: {part.wall:.1f} s")
    typer.echo(f"compiled into {CACHE_FOLDER}")
