"""The program ``monopoly-env``, also as ``python -m monopoly_training``."""

from __future__ import annotations

import os
import sys

from monopoly_training.common import streams

MISUSED = 2


def run() -> None:
    """Run the command line of this process, and end the process.

    Most is imported here: streams, signals and folder must be in order before.
    """
    streams.prepare()
    streams.handle_early_signals()  # a traceback would say nothing
    problem = streams.problem()
    if problem is not None:
        sys.stderr.write(f"error: {problem}\n")
        sys.exit(MISUSED)
    from monopoly_env import interrupts
    from monopoly_training.common import stopping

    with stopping.handled():
        try:
            from monopoly_training.cli import main

            status = main()
            stopping.finished(status)
        except KeyboardInterrupt:  # before a command has begun, or after it
            stopping.end_at_once()
        if interrupts.is_requested():
            os._exit(status)  # whatever threads a bot has left
    sys.exit(status)


if __name__ == "__main__":
    run()
