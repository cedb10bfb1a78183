"""Generate docs/scaling.md: the predicted scaling of a tournament on up to a thousand processors.

``python -m monopoly_training.reference.scaling_page --measure`` measures games and the driver on
this machine into docs/scaling.json. Without it, the page and its picture are generated from that
file by simulating the scheduler.
"""

from __future__ import annotations

import heapq
import sys
import time
from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.engine.state import Float64s
from monopoly_env.errors import FileError
from monopoly_env.extras import need
from monopoly_env.files import read_json, read_text
from monopoly_training.common.files import as_json, whole_file, write_atomic
from monopoly_training.common.markdown import table

KEPT, PAGE, PICTURE = (
    Path("docs/scaling.json"),
    Path("docs/scaling.md"),
    Path("docs/pictures/scaling.png"),
)
LINE_UP = ("strategist", "fixed_a", "fixed_b", "background")
MEASURED = 400  # games to measure
ROUNDS = 300  # batches to time the driver with
CORES = (1, 2, 4, 16, 64, 256, 1000)
UNITS = (16, 64, 256, 1024, 4096)  # games per batch
GAMES_A_CORE = 16_384  # in a simulated tournament
SHOWN = (64, 1000)  # values of CORES in the tables
# a longer tournament on the most processors, drawn in blocks of games
LONG_GAMES_A_CORE = 1 << 20
LONG_UNITS = (4096, 16_384, 65_536)
BLOCK = 256
BLOCKS = 10_000  # different ones
WANTED = 0.05  # upper limit for idle time and tail
AHEAD = 2  # batches in flight per processor, as in matches/on_ray.py
LATENCY = (
    # seconds from a free processor to its next batch; an assumption based on Ray's documentation
    0.005
)


@dataclass(frozen=True)
class Simulated:
    """The simulated performance of a tournament on a number of processors."""

    idle: float  # share of all processors' time without games
    tail: float  # share of the time after the first processor has run out of work
    speedup: float  # relative to one processor that is never idle


def simulate(
    games: Float64s, cores: int, unit: int, driver: float, latency: float = LATENCY
) -> Simulated:
    """Simulate batches of ``unit`` games on ``cores`` processors.

    ``games`` are durations in seconds. The driver handles finished batches one by one, ``driver``
    seconds each: it fetches the result, writes a line of the ledger, and submits another batch.
    ``AHEAD`` batches are in flight per processor.
    """
    edges = np.arange(0, len(games), unit)
    todo = deque(np.add.reduceat(games, edges).tolist())
    waiting = deque(todo.popleft() for _ in range(min(AHEAD * cores, len(todo))))
    free = cores
    ends: list[float] = []  # heap of the end times of batches
    now, driver_free, first_idle = 0.0, 0.0, None
    handled: list[float] = []  # heap of the times at which the driver has submitted another batch
    while True:
        while free and waiting:
            heapq.heappush(ends, now + latency + waiting.popleft())
            free -= 1
        if free and not todo and first_idle is None:
            first_idle = now
        if not ends and not handled:
            break
        if not handled or (ends and ends[0] <= handled[0]):
            now = heapq.heappop(ends)
            free += 1
            driver_free = max(driver_free, now) + driver
            heapq.heappush(handled, driver_free)
        else:
            now = heapq.heappop(handled)
            if todo:
                waiting.append(todo.popleft())
    total = float(games.sum())
    return Simulated(
        idle=1 - total / (cores * now),
        tail=(now - (first_idle if first_idle is not None else now)) / now,
        speedup=total / now,
    )


def drawn(kept: dict[str, Any], games: int) -> Float64s:
    """Draw durations of games from the measured ones."""
    durations = np.array(kept["game_seconds"])
    chosen: Float64s = np.random.default_rng(1).choice(durations, games)
    return chosen


def drawn_blocks(kept: dict[str, Any], blocks: int) -> Float64s:
    """Draw durations of BLOCK games together, from sums of measured ones."""
    rng = np.random.default_rng(1)
    sums = rng.choice(np.array(kept["game_seconds"]), (BLOCKS, BLOCK)).sum(axis=1)
    chosen: Float64s = rng.choice(sums, blocks)
    return chosen


# --- measurement ---


def measure() -> dict[str, Any]:
    """Time games and the driver on this machine, with a local Ray cluster."""
    from monopoly_env.envs.options import TableOptions
    from monopoly_training.matches.compiled import CompiledGames
    from monopoly_training.matches.entrants import entrants

    compiled = CompiledGames(entrants(LINE_UP), TableOptions(num_players=4))
    compiled.play(0, keep=False)
    seconds, decisions = [], 0
    for seed in range(MEASURED):
        began = time.process_time()
        decisions += compiled.play(seed, keep=False).decisions
        seconds.append(round(time.process_time() - began, 7))
    return {
        "line_up": LINE_UP,
        "game_seconds": seconds,
        "decisions_a_game": round(decisions / MEASURED),
        **driver_of(),
    }


def driver_of() -> dict[str, Any]:
    """Return the driver's seconds for an empty batch, and the bytes per batch."""
    import pickle
    import tempfile
    from contextlib import closing

    from monopoly_env.envs.options import TableOptions
    from monopoly_training.matches.batches_on_ray import do_on_ray
    from monopoly_training.matches.entrants import entrants
    from monopoly_training.matches.runner import Players
    from monopoly_training.matches.schedule import batches, rotated
    from monopoly_training.tournament.ledger import Ledger
    from monopoly_training.tournament.tournament import PlayJob

    with tempfile.TemporaryDirectory() as name, closing(Players(entrants(LINE_UP))) as players:
        folder = Path(name)
        job = PlayJob(LINE_UP, False, TableOptions(num_players=4), 0, folder)
        (batch,) = batches(rotated(4, 64, 1), 64)
        played = job.do(players, batch)
        done = len(pickle.dumps(played))
        empty = [batches(rotated(4, 4, k), 4, number=k)[0] for k in range(ROUNDS)]
        with Ledger(folder, {"config": {}, "code": {}}, resume=False) as ledger:
            began = None
            for number, _ in enumerate(do_on_ray(job, empty, None)):
                if number == ROUNDS // 3:  # all processes have started by then
                    began = time.process_time()
                ledger.add(number, played.outcomes, (), batch.matches)
            assert began is not None
            each = (time.process_time() - began) / (ROUNDS - 1 - ROUNDS // 3)
    return {
        "driver_seconds": round(each, 6),
        "bytes_a_game": round(done / 64),
        "bytes_a_batch_out": len(pickle.dumps(batch)),
    }


# --- page ---


def by_unit(kept: dict[str, Any], cores: int) -> dict[int, Simulated]:
    """Simulate each of UNITS."""
    games = drawn(kept, GAMES_A_CORE * cores)
    return {unit: simulate(games, cores, unit, kept["driver_seconds"]) for unit in UNITS}


def by_long_unit(kept: dict[str, Any], cores: int) -> dict[int, Simulated]:
    """Simulate each of LONG_UNITS in a longer tournament."""
    blocks = drawn_blocks(kept, LONG_GAMES_A_CORE // BLOCK * cores)
    driver = kept["driver_seconds"]
    return {unit: simulate(blocks, cores, unit // BLOCK, driver) for unit in LONG_UNITS}


def row_of(unit: int, found: Simulated) -> tuple[str, ...]:
    """Return a row of the table."""
    return f"{unit:,}", f"{found.idle:.1%}", f"{found.tail:.1%}", f"{found.speedup:,.0f}"


def answer_of(found: dict[int, Simulated], cores: int) -> str:
    """Describe which batch sizes keep idle time and tail below the limit."""
    good = [unit for unit, one in found.items() if one.idle < WANTED and one.tail < WANTED]
    if good:
        units = ", ".join(f"{unit:,}" for unit in good)
        return (
            f"With {units} games per batch, both stay under {WANTED:.0%} at {cores:,} processors."
        )
    return f"None of these keeps both under {WANTED:.0%} at {cores:,} processors."


def draw(kept: dict[str, Any], path: Path) -> None:
    """Plot speedup against processors, one line per batch size."""
    need("the picture of scaling", "matplotlib.figure")
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.subplots()
    for unit in UNITS:
        speeds = [
            simulate(drawn(kept, GAMES_A_CORE * n), n, unit, kept["driver_seconds"]).speedup
            for n in CORES
        ]
        axes.loglog(CORES, speeds, marker="o", markersize=3, label=f"{unit:,} games per batch")
    axes.loglog(CORES, CORES, color="gray", linestyle=":", label="linear")
    axes.set_xlabel("processors")
    axes.set_ylabel("speedup")
    axes.legend(fontsize=8)
    with whole_file(path) as file:
        figure.savefig(file, format="png", dpi=100, metadata={"Software": None})


def part(cores: int, games: int, found: dict[int, Simulated]) -> str:
    """Return a simulation's heading, table and answer."""
    head = ("games per batch", "idle", "tail", "speedup")
    rows = [row_of(unit, one) for unit, one in found.items()]
    return (
        f"Simulation with {cores:,} processors and {games:,} games per processor:\n\n"
        f"{table(head, rows)}\n{answer_of(found, cores)}\n"
    )


def page(kept: dict[str, Any], text: str) -> str:
    """Return the page with its generated part, between two markers, replaced."""
    begin, end = "<!-- simulated: -->\n", "<!-- end -->"
    if begin not in text or end not in text:
        FileError.at(PAGE).fail(f"has no {begin.strip()} and {end}; put them back")
    seconds = np.array(kept["game_seconds"])
    parts = [part(cores, GAMES_A_CORE, by_unit(kept, cores)) for cores in SHOWN]
    parts.append(part(CORES[-1], LONG_GAMES_A_CORE, by_long_unit(kept, CORES[-1])))
    generated = (
        f"Measured: {len(seconds):,} games of {', '.join(kept['line_up'])} take "
        f"{seconds.mean() * 1e3:.2f} ms of CPU time on average, {np.quantile(seconds, 0.05) * 1e3:.2f} to "
        f"{np.quantile(seconds, 0.95) * 1e3:.2f} ms in 90% of cases, "
        f"{kept['decisions_a_game']:,} decisions each. The driver takes "
        f"{kept['driver_seconds'] * 1e3:.2f} ms of CPU time per batch. The result of a game has "
        f"{kept['bytes_a_game']:,} bytes, {kept['bytes_a_game'] / kept['decisions_a_game']:.2f} per "
        f"decision.\n\n" + "\n".join(parts)
    )
    before, _, rest = text.partition(begin)
    return f"{before}{begin}\n{generated}\n{end}{rest.partition(end)[2]}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure if requested; write the page and the picture."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if "--measure" in given:
        write_atomic(KEPT, as_json(measure()))
    kept: Any = read_json(KEPT, FileError.at(KEPT))
    text = read_text(PAGE, FileError.at(PAGE), 1 << 20)
    write_atomic(PAGE, page(kept, text))
    draw(kept, PICTURE)


if __name__ == "__main__":
    main()
