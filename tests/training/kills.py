"""Commands killed at random, again and again, and gone on with: they end as if never disturbed.

``python -m tests.training.kills train tune`` kills each ten times (``--kills``) with SIGKILL, at
moments drawn from ``--seed``, and compares what the last ``--resume`` leaves with an undisturbed
run. Half of the kills take the whole process group at once, as a machine that goes down does; the
others the command alone, whose workers must then end by themselves.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PATIENCE = 300.0  # seconds that anything may take
CODE = "import sys; from monopoly_training.cli import main; sys.exit(main())"
TIMES = ("time", "digest")  # keys of results that depend on the clock


@dataclass(frozen=True)
class Command:
    """A command that can be gone on with.

    ``begun`` is the file from which on it can; ``result`` what must be the same in the end.
    """

    words: tuple[str, ...]
    begun: str
    result: Callable[[Path], object]
    resume: Callable[[Path], tuple[str, ...]]

    def line(self, folder: Path) -> list[str]:
        """What to run next in a folder."""
        if (folder / self.begun).exists():
            return [sys.executable, "-c", CODE, *self.resume(folder)]
        return [sys.executable, "-c", CODE, *self.words, "--out", str(folder)]


def in_place(words: tuple[str, ...]) -> Callable[[Path], tuple[str, ...]]:
    """The same command with ``--resume``."""
    return lambda folder: (*words, "--out", str(folder), "--resume")


def by_folder(name: str, *options: str) -> Callable[[Path], tuple[str, ...]]:
    """A command whose ``--resume`` takes the folder."""
    return lambda folder: (name, "--resume", str(folder), *options)


def curve(folder: Path) -> list[dict[str, Any]]:
    """The learning curve without its times."""
    from monopoly_training.evaluation.learning_curve import read_curve

    return [{**vars(point), "seconds": 0} for point in read_curve(folder)]


def sha256(path: Path) -> str:
    """What a file holds."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def trained(folder: Path) -> object:
    """The model and the curve of a training run."""
    return sha256(folder / "model.safetensors"), curve(folder)


def tuned(folder: Path) -> object:
    """The weights and the curve of a search, and the win rates of its generations."""
    card = json.loads((folder / "weights.json").read_text())
    lines = (folder / "generations.jsonl").read_text().splitlines()
    return card["weights"], card["results"], curve(folder), [json.loads(s)["rates"] for s in lines]


def leagued(folder: Path) -> object:
    """How a league went, and the models of all its policies."""
    models = {path.parent.name: sha256(path) for path in folder.rglob("model.safetensors")}
    return json.loads((folder / "league.json").read_text())["league"], models


def generated(folder: Path) -> object:
    """The bytes of all parts of a data set."""
    return {path.name: sha256(path) for path in sorted(folder.glob("*.parquet"))}


def played(folder: Path) -> object:
    """The results of a tournament without its times, and its table of games."""
    results = json.loads((folder / "results.json").read_text())
    kept = {key: value for key, value in results.items() if key not in (*TIMES, "files")}
    return kept, sha256(folder / "games.csv")


TRAIN = ("train", "small", "--set", "steps=2048", "--set", "table.rules={max_turns: 60}")
TUNE = ("tune", "small", "--set", "generations=12", "--set", "games=200", "--jobs", "2")
LEAGUE = ("league", "small", "--jobs", "2")
BOTS = ("--agents", "fixed_a,random,strategist", "--rule", "deals=off", "--jobs", "2")
GENERATE = ("generate", *BOTS, "--games", "600")
TOURNAMENT = ("tournament", *BOTS, "--games", "3000", "--records", "30")

COMMANDS = {
    "train": Command(TRAIN, "checkpoint.pt", trained, by_folder("train")),
    "tune": Command(TUNE, "config.yaml", tuned, by_folder("tune", "--jobs", "2")),
    "league": Command(LEAGUE, "league.json", leagued, by_folder("league", "--jobs", "2")),
    "generate": Command(GENERATE, "dataset.json", generated, in_place(GENERATE)),
    "tournament": Command(TOURNAMENT, "games.jsonl", played, in_place(TOURNAMENT)),
}


class Failed(Exception):  # noqa: N818  (what happened)
    """A command that did not go on after a kill, or ended otherwise."""


def start(line: Sequence[str], log: Path) -> subprocess.Popen[bytes]:
    """Begin a command in a process group of its own."""
    with log.open("wb") as told:
        return subprocess.Popen(line, stdout=told, stderr=told, start_new_session=True)


def run_whole(command: Command, folder: Path) -> float:
    """Run a command to its end; the seconds it took. Raises: Failed."""
    began, log = time.monotonic(), folder.with_suffix(".log")
    process = start(command.line(folder), log)
    if process.wait(PATIENCE) != 0:
        raise Failed(f"status {process.returncode}:\n{log.read_text(errors='replace')}")
    return time.monotonic() - began


def members(group: int) -> list[int]:
    """The living processes of a process group."""
    found = []
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            state, _, in_group = stat.read_text().rpartition(")")[2].split()[:3]
        except OSError:  # it has just ended
            continue
        if int(in_group) == group and state != "Z":
            found.append(int(stat.parent.name))
    return found


def kill(process: subprocess.Popen[bytes], whole_group: bool) -> None:
    """Kill a command; its workers are gone soon after. Raises: Failed if they live on."""
    if whole_group:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        process.send_signal(signal.SIGKILL)
    process.wait(PATIENCE)
    deadline = time.monotonic() + 60
    while members(process.pid):
        if time.monotonic() > deadline:
            raise Failed(f"processes live on: {members(process.pid)}")
        time.sleep(0.05)


def kill_and_go_on(name: str, kills: int, seed: int, folder: Path) -> list[str]:
    """Kill a command so many times; what was done, line by line. Raises: Failed.

    Kills come at moments that are uniform over the time of an undisturbed run. What ends before
    its kill is compared, and begins anew.
    """
    command, chance, told = COMMANDS[name], random.Random(f"{name} {seed}"), []
    alone = folder / f"{name}-alone"
    seconds = run_whole(command, alone)
    expected = command.result(alone)
    killed, rounds = 0, 0
    while killed < kills:
        rounds += 1
        disturbed = folder / f"{name}-{rounds}"
        while killed < kills:
            log = folder / f"{name}.log"
            process, wait = start(command.line(disturbed), log), chance.uniform(0, seconds)
            try:
                status = process.wait(wait)
            except subprocess.TimeoutExpired:
                group = chance.random() < 0.5
                kill(process, group)
                killed += 1
                whom = "with its group" if group else "alone"
                told.append(f"{name} {rounds}: kill {killed} {whom} after {wait:.1f} s")
                continue
            if status != 0:
                raise Failed(f"{told}: status {status}:\n{log.read_text(errors='replace')}")
            break
        run_whole(command, disturbed)  # to the end; of a run that has ended, once more
        if command.result(disturbed) != expected:
            raise Failed(f"{told}: {disturbed} differs from {alone}")
        left = [path.name for path in disturbed.iterdir() if path.name.endswith(".part")]
        if left:
            raise Failed(f"{told}: left behind: {left}")
        told.append(f"{name} {rounds}: equal to the undisturbed run")
        shutil.rmtree(disturbed)
    return told


def main(arguments: Sequence[str] | None = None) -> int:
    """Kill the commands that are named; the exit status is 1 at the first that ends otherwise."""
    parser = argparse.ArgumentParser(prog="python -m tests.training.kills", description=__doc__)
    parser.add_argument("commands", nargs="*", help="; ".join(COMMANDS))
    parser.add_argument("--kills", type=int, default=10, help="of each command")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(10**6))
    given = parser.parse_args(arguments)
    for name in given.commands or list(COMMANDS):
        with tempfile.TemporaryDirectory() as folder:
            try:
                lines = kill_and_go_on(name, given.kills, given.seed, Path(folder))
            except Failed as problem:
                sys.stdout.write(f"--seed {given.seed}: {name}: {problem}\n")
                return 1
        sys.stdout.write("\n".join([f"--seed {given.seed}", *lines]) + "\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main())
