"""Warn the user when game code has to be compiled first."""

from __future__ import annotations

from typing import Literal

from monopoly_env.compiler.cache import folders_of
from monopoly_env.compiler.jit import JIT
from monopoly_training.common.progress import Progress

# How the games of a line-up are played; see monopoly_training.matches.runner.loop_kind.
LoopKind = Literal["compiled", "batched", "sequential"]

# For each kind of loop: its module and the compiled function that takes longest to compile.
LOOPS: dict[LoopKind, tuple[str, str]] = {
    "compiled": ("monopoly_training.matches.compiled_loop", "play_game"),
    "batched": ("monopoly_env.envs._call", "play_at"),
    "sequential": ("monopoly_env.engine.entry_points", "step"),
}


def announce(progress: Progress, *kinds: LoopKind) -> None:
    """Log a line if the code for any of these loop kinds is not in the compilation cache yet."""
    if not JIT:
        return
    for module, function in (LOOPS[kind] for kind in dict.fromkeys(kinds)):
        name = f"*.{function}-*.nbc"
        if not any(any(folder.rglob(name)) for folder in folders_of(module)):
            progress.log("compiling the rules (once per machine): this takes a minute or more …")
            return
