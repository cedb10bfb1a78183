"""Compile the rules, the bots and everything else ahead of time."""

from __future__ import annotations

import typer


def command() -> None:
    """Compile everything ahead, once a machine: for images, for CI, before a timed run.

    Compiled code goes to the folder that MONOPOLY_ENV_CACHE names, or to the usual cache folder.
    Functions are linked in one of two ways, which play the same games: entry, which compiles
    faster and takes a Numba that is known, or plain. MONOPOLY_ENV_LINKING names one of them.
    """
    from monopoly_env.compiler.cache import CACHE_FOLDER
    from monopoly_env.compiler.link_choice import LINKING
    from monopoly_training.common.progress import Live
    from monopoly_training.compilation.ahead_of_time import PARTS, compile_all

    typer.echo(LINKING)
    with Live() as progress:
        for number, part in enumerate(compile_all(progress.stage), start=1):
            progress.update(number / len(PARTS), f"{number} of {len(PARTS)} parts")
            progress.log(f"{part.name}: {part.wall:.1f} s")
    typer.echo(f"compiled into {CACHE_FOLDER}")
