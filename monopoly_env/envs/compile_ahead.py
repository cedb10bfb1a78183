"""Compiles what a process that compiles the rules reaches last: see :mod:`monopoly_env.compiler.second_process`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from monopoly_env.compiler.second_process import compile_callee, end_with_parent, only_one
from monopoly_env.encoding.observation import rewrite_observation, write_observation
from monopoly_env.encoding.row_cache import SHOWN
from monopoly_env.engine.actions import N_KINDS
from monopoly_env.engine.dispatch import apply, legal_bits
from monopoly_env.engine.journal import JOURNAL
from monopoly_env.engine.rules import RULES
from monopoly_env.engine.state import GAME

ROW = (np.dtype(np.float32), None)
BITS = (np.dtype(np.int64), (N_KINDS,))

# Functions with the types of their arguments, in the order of compilation. A process that compiles an
# environment reaches them in the second half of the time, in nearly this order; until then it has
# compiled what prepares a game, and this process the parts.
PARTS: tuple[tuple[Callable[..., Any], tuple[Any, ...]], ...] = (
    (apply, (GAME, RULES, JOURNAL, int)),
    (legal_bits, (GAME, RULES, BITS)),
    (write_observation, (GAME, RULES, int, ROW)),
    (rewrite_observation, (GAME, RULES, int, ROW, SHOWN, int)),
)


def main() -> None:
    """Compile the parts, unless another process does."""
    end_with_parent()
    with only_one() as alone:
        if alone:
            for function, arguments in PARTS:
                compile_callee(function, *arguments)
