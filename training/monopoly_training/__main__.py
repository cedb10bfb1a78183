"""The program ``monopoly-env``, also as ``python -m monopoly_training``."""

from __future__ import annotations

import os
import signal
import sys

from monopoly_env import interrupts
from monopoly_training.common import stopping

MISUSED = 2


def run() -> None:
    """Run the command line of this process, and end the process."""
    with stopping.handled():
        try:
            status = _run()
        except KeyboardInterrupt:  # before a command has begun
            stopping.end_at_once()
        if interrupts.is_requested():
            os._exit(status)  # whatever threads a bot has left
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # a traceback says nothing from here on
    sys.exit(status)


def _run() -> int:
    from monopoly_env.errors import InputError
    from monopoly_training.common import streams

    try:
        streams.prepare()
    except InputError as problem:
        sys.stderr.write(f"error: {problem}\n")
        return MISUSED
    from monopoly_training.cli import main

    return main()


if __name__ == "__main__":
    run()
