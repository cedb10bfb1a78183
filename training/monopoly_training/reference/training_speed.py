"""Generate part of docs/scaling.md: the cost of rollout workers and the learner's limit.

``python -m monopoly_training.reference.training_speed --measure`` trains for some rollouts with one
and with two workers on a local Ray cluster, into docs/training_speed.json. Without it, the page is
generated from that file. CPU times are compared, because they depend little on other load.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from math import ceil
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.errors import FileError
from monopoly_env.files import read_json, read_text
from monopoly_training.common.files import as_json, write_atomic
from monopoly_training.common.markdown import table

KEPT, PAGE = Path("docs/training_speed.json"), Path("docs/scaling.md")
BEGIN, END = "<!-- trained: -->\n", "<!-- trained end -->"
MEASURED = ((1, 0), (2, 0), (2, 1))  # (workers, staleness)
ROLLOUTS = 3  # rollouts of each, after one that is not counted
SETTINGS = ("imitation.steps=0", "evaluation.games=4", "evaluation.against=[random]",
            "evaluation.every=1000000000", "checkpoint_every=1000000000")  # fmt: skip


# --- measurement ---


def measure() -> dict[str, Any]:
    """Train for some rollouts with each number of workers, one after another."""
    from monopoly_training.matches.on_ray import cluster

    with cluster(None):
        rows = [row_of(workers, staleness) for workers, staleness in MEASURED]
    return {"processors": os.cpu_count(), "load": round(os.getloadavg()[0], 1), "rows": rows}


def row_of(workers: int, staleness: int) -> dict[str, Any]:
    """Return the cost of training with a number of workers: medians over rollouts."""
    from monopoly_training.matches.workers import RAY, WorkOptions
    from monopoly_training.runs.callbacks import TrainingCallback
    from monopoly_training.runs.config import load_train_config
    from monopoly_training.runs.train import train

    class Gather(TrainingCallback):
        """Collects the figures of each rollout with the learner's CPU time."""

        def __init__(self) -> None:
            self.figures: list[dict[str, float]] = []
            self._spent = time.process_time()

        def on_log(self, steps: int, values: Mapping[str, float]) -> None:  # noqa: ARG002
            if "workers/bytes_a_decision" in values:
                spent = time.process_time()
                self.figures.append({**values, "learner": spent - self._spent})
                self._spent = spent

    changes = [*SETTINGS, f"ppo.workers={workers}", f"ppo.staleness={staleness}"]
    config = load_train_config("default", changes)
    decisions = config.ppo.envs * config.ppo.n_steps
    config = load_train_config("default", [*changes, f"steps={decisions * (ROLLOUTS + 1)}"])
    gather = Gather()
    with tempfile.TemporaryDirectory() as folder:
        train(config, Path(folder) / "run", callbacks=[gather], work=WorkOptions(backend=RAY))

    def median(name: str) -> float:
        return float(np.median([one[name] for one in gather.figures[1:]]))

    return {
        "workers": workers,
        "staleness": staleness,
        "decisions_a_rollout": decisions,
        "decisions_a_second": round(median("time/steps_per_second")),
        "worker_milliseconds": round(median("workers/milliseconds_a_decision"), 4),
        "learner_milliseconds": round(1000 * median("learner") / decisions, 4),
        "bytes_a_decision": round(median("workers/bytes_a_decision")),
        "waiting_share": round(median("time/waiting_share"), 3),
    }


# --- page ---


def generated(kept: Mapping[str, Any]) -> str:
    """Return the measurements and what follows from them."""
    rows = kept["rows"]
    head = ("workers", "staleness", "decisions/s", "learner waits", "worker, ms per decision",
            "learner, ms per decision")  # fmt: skip
    cells = [
        (str(row["workers"]), str(row["staleness"]), f"{row['decisions_a_second']:,}",
         f"{row['waiting_share']:.0%}", f"{row['worker_milliseconds']:.3f}",
         f"{row['learner_milliseconds']:.3f}")
        for row in rows
    ]  # fmt: skip
    one, two, overlapped = rows
    worker = float(np.mean([row["worker_milliseconds"] for row in rows]))
    learner = float(np.mean([row["learner_milliseconds"] for row in rows]))
    limit = ceil(worker / learner)
    return (
        "Measured with `configs/train/default.yaml` on a Ray cluster of one machine with "
        f"{kept['processors']} processors, which other programs used too (load {kept['load']:g}). "
        f"Medians of {ROLLOUTS} rollouts of {one['decisions_a_rollout']:,} decisions, all measured in "
        "one session. Milliseconds are processor time; decisions/s are by wall time, so they depend "
        "on the load.\n\n"
        f"{table(head, cells)}\n"
        "From one to two workers, the speed grows by a factor of "
        f"{two['decisions_a_second'] / one['decisions_a_second']:.2f} with staleness 0, and of "
        f"{overlapped['decisions_a_second'] / one['decisions_a_second']:.2f} with staleness 1. A worker "
        f"returns {overlapped['bytes_a_decision']:,} bytes per decision, including the state of the "
        f"game. A worker takes {worker:.3f} ms per decision, and the learner {learner:.3f} ms. With a "
        "processor for each and staleness 1, the learner is therefore the bottleneck from "
        f"{plural(limit)} on, at {1000 / learner:,.0f} decisions per second; with staleness 0, "
        f"{plural(limit)} would reach at least half of that.\n"
    )


def plural(workers: int) -> str:
    """Format a number of workers."""
    return "1 worker" if workers == 1 else f"{workers} workers"


def page(kept: Mapping[str, Any], text: str) -> str:
    """Return the page with this part, between two markers, replaced."""
    if BEGIN not in text or END not in text:
        FileError.at(PAGE).fail(f"has no {BEGIN.strip()} and {END}; put them back")
    before, _, rest = text.partition(BEGIN)
    return f"{before}{BEGIN}\n{generated(kept)}\n{END}{rest.partition(END)[2]}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure if requested; write the page."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--measure" in given:
        write_atomic(KEPT, as_json(measure()))
    kept: Any = read_json(KEPT, FileError.at(KEPT))
    write_atomic(PAGE, page(kept, read_text(PAGE, FileError.at(PAGE), 1 << 20)))


if __name__ == "__main__":
    main()
