"""Compile the rules, the bots and everything else ahead of time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    to: Annotated[
        Path | None,
        typer.Option(
            help="A folder for the compiled code, to be handed on; MONOPOLY_ENV_CACHE=FOLDER uses it."
        ),
    ] = None,
    cpu: Annotated[
        str,
        typer.Option(
            help="With --to: native, for processors like this one, or generic, for all x86-64-v3 ones."
        ),
    ] = "native",
) -> None:
    """Compile everything ahead, once a machine: for images, for CI, before a timed run.

    Compiled code goes to the folder that MONOPOLY_ENV_CACHE names, or to the usual cache folder, or
    to the one of --to, which may be moved, copied and made read-only: docs/caches.md.
    Functions are linked in one of two ways, which play the same games: entry, which compiles
    faster and takes a Numba that is known, or plain. MONOPOLY_ENV_LINKING names one of them.
    """
    from monopoly_training.compilation.hand_on import compile_to

    if to is None:
        if cpu != "native":
            check_cpu_alone()
        compile_here()
        return
    status = compile_to(to, cpu)
    if status:
        raise typer.Exit(status)


def check_cpu_alone() -> None:
    """Refuse another processor for the usual folder, where nobody would look for its code."""
    from monopoly_env.errors import InputError

    InputError.at("--cpu").fail("goes with --to FOLDER; name the folder, or leave --cpu out")


def compile_here() -> None:
    """Compile into this process's folder, and note there what for."""
    from monopoly_env.compiler.cache import CACHE_FOLDER
    from monopoly_env.compiler.link_choice import LINKING
    from monopoly_env.compiler.manifest import write_manifest
    from monopoly_training.common.progress import Live
    from monopoly_training.compilation.ahead_of_time import MORE_PARTS, compile_all

    typer.echo(LINKING)
    with Live() as progress:
        for number, part in enumerate(compile_all(progress.stage, MORE_PARTS), start=1):
            progress.update(number / len(MORE_PARTS), f"{number} of {len(MORE_PARTS)} parts")
            progress.log(f"{part.name}: {part.wall:.1f} s")
    write_manifest()
    typer.echo(f"compiled into {CACHE_FOLDER}")
