"""The program ``monopoly-env``, also run by ``python -m monopoly_training``."""

from __future__ import annotations

import os
import sys

from monopoly_training.common import streams

MISUSED = 2


def run() -> None:
    """Run the command line and exit.

    Most imports are local, since streams, signals and the working folder must be checked first.
    """
    streams.prepare()
    streams.handle_early_signals()  # a traceback would not help
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
        except KeyboardInterrupt:  # before or after the command itself
            stopping.end_at_once()
        if interrupts.is_requested():
            os._exit(status)  # ends any threads that a bot has left behind
    sys.exit(status)


if __name__ == "__main__":
    run()
