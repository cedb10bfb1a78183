"""What the command line ``monopoly-env`` prints."""

from __future__ import annotations

import io
import shlex
import sys
from contextlib import redirect_stderr, redirect_stdout
from itertools import pairwise
from pathlib import Path

from lines import Lines, Takers, lasting_json
from monopoly_training.cli import main

EDITIONS = ("classic", "kanto2014", "nintendo2010", "pokemon1999", "pokemon_fr2000", "yugioh2016")
COMMANDS = (
    "agents", "bench", "cases", "compile", "demo", "docs", "editions", "evaluate", "generate",
    "play", "plot", "replay", "show", "tournament", "train", "tune",
)  # fmt: skip
POSITION = """\
players: 3
turn: B
A: {cash: 310, deeds: [reading*, oriental, vermont, connecticut], buildings: {oriental: 1}}
B: {cash: 200, deeds: [boardwalk, park_place], at: go}
"""
CASES = """\
- id: income_tax_is_paid
  editions: [classic, pokemon1999]
  source: none
  say: two hundred
  given: {players: 2, A: {at: go, cash: 500}}
  dice: [[1, 3]]
  do: [A roll]
  expect: {A: {cash: 300, at: income_tax}}
- id: income_tax_is_low
  editions: [classic]
  source: none
  say: this one fails
  given: {players: 2, A: {at: go, cash: 500}}
  dice: [[1, 3]]
  do: [A roll]
  expect: {A: {cash: 301}}
"""
TYPED = (
    "roll\nhelp\nlist\nboard\nwhy build:boardwalk\nbuy\nundo\n" + "1\n" * 40 + "skip\n"
    + "1\n" * 40 + "nonsense\nquit\n"
)  # fmt: skip

# Running commands


def command(line: str, typed: str = "") -> Lines:
    """What a command line prints, and its status; errors only, as the rest may tell time."""
    said, complained, before = io.StringIO(), io.StringIO(), sys.stdin
    sys.stdin = io.StringIO(typed)
    try:
        with redirect_stdout(said), redirect_stderr(complained):
            status = main(shlex.split(line))
    finally:
        sys.stdin = before
    yield f"$ monopoly-env {line}: {status}"
    yield from said.getvalue().splitlines()
    if status:
        yield from complained.getvalue().splitlines()


def json_command(line: str) -> Lines:
    """The same of a command that prints JSON, without what differs between two runs."""
    first, *printed = command(line)
    yield first
    yield lasting_json("\n".join(printed))


# What is taken: printed


def helps() -> Lines:
    """The list of commands, and the help of each."""
    yield from command("--help")
    for name in COMMANDS:
        yield from command(f"{name} --help")


def lists() -> Lines:
    """Bots and editions, as text and as JSON."""
    for line in ("agents", "agents --json", "editions", "editions --json"):
        yield from command(line)
    for edition, other in pairwise((*EDITIONS, "classic")):
        yield from command(f"editions {edition}")
        yield from command(f"editions {edition} --json")
        yield from command(f"editions {edition} {other}")
    yield from command("editions classic kanto2014 --mode short --json")


def shown() -> Lines:
    """A position and rule cases that were written by hand."""
    Path("position.yaml").write_text(POSITION, encoding="utf-8")
    for options in ("", "--full", "--edition pokemon_fr2000 --seed 4", "--full --mode short"):
        yield from command(f"show position.yaml {options}")
    Path("cases.yaml").write_text(CASES, encoding="utf-8")
    for options in ("", "--verbose", "--editions classic", "--editions kanto2014"):
        yield from command(f"cases cases.yaml {options}")


def played() -> Lines:
    """Games at the terminal, what is saved of them, and what replay says of that."""
    save = "--save played.jsonl"
    yield from command(f"play --agents human,fixed_a,random --seed 5 {save}", TYPED)
    yield from command(f"play --agents veteran,human --seed 6 --edition yugioh2016 {save}", TYPED)
    bots = "fixed_b,strategist,background --rule max_turns=90 --edition kanto2014"
    yield from command(f"play --agents {bots} --seed 7 {save}")
    yield from map(lasting_json, Path("played.jsonl").read_text(encoding="utf-8").splitlines())
    for options in ("", "--game 2", "--game 3", "--game 3 --at 100", "--at 9 --full", "--check"):
        yield from command(f"replay played.jsonl {options}")


def misused() -> Lines:
    """What is said of lines that there cannot be."""
    Path("torn.jsonl").write_text('{"format":1,"edition":"classic"', encoding="utf-8")
    Path("other.jsonl").write_text('{"format":9}\n[1]\n', encoding="utf-8")
    Path("bad.yaml").write_text("players: 2\nA: {deeds: [broadwalk]}\n", encoding="utf-8")
    for line in (
        "fly", "agents now", "editions clasic", "editions classic --mode long", "show nowhere.yaml",
        "show bad.yaml", "replay torn.jsonl", "replay other.jsonl", "replay nowhere.jsonl",
        "evaluate nobody --against random", "evaluate random --against random, --games 2",
        "evaluate random --against random --seats first", "evaluate model:nowhere --against random",
        "evaluate random --against random --rule salry=1", "tournament nowhere",
        "tournament --agents random", "tournament --agents random,search:none",
        "tournament --agents random,fixed_a --format knockout", "tournament --agents a,b --games x",
        "generate --agents random,fixed_a --bots background", "generate --format swiss",
        "train nowhere", "train", "train small --set ppo.gama=1", "train small --set ppo.gamma=2",
        "train --resume nowhere", "tune nowhere", "tune small --set games=0",
        "play --agents human", "cases nowhere", "plot nowhere",
    ):  # fmt: skip
        yield from command(line)


TAKERS: Takers = {
    "commands/help": helps,
    "commands/lists": lists,
    "commands/show": shown,
    "commands/play": played,
    "refusals/commands": misused,
}
