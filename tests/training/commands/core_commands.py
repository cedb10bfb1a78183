"""Runs every command with the packages of all extras out of reach: a program for the test beside it.

``python core_commands.py FOLDER`` works in that folder and prints JSON: for each command line its
exit status, what it printed, and what it printed to standard error.
"""

from __future__ import annotations

import io
import json
import sys
from collections.abc import Sequence
from contextlib import redirect_stderr, redirect_stdout
from importlib.abc import MetaPathFinder
from os import chdir
from typing import Any

from monopoly_env.extras import EXTRAS

BOTS = "random,fixed_a"
GAMES = ("--games", "2", "--edition", "classic")
COMMANDS: list[tuple[str, ...]] = [
    ("acceptance", "show"),
    ("acceptance", "fit", "--games", "1", "--out", "accepted.json"),
    ("agents",),
    ("bench", "--only", "one_call", "--seconds", "0.05"),
    ("bench", "--only", "sb3_share"),
    ("bench", "--plot", "growth.png"),
    ("cases", "cases.yaml"),
    ("compare", "random", "fixed_a", "--against", "random", "--games", "2", "--out", "compared"),
    ("compile", "--help"),  # the fixtures of other tests compile
    ("convert", "played", "--minari", "monopoly/played-v0"),
    ("demo",),
    ("docs", "--out", "pages", "--cases", "none", "--tests", "none"),
    ("editions", "classic"),
    ("evaluate", "champion", "--against", "random", *GAMES),
    ("evaluate", "model:x.zip", "--against", "random", "--trust", *GAMES),
    ("exploit", "random", "--minutes", "0.01"),
    ("export", "champion", "--onnx", "champion.onnx"),
    ("export", "champion", "--folder", "exported"),
    ("export", "rllib:checkpoint", "--folder", "exported"),
    ("fuzz", "--decisions", "500", "--seed", "1"),
    ("generate", "--agents", BOTS, *GAMES),
    ("tournament", "--agents", BOTS, *GAMES, "--records", "all", "--out", "played"),
    ("leaderboard", "ranking.yaml", "--out", "ranked"),
    ("league", "small"),
    ("mcp",),
    ("nashconv", "random", "--rule", "time_limit_rounds=1"),
    ("negotiation", "talks.jsonl", "--agents", BOTS, "--rule", "max_turns=8"),
    ("odds", "played/records.jsonl.gz", "--moment", "20"),
    ("play", "--terminal", "--agents", "random,fixed_a", "--seed", "1"),
    ("play", "--port", "0"),
    ("plot", "curves"),
    ("ratings", "played"),
    ("replay", "played", "--game", "1"),
    ("replay", "played", "--game", "1", "--html", "game.html"),
    ("replay", "played", "--game", "1", "--review"),
    ("replay", "played", "--game", "1", "--svg", "10"),
    ("replay", "played", "--game", "1", "--png", "10"),
    ("replay", "played", "--game", "1", "--gif", "game.gif"),
    ("replay", "played", "--game", "1", "--mp4", "game.mp4"),
    ("show", "position.yaml"),
    ("suite", "random", "--first", "3"),
    ("tokens", "short", "--against", "random", "--games", "1", "--rule", "max_turns=8"),
    ("tokens", "short", "--tokenizer", "o200k_base"),
    ("train", "quick"),
    ("tune", "veteran"),
    ("value", "show"),
    ("value", "fit", "--out", "value.safetensors"),
    ("watch", "played", "--no-browser"),
]


class Unreachable(MetaPathFinder):
    """Packages of extras, as if they were not installed."""

    def find_spec(self, fullname: str, path: Any, target: Any = None) -> None:  # noqa: ARG002
        """Refuse a package of an extra. Raises: ModuleNotFoundError."""
        if fullname.partition(".")[0] in EXTRAS:
            raise ModuleNotFoundError(f"No module named {fullname!r}", name=fullname)


def run(words: Sequence[str]) -> dict[str, Any]:
    """Run a command line; its exit status and what it printed."""
    from monopoly_training.cli import main

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        status = main(words)
    return {"words": words, "status": status, "out": out.getvalue(), "err": err.getvalue()}


if __name__ == "__main__":
    sys.meta_path.insert(0, Unreachable())
    chdir(sys.argv[1])
    sys.stdout.write(json.dumps([run(words) for words in COMMANDS]))
    assert not EXTRAS.keys() & sys.modules.keys()
