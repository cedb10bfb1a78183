"""Compile everything ahead of time."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def command(
    to: Annotated[
        Path | None,
        typer.Option(
            help="Write a shareable cache into this folder; MONOPOLY_ENV_CACHE=FOLDER uses it."
        ),
    ] = None,
    cpu: Annotated[
        str,
        typer.Option(
            help="With --to: native for processors like this one, or generic for x86-64-v3."
        ),
    ] = "native",
) -> None:
    """Compile everything ahead of time, for container images, CI, or timed runs.

    The compiled code goes to the folder in MONOPOLY_ENV_CACHE, to the default cache folder, or to the
    folder of --to, which you can move, copy and make read-only: docs/caches.md.

    MONOPOLY_ENV_LINKING selects how functions are linked: entry compiles faster but needs a
    supported Numba version, plain works with any. The games are the same.
    """
    from monopoly_training.compilation.shared_cache import compile_to

    if to is None:
        if cpu != "native":
            check_cpu_alone()
        compile_here()
        return
    status = compile_to(to, cpu)
    if status:
        raise typer.Exit(status)


def check_cpu_alone() -> None:
    """Refuse another processor for the default folder, where its code would not be found."""
    from monopoly_env.errors import InputError

    InputError.at("--cpu").fail("needs --to FOLDER; name the folder, or leave --cpu out")


def compile_here() -> None:
    """Compile into this process's cache folder, and write its manifest."""
    from monopoly_env.compiler.cache import CACHE_FOLDER
    from monopoly_env.compiler.link_choice import LINKING
    from monopoly_env.compiler.manifest import write_manifest
    from monopoly_training.common.progress import Live
    from monopoly_training.compilation.ahead_of_time import MORE_PARTS, compile_together

    typer.echo(LINKING)
    with Live() as progress:
        for number, part in enumerate(compile_together(progress.stage), start=1):
            progress.update(number / len(MORE_PARTS), f"{number} of {len(MORE_PARTS)} parts")
            progress.log(f"{part.name}: {part.wall:.1f} s")
    write_manifest()
    typer.echo(f"compiled into {CACHE_FOLDER}")
