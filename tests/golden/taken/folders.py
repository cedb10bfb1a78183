"""What commands leave in folders: tournaments, data sets, runs of training and of evolution."""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from pathlib import Path

from commands import command, json_command
from lines import Lines, Takers, lasting_json, short, told

CLASS = '''\
class Buyer:
    """Buys what it can; else the last legal action but one that costs nothing to name."""

    def reset(self, seed):
        self.seed = seed

    def decide(self, view):
        legal = dict(zip(view.legal_actions, view.mask.nonzero()[0].tolist()))
        for wish in ("buy", "pass", "end_turn", "roll", "reject", "cancel", "auction"):
            if wish in legal:
                return legal[wish]
        return list(legal.values())[(self.seed + len(view.events)) % len(legal)]
'''
PROGRAM = """\
import json, sys
WISHES = ["buy", "pass", "end_turn", "roll", "reject", "cancel", "auction", "mortgage", "sell"]
heard = open("heard.jsonl", "a")
for line in sys.stdin:
    message = json.loads(line)
    heard.write(line)
    if message["type"] == "decide":
        legal = message["legal"]
        wanted = [a for wish in WISHES for a in legal if a.partition(":")[0] == wish]
        print(json.dumps({"id": message["id"], "action": (wanted or legal)[0]}), flush=True)
"""
PROGRAM_BOT = "'exec:decision=60 first=60 game=600 ./python -I -S program.py'"
# name: what comes after `tournament`
TOURNAMENTS: dict[str, str] = {
    "table": "--agents fixed_a,strategist,veteran,background --games 100 --records 30",
    "eight": "--agents fixed_a,fixed_b,fixed_c,background,strategist,veteran,random,random "
             "--games 48 --rule max_turns=300 --records 16 --seed 5",
    "menu": "--agents veteran,strategist,fixed_c --games 60 --rule deals=menu --rule windows=own",
    "powers": "--agents strategist,fixed_b,random --games 36 --edition pokemon1999 "
              "--rule power_doubles=yes --rule rent_asked=yes",
    "short": "--agents veteran,background,fixed_a --games 60 --edition kanto2014 --mode short",
    "round_robin": "--agents fixed_a,random,background --format round_robin --seats 2 --games 12 "
                   "--edition yugioh2016 --records none",
    "gauntlet": "--agents strategist,fixed_a,random --format gauntlet --seats 2 --games 40 "
                "--sprt 0.5,0.9 --edition nintendo2010",
    "swiss": "--agents fixed_a,fixed_b,fixed_c,random,background --format swiss --seats 3 "
             "--rounds 2 --games 18 --edition pokemon_fr2000 --mode time_limit",
    "champion": "--agents champion,fixed_a,veteran,random --games 12",
    "search": "--agents search:20,fixed_a,random --games 3",
    "own_bots": f"--agents python:bot.py:Buyer,{PROGRAM_BOT},fixed_b --games 6 "
                "--rule max_turns=60 --rule deals=menu",
}  # fmt: skip
# What is kept of a table cell is what does not tell time.
TIMED = ("microseconds_a_decision", "seconds")

EVALUATIONS: dict[str, str] = {
    "strategist": "strategist --against fixed_a,fixed_b,fixed_c --games 40",
    "random_seats": "veteran --against strategist,background --games 30 --seats random --seed 9",
    "champion": "champion --against strategist,fixed_c,random --games 8 --seed 3",
    "champion_elsewhere": "champion --against fixed_a --games 6 --edition pokemon1999",
    "own_bot": "python:bot.py:Buyer --against random,fixed_a --games 6 --rule max_turns=80",
}
DATASETS: dict[str, str] = {
    "compiled": "--agents fixed_a,background,random --games 3",
    "menu": "--agents veteran,random --games 4 --bots veteran --rule deals=menu --forced",
    "bare": "--agents champion,fixed_c --games 2 --no-observations --edition kanto2014",
}
# Settings of `train small`, in seconds all that training can do.
RUNS: dict[str, str] = {
    "small": "",
    "clipped": "--set ppo.learning_rate=0.03 --set ppo.epochs=4 --set ppo.clip_range=0.1 "
               "--set ppo.max_grad_norm=0.3 --set ppo.anneal=true --set steps=1024",
    "stopped": "--set ppo.learning_rate=0.03 --set ppo.epochs=4 --set ppo.target_kl=0.01 "
               "--set ppo.entropy=0.01 --set ppo.gamma=0.95 --seed 2",
    "pool": "--set pool.past=0.5 --set pool.every=128 --set pool.weights=beats "
            "--set table.players=3 --set opponents=[fixed_a,random]",
    "layers": "--set ppo.network=layers --set ppo.layers=[16,16] --set ppo.clock=decisions "
              "--set imitation.steps=0 --set ppo.learning_rate=0.01 --set reward.end=rank --seed 4",
    "kl_penalty": "--set kl_penalty.weight=0.1 --set table.deals=menu --set reward.each=net_worth_share "
             "--set imitation.teacher=strategist --set ppo.epochs=3 --set ppo.learning_rate=0.02",
    "steps": "--set table.deals=steps --set table.windows=all --set table.players=4 "
             "--set table.rest=veteran --set table.leaves=[deal,give,ask,mortgage] "
             "--set table.edition=pokemon1999 --set table.rules={power_doubles:\\ true}",
}  # fmt: skip
EVOLUTIONS: dict[str, str] = {
    "small": "--set tables=[background,strategist]",
    "menu": "--set tables=[fixed_a] --set table.players=3 --seed 3 --set games=9 "
            "--set check.games=9 --set table.rules={deals:\\ menu}",
}  # fmt: skip


def write_bots() -> None:
    """Lay bots of one's own where the commands find them."""
    Path("bot.py").write_text(CLASS, encoding="utf-8")
    Path("program.py").write_text(PROGRAM, encoding="utf-8")
    Path("heard.jsonl").unlink(missing_ok=True)
    if not Path("python").exists():  # under a name that is the same everywhere
        Path("python").symlink_to(sys.executable)


def without(text: str, columns: Sequence[str]) -> Lines:
    """A CSV file without some of its columns."""
    rows = [line.split(",") for line in text.splitlines()]
    kept = [number for number, name in enumerate(rows[0]) if name not in columns]
    for row in rows:
        yield ",".join(row[number] for number in kept)


# What is taken: folders


def tournament(name: str) -> Lines:
    """A tournament: what it prints, and its folder without what tells time."""
    write_bots()
    folder = Path(f"tournament_{name}")
    yield from json_command(f"tournament {TOURNAMENTS[name]} --out {folder} --json")
    yield " ".join(sorted(path.name for path in folder.iterdir()))
    yield lasting_json((folder / "results.json").read_text(encoding="utf-8"))
    yield from without((folder / "table.csv").read_text(encoding="utf-8"), TIMED)
    yield from (folder / "games.csv").read_text(encoding="utf-8").splitlines()
    yield from parquet(folder / "games.parquet")
    yield from ledger(folder / "games.jsonl")
    if name == "own_bots":
        yield from heard()
    records = folder / "records.jsonl.gz"
    if records.exists() and records.stat().st_size:
        yield from map(lasting_json, gzip.decompress(records.read_bytes()).decode().splitlines())
        yield from command(f"replay {records} --check")
        yield from command(f"replay {records} --game 2")


def ledger(path: Path) -> Lines:
    """The lines of a ledger without seconds: the last two entries of each game."""
    for line in path.read_text(encoding="utf-8").splitlines():
        entry = lasting_json(line)
        games = json.loads(line).get("games")
        yield entry if games is None else f"{[game[:-2] for game in games]}"


def heard() -> Lines:
    """What a program was told, without the time that it had left."""
    for line in Path("heard.jsonl").read_text(encoding="utf-8").splitlines():
        message = json.loads(lasting_json(line))
        message.pop("time_left", None)
        yield json.dumps(message)


def evaluation(name: str) -> Lines:
    """An agent judged, as JSON and as a table."""
    write_bots()
    yield from json_command(f"evaluate {EVALUATIONS[name]} --json")
    yield from command(f"evaluate {EVALUATIONS[name]}")


def dataset(name: str) -> Lines:
    """Decisions as data, column by column."""
    folder = Path(f"data_{name}")
    yield from json_command(f"generate {DATASETS[name]} --out {folder} --json")
    yield " ".join(sorted(path.name for path in folder.iterdir()))
    yield lasting_json((folder / "dataset.json").read_text(encoding="utf-8"))
    for path in sorted(folder.glob("*.parquet")):
        yield from parquet(path)


def parquet(path: Path) -> Lines:
    """The columns of a Parquet file: name, type, and what is in them."""
    from pyarrow import parquet as files

    table = files.read_table(path)
    yield f"{path.name}: {table.num_rows} rows, {files.ParquetFile(path).num_row_groups} groups"
    for name in table.column_names:
        column = table[name]
        yield f"{name} {column.type} {short(repr(column.to_pylist()).encode())}"


def training(name: str) -> Lines:
    """A run of seconds: its weights, its card, its curve; then the agent in a game."""
    folder = f"run_{name}"
    yield from command(f"train small {RUNS[name]} --out {folder}")
    yield from run_folder(Path(folder), "model.safetensors", "model.json")
    yield from json_command(
        f"evaluate model:{folder} --against random --games 4 --rule max_turns=40 --json"
    )
    if name == "small":
        yield from command(f"train --resume {folder} --set steps=640")
        yield from run_folder(Path(folder), "model.safetensors")


def evolution(name: str) -> Lines:
    """A run of seconds: the weights, the curve; then the bot that plays by them."""
    folder = f"evolved_{name}"
    yield from command(f"tune small {EVOLUTIONS[name]} --out {folder}")
    yield from run_folder(Path(folder), "weights.json", "generations.jsonl")
    bot = f"strategist:{folder}/weights.json"
    yield from json_command(f"evaluate {bot} --against fixed_a,veteran --games 6 --json")


def run_folder(folder: Path, *names: str) -> Lines:
    """What is in the folder of a run: its config, its curve, and other files as lines or hashes."""
    yield " ".join(sorted(path.name for path in folder.iterdir()))
    yield from (folder / "config.yaml").read_text(encoding="utf-8").splitlines()
    yield from without((folder / "curve.csv").read_text(encoding="utf-8"), (*TIMED, "digest"))
    for path in (folder / name for name in names):
        if path.suffix == ".safetensors":
            yield from weights(path)
        elif path.suffix == ".jsonl":
            yield from map(lasting_json, path.read_text(encoding="utf-8").splitlines())
        else:
            yield lasting_json(path.read_text(encoding="utf-8"))


def weights(path: Path) -> Lines:
    """A file of weights as a whole, and tensor by tensor."""
    from safetensors.numpy import load_file

    yield f"{path.name} {short(path.read_bytes())}"
    yield from (f"{name} {told(tensor)}" for name, tensor in load_file(path).items())


def named(group: str, take: Callable[[str], Lines], names: Iterable[str]) -> Takers:
    """A fingerprint for each of several settings."""
    return {f"{group}/{name}": partial(take, name) for name in names}


TAKERS: Takers = {
    **named("tournament", tournament, TOURNAMENTS),
    **named("evaluate", evaluation, EVALUATIONS),
    **named("generate", dataset, DATASETS),
    **named("train", training, RUNS),
    **named("tune", evolution, EVOLUTIONS),
}
