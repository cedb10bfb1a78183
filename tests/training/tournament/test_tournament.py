"""Tournaments of every format: the same games however they are played, and a report of them."""

from __future__ import annotations

import csv
import gzip
import json
import random
import re
import signal
import subprocess
import sys
import time
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.matches.entrants import Entrant, entrants
from monopoly_training.matches.workers import WorkOptions
from monopoly_training.tournament import tournament as tournament_module
from monopoly_training.tournament.config import load_tournament_config
from monopoly_training.tournament.game_table import columns_as_csv
from monopoly_training.tournament.report import write_report
from monopoly_training.tournament.tournament import play_tournament

from monopoly_env.agent import AgentSpec
from monopoly_env.envs.options import TableOptions
from monopoly_env.errors import InputError
from monopoly_env.records import read_records
from monopoly_env.replay import replay

RULES = {"max_turns": 40, "deals": "off"}
BASE = {"agents": ["random", "fixed_a", "random"], "games": 10, "rules": RULES, "records": 5}
FORMATS = [
    {"format": "table"},
    {"format": "round_robin", "agents": ["random", "fixed_a", "fixed_b", "background"], "seats": 2,
     "games": 40},
    {"format": "gauntlet", "agents": ["fixed_b", "random", "fixed_a", "random"], "seats": 3},
    {"format": "paired", "agents": ["fixed_b", "random", "fixed_a", "random"]},
    {"format": "swiss", "agents": ["random"] * 3 + ["fixed_a", "fixed_b"], "seats": 2, "rounds": 3,
     "games": 24},
]  # fmt: skip
ids = pytest.mark.parametrize("form", FORMATS, ids=lambda form: form["format"])


def play(folder, jobs=1, **settings):
    return play_tournament(
        load_tournament_config(None, {**BASE, **settings}), folder, WorkOptions(jobs=jobs)
    )


def facts(found):
    """All that must be the same each time."""
    plain = found.as_json()
    del plain["time"]
    return json.loads(json.dumps(plain))


@ids
def test_a_tournament_is_the_same_each_time(form, tmp_path):
    one, other = play(tmp_path / "1", **form), play(tmp_path / "2", **form)
    assert facts(one) == facts(other)
    games = one.games
    assert len(games) >= (form.get("games") or BASE["games"])
    assert games.wins.sum() == pytest.approx(len(games))
    assert sum(row.score.wins for row in one.standings) == pytest.approx(len(games))
    assert sum(row.score.games for row in one.standings) == len(games) * games.seats
    rates = [row.score.win_rate for row in one.standings]
    assert rates == sorted(rates, reverse=True)
    assert {row.place for row in one.standings} == set(range(1, len(games.agents) + 1))


@ids
def test_every_table_plays_each_of_its_seeds_in_every_rotation(form, tmp_path):
    games = play(tmp_path, **form).games
    tables = {}
    for seating, seed in zip(games.seating.tolist(), games.seed.tolist(), strict=True):
        tables.setdefault((tuple(sorted(seating)), seed), []).append(tuple(seating))
    for (table, _), seatings in tables.items():
        turns = {tuple(table[(s + shift) % len(table)] for s in range(len(table)))
                 for shift in range(len(table))}  # fmt: skip
        assert sorted(seatings) == sorted(turns)


@pytest.mark.promise("determinism")
def test_two_processes_play_the_games_of_one(tmp_path):
    settings = {"games": 600}
    assert facts(play(tmp_path / "1", **settings)) == facts(play(tmp_path / "2", 2, **settings))


def test_one_table_of_compiled_bots_plays_the_games_of_one_compiled_call(tmp_path):
    from monopoly_training.matches.schedule import rotated

    from monopoly_env.bots import whole_games
    from monopoly_env.engine import policy_loop
    from monopoly_env.engine.journal import new_journals
    from monopoly_env.engine.policy import new_views
    from monopoly_env.engine.state import new_games

    found = play(tmp_path, agents=["fixed_a", "background", "random"]).games
    policies = [one.policy for one in entrants(found.agents)]
    rules = TableOptions(rules=RULES, num_players=3).load().rules
    for number, match in enumerate(rotated(3, len(found), 0)):
        loop = policy_loop.new_loop([policies[k] for k in match.seating], skip_forced=True)
        rank, facts_ = np.zeros((1, 8), np.int8), np.zeros((1, 4), np.int64)
        whole_games.play_games(
            new_games(1), rules, new_journals(1, on=False), new_views(1), loop, 3,
            np.array([match.seed]), rank, facts_,
        )  # fmt: skip
        assert found.ranks[number].tolist() == rank[0, :3].tolist()
        assert [found.decisions[number], found.turns[number]] == facts_[0, :2].tolist()


def test_a_bot_that_never_played_has_no_numbers(tmp_path):
    found = play(tmp_path, format="swiss", agents=["random"] * 5, seats=4, rounds=1, games=4)
    (idle,) = [row for row in found.standings if not row.score.games]
    assert idle.win_rate_by_seed is None
    write_report(found, tmp_path)
    json.loads((tmp_path / "results.json").read_text(), parse_constant=pytest.fail)


def test_equal_bots_at_all_seats_share_the_wins_evenly_up_to_chance(tmp_path):
    for row in play(tmp_path, agents=["random"] * 2, games=60).standings:
        assert row.score.ci95[0] < 0.5 < row.score.ci95[1]
        assert row.win_rate_by_seed[0] <= 0.5 <= row.win_rate_by_seed[1]


def test_the_one_that_wins_all_is_first_in_everything(tmp_path):
    agents = ["random", "random", "fixed_b", "random"]
    found = play(tmp_path, agents=agents, games=80, rules={"deals": "off", "max_turns": 300})
    best = found.standings[0]
    assert best.agent == "fixed_b"
    assert best.rating.elo == max(row.rating.elo for row in found.standings)
    assert all(cell.ahead > 0.5 for cell in found.against[0][1:])


# --- stopping early ---


def test_a_sequential_test_stops_the_tournament(tmp_path):
    settings = {"agents": ["fixed_b", "random"], "games": 4000,
                "sprt": {"enabled": True, "p0": 0.5, "p1": 0.8}}  # fmt: skip
    one, two = play(tmp_path / "1", **settings), play(tmp_path / "2", 2, **settings)
    assert one.trial.decided == "p1"
    assert len(one.games) == 2 * one.trial.seeds == one.trial.games < 4000
    assert facts(one) == facts(two)
    again = play_tournament(
        load_tournament_config(None, {**BASE, **settings}), tmp_path / "1", WorkOptions(resume=True)
    )
    assert facts(again) == facts(one)


# --- the first bot and the second, in the same games ---

PAIRED = {
    "format": "paired",
    "agents": ["fixed_b", "random", "fixed_a", "random"],
    "games": 60,
    "rules": {"deals": "off", "max_turns": 200},
}


def test_both_bots_of_a_pair_play_the_same_seeds_from_the_same_seats_against_the_same_bots(
    tmp_path,
):
    found = play(tmp_path, **PAIRED)
    games = found.games
    assert len(games) == 60
    tables = {0: set(), 1: set()}
    for seating, seed in zip(games.seating.tolist(), games.seed.tolist(), strict=True):
        (bot,) = {0, 1} & set(seating)
        tables[bot].add((seed, tuple("us" if seat == bot else seat for seat in seating)))
    assert tables[0] == tables[1]
    assert len(tables[0]) == 30


def test_a_comparison_is_made_of_the_games(tmp_path):
    found = play(tmp_path, **PAIRED)
    by_place = {row.place: row.score for row in found.standings}
    comparison = found.comparison
    assert comparison.win_rates == pytest.approx((by_place[1].win_rate, by_place[2].win_rate))
    assert comparison.difference == pytest.approx(by_place[1].win_rate - by_place[2].win_rate)
    assert comparison.rank_difference == pytest.approx(
        by_place[1].mean_rank - by_place[2].mean_rank
    )
    assert comparison.seeds == 10
    assert comparison.p_value < 0.05
    assert found.as_json()["comparison"]["difference"] == comparison.difference
    write_report(found, tmp_path)
    assert "a difference of +" in (tmp_path / "report.html").read_text()


def test_a_bot_compared_with_itself_does_not_differ(tmp_path):
    found = play(tmp_path, **{**PAIRED, "agents": ["fixed_b", "fixed_b", "fixed_a", "random"]})
    assert (found.comparison.difference, found.comparison.p_value) == (0.0, 1.0)


def test_a_sequential_test_stops_a_comparison(tmp_path):
    settings = {**PAIRED, "games": 6000, "sprt": {"enabled": True, "p1": 0.3}}
    found = play(tmp_path, **settings)
    assert found.trial.decided == "p1"
    assert len(found.games) == 6 * found.trial.seeds == found.trial.games < 6000
    score = sum(score * count for score, count in found.trial.scores.items()) / found.trial.seeds
    assert 2 * score - 1 == pytest.approx(found.comparison.difference)
    lower = play(tmp_path / "other", **{**settings, "agents": ["random", *PAIRED["agents"][1:]]})
    assert lower.trial.decided == "p0"


@pytest.mark.parametrize(
    ("settings", "problem"),
    [
        ({"agents": ["random", "random"]}, "agents: must be the two bots to compare, then"),
        ({"agents": ["random"] * 10}, "agents: must be the two bots to compare, then"),
        ({"seats": 4}, "seats: is 4, but format paired seats 3"),
        (
            {"sprt": {"enabled": True, "p0": 0.1, "p1": 0.0}},
            "sprt: needs -1 < p0 < p1 < 1, not 0.1",
        ),
        ({"anchor": "fixed_c"}, "anchor: must be one of the bots, fixed_b, .*, not 'fixed_c'"),
    ],
)
@pytest.mark.promise("bad_input")
def test_what_cannot_be_compared_is_one_line(settings, problem):
    base = {**PAIRED, "agents": ["fixed_b", "random", "fixed_a", "random"]}
    with pytest.raises(InputError, match=problem):
        load_tournament_config(None, {**base, **settings})


@pytest.mark.filterwarnings("default::UserWarning")
def test_the_command_compares_and_goes_on_after_a_kill(tmp_path, capsys):
    words = ["compare", "fixed_b", "random", "--against", "fixed_a,random", "--games", "30"]
    words += ["--rule", "deals=off", "--rule", "max_turns=200", "--out", str(tmp_path), "--json"]
    assert main(words) == 0
    first = json.loads(capsys.readouterr().out)
    assert first["comparison"]["seeds"] == 10
    ledger = tmp_path / "games.jsonl"
    lines = ledger.read_bytes().splitlines(keepends=True)
    ledger.write_bytes(b"".join(lines[:-2]) + lines[-2][:9])
    assert main([*words, "--resume"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert {**first, "time": 0} == {**again, "time": 0}
    assert main(["compare", "a,b", "random", "--against", "random"]) == 2
    assert "takes two bots, then --against" in capsys.readouterr().err


def test_the_rating_of_the_anchor_is_0(tmp_path):
    found = play(tmp_path, agents=["random", "fixed_a", "fixed_b"], anchor="fixed_a")
    (anchor,) = [row for row in found.standings if row.agent == "fixed_a"]
    assert (anchor.rating.elo, anchor.rating.ci95) == (0.0, None)
    assert found.as_json()["anchor"] == "fixed_a"


# --- kills ---

COMMAND = "tournament --agents fixed_a,random,background --games 1200 --records 30 --jobs 2".split()


def start(folder, *more):
    code = "import sys; from monopoly_training.cli import main; sys.exit(main())"
    command = [sys.executable, "-c", code]
    return subprocess.Popen(
        [*command, *COMMAND, "--rule", "deals=off", "--out", str(folder), *more],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )


def children(pid):
    """The processes that a process has started, where the system tells."""
    file = Path(f"/proc/{pid}/task/{pid}/children")
    return file.read_text().split() if file.exists() else []


def gone(pids):
    """Whether all of them end within a while; who only waits to be reaped has ended."""
    stats = [Path(f"/proc/{pid}/stat") for pid in pids]
    deadline = time.monotonic() + 60
    while time.monotonic() < deadline:
        states = [stat.read_text().rpartition(")")[2].split()[0] for stat in stats if stat.exists()]
        if set(states) <= {"Z"}:
            return True
        time.sleep(0.1)
    return False


@pytest.mark.promise("resume")
@pytest.mark.slow
def test_three_kills_change_nothing(tmp_path):
    folder, ledger = tmp_path / "killed", tmp_path / "killed" / "games.jsonl"
    chance = random.Random(6)
    for number in range(3):
        process = start(folder, *(["--resume"] if number else []))
        lines = ledger.read_bytes().count(b"\n") if ledger.exists() else 0
        goal = lines + chance.randint(2, 4)
        deadline = time.monotonic() + 300
        while not ledger.exists() or ledger.read_bytes().count(b"\n") < goal:
            assert time.monotonic() < deadline
            assert process.poll() is None
            time.sleep(0.002)
        others = children(process.pid)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert gone(others)
        assert b'"end"' not in ledger.read_bytes()
    refused = start(folder)
    assert b"holds an unfinished tournament; --resume continues" in refused.communicate()[1]
    assert start(folder, "--resume").wait(300) == 0
    assert start(tmp_path / "alone").wait(300) == 0
    one, other = (json.loads((tmp_path / name / "results.json").read_text())
                  for name in ("killed", "alone"))  # fmt: skip
    for results in (one, other):
        del results["time"], results["digest"]  # of the times too
        for name in ("table.csv", "report.html"):  # which show them
            del results["files"][name]
    assert one == other
    assert (folder / "games.csv").read_bytes() == (tmp_path / "alone" / "games.csv").read_bytes()
    seeds = [(r["seed"], *r["bots"]) for r in read_records(folder / "records.jsonl.gz")]
    assert len(seeds) == len(set(seeds)) == 30


# --- bots that fail ---


class Hostile:
    """Raises errors, answers nonsense, and counts its own delays."""

    def __init__(self):
        self.faults = {"timed_out": 0}
        self.calls = 0
        self.closed = False

    def reset(self, seed):
        if seed % 2:
            raise RuntimeError("no")

    def decide(self, view):
        self.calls += 1
        self.faults["timed_out"] += self.calls % 5 == 0
        if self.calls % 3 == 0:
            raise (KeyError if self.calls % 2 else SystemExit)("lost")
        return ("roll", -1, 10**9, None, view)[self.calls % 5]

    def finish(self, game):
        raise ValueError(game)

    def close(self):
        self.closed = True


@pytest.mark.promise("bots")
def test_a_hostile_bot_costs_only_its_own_games(tmp_path, monkeypatch):
    made = []

    def factory():
        made.append(Hostile())
        return made[-1]

    hostile = Entrant("hostile", AgentSpec("hostile", "", factory))
    monkeypatch.setattr(
        tournament_module, "entrants", lambda *_: [hostile, *entrants(["fixed_a", "random"])]
    )
    found = play(tmp_path, agents=["hostile", "fixed_a", "random"], games=6)
    faults = {row.agent: row.faults for row in found.standings}
    assert faults["fixed_a"] == faults["random"] == {"illegal": 0, "timed_out": 0, "crashed": 0}
    assert faults["hostile"]["crashed"] > 6
    assert faults["hostile"]["illegal"] > 6
    assert faults["hostile"]["timed_out"] == made[0].faults["timed_out"] > 0
    assert len(made) == 1
    assert made[0].closed
    (row,) = [row for row in found.standings if row.agent == "hostile"]
    assert row.timed == "own"
    assert row.microseconds > 0


# --- trained policies ---


def test_games_of_a_trained_policy_are_kept_too(small_run, tmp_path):
    agents = [f"model:{small_run}", "random", "fixed_a"]
    found = play(tmp_path, agents=agents, games=9, records=None)
    assert facts(found) == facts(play(tmp_path / "again", agents=agents, games=9, records=None))
    kept = list(read_records(tmp_path / "records.jsonl.gz"))
    assert len(kept) == 9
    for record in kept:
        game = replay(record)
        at = [found.games.agents[k] for k in range(3)]
        (row,) = [
            g for g in range(9)
            if found.games.seed[g] == record["seed"]
            and [at[k] for k in found.games.seating[g]] == record["bots"]
        ]  # fmt: skip
        assert [s.worth for s in sorted(game.standings(), key=lambda s: s.player)] == (
            found.games.worth[row].tolist()
        )
    assert {row.timed for row in found.standings if row.agent == agents[0]} == {"own"}


# --- what is written ---


class Outline(HTMLParser):
    """Collects what a reader without eyes or without a network depends on."""

    def __init__(self):
        super().__init__()
        self.images, self.heads, self.links, self.open = [], 0, [], []

    def handle_starttag(self, tag, attrs):
        found = dict(attrs)
        if tag == "img":
            self.images.append(found)
        self.heads += tag == "th" and found.get("scope") in ("col", "row")
        self.links += [found[key] for key in ("href", "src") if key in found]
        if tag not in ("meta", "img"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag


def test_the_report_holds_the_same_numbers(tmp_path):
    found = play(tmp_path)
    written = {path.name: path for path in write_report(found, tmp_path)}
    read = json.loads(written["results.json"].read_text())
    assert read["standings"] == json.loads(json.dumps(found.as_json()))["standings"]
    assert read["config"]["games"] == 10
    assert read["games"] == 12
    assert read["seeds"] == {"first": 0, "count": 4}
    with written["table.csv"].open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [float(row["win_rate"]) for row in rows] == [
        row.score.win_rate for row in found.standings
    ]
    for name in ("win_rates", "ratings", "head_to_head", "length", "money"):
        assert written[f"{name}.png"].read_bytes().startswith(b"\x89PNG")


def test_every_game_is_in_the_files(tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    found = play(tmp_path)
    write_report(found, tmp_path)
    table = parquet.read_table(tmp_path / "games.parquet").to_pydict()
    with (tmp_path / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(table["game"]) == 36
    assert (
        [int(row["worth"]) for row in rows] == table["worth"] == found.games.worth.ravel().tolist()
    )
    kept = list(read_records(tmp_path / "records.jsonl.gz"))
    assert len(kept) == 5
    for number, record in enumerate(kept):
        mine = [k for k, game in enumerate(table["game"]) if game == number]
        assert record["bots"] == [table["agent"][k] for k in mine]
        assert record["result"]["ranks"] == [table["rank"][k] for k in mine]
        assert record["result"]["worth"] == [table["worth"][k] for k in mine]
        assert record["result"]["decisions"] == table["decisions"][mine[0]]


def test_games_csv_is_what_arrow_writes():
    pa = pytest.importorskip("pyarrow")
    from pyarrow import csv as arrow_csv

    columns = {
        "agent": np.array(["random", 'exec:"my, bot"']),
        "rank": np.array([1, 2]),
        "win": np.array([0.5, 1.0]),
        "luck": np.array([-0.125, 0.3]),
        "truncated": np.array([True, False]),
    }
    buffer = pa.BufferOutputStream()
    arrow_csv.write_csv(pa.table(columns), buffer)
    assert columns_as_csv(columns) == buffer.getvalue().to_pybytes().decode()


def test_a_report_without_the_extra_eval_has_no_pictures_and_says_so(tmp_path, monkeypatch):
    found = play(tmp_path)
    for package in ("matplotlib", "pyarrow"):
        monkeypatch.setitem(sys.modules, package, None)
    names = {path.name for path in write_report(found, tmp_path)}
    assert {"results.json", "table.csv", "report.html", "games.csv"} <= names
    assert not {name for name in names if name.endswith((".png", ".parquet"))}
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "matplotlib and pyarrow are not installed; pip install" in page
    assert "<img" not in page


def test_the_page_stands_by_itself_and_can_be_read_aloud(tmp_path):
    found = play(tmp_path, agents=["random", "fixed_a", "random"])
    write_report(found, tmp_path)
    text = (tmp_path / "report.html").read_text(encoding="utf-8")
    outline = Outline()
    outline.feed(text)
    assert not outline.open
    assert len(outline.images) == 5
    assert all(len(image["alt"]) > 30 for image in outline.images)
    pages = [link for link in outline.links if not link.startswith("data:image/png;base64,")]
    assert pages
    for link in pages:  # replays of games that stand out
        assert (tmp_path / link.partition("#")[0]).read_text(encoding="utf-8").count(
            'id="data"'
        ) == 1
    assert not re.search(r"url\(|<script|<link|@import", text)
    assert outline.heads > 30
    for name in ("random", "random#2", "fixed_a"):
        assert name in text


def test_without_records_there_is_no_picture_of_money(tmp_path):
    found = play(tmp_path, records=0)
    assert "money.png" not in {path.name for path in write_report(found, tmp_path)}
    assert gzip.decompress((tmp_path / "records.jsonl.gz").read_bytes()) == b""
    assert not (tmp_path / "replays").exists()


# --- what cannot be played ---


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("settings", "says"),
    [
        ({"agents": ["random"]}, "must be 2 to 8 bots, one a seat, not 1"),
        ({"agents": ["random"] * 9}, "must be 2 to 8 bots, one a seat, not 9"),
        ({"seats": 2}, "seats: is 2, but format table seats all 3 bots at one"),
        ({"format": "swiss", "seats": 4}, "agents: must be at least 4 bots"),
        (
            {"format": "knockout"},
            "format: must be one of table, round_robin, gauntlet, paired, swiss",
        ),
        ({"format": "round_robin", "agents": ["random"] * 100}, "make 3,921,225 tables; use"),
        ({"seats": 9}, "seats: must be from 2 to 8, not 9"),
        ({"games": 0}, "games: must be from 1 to"),
        ({"games": 10**8}, "games: must be from 1 to 10000000, not"),
        (
            {"sprt": {"enabled": True, "p0": 0.5, "p1": 0.4}},
            "needs 0 < p0 < p1 < 1, not 0.5 and 0.4",
        ),
        ({"sprt": {"enabled": True}, "format": "round_robin"}, "first bot of a table or gauntlet"),
        ({"sprt": {"alpha": 0.6}}, "sprt: alpha: must be from"),
    ],
)
def test_odd_settings_are_one_line(settings, says):
    with pytest.raises(InputError, match=re.escape(says)) as problem:
        load_tournament_config(None, {**BASE, **settings})
    assert "\n" not in str(problem.value)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("options", "says"),
    [
        (
            "--format knockout",
            "error: --format: must be one of table, round_robin, gauntlet, paired, swiss",
        ),
        ("--seats 9", "error: --seats: must be from 2 to 8, not 9"),
        ("--games 0", "error: --games: must be from 1 to 10000000, not 0"),
        ("--records some", "--records: must be a number, all or none, not 'some'"),
        ("--sprt high", "--sprt: must be p1 or p0,p1, such as 0.25,0.30, not 'high'"),
        ("--sprt 0.1,0.2,0.3", "--sprt: must be p1 or p0,p1"),
        ("--jobs 0", "--jobs: must be "),
        ("--agents random,,random", "--agents: must be bots with commas between them"),
        ("--agents human,random", "human: people play at the terminal, with monopoly-env play"),
        ("--rule max_turns=x", "max_turns"),
    ],
)
def test_odd_options_are_one_line(options, says, capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert main(["tournament", "--agents", "random,random", *options.split()]) == 2
    message = capsys.readouterr().err
    assert says in message
    assert message.count("\n") == 1


def test_the_command_line_plays_and_says_what_was_decided(capsys, tmp_path):
    line = f"tournament --agents fixed_b,random --format gauntlet --sprt 0.5,0.8 --out {tmp_path}"
    assert main([*line.split(), "--rule", "deals=off", "--records", "none"]) == 0
    shown = capsys.readouterr().out
    assert "p1 is decided" in shown
    assert "report.html" in shown


@pytest.mark.promise("bad_input")
def test_weights_that_cannot_be_read_leave_no_folder(tmp_path):
    with pytest.raises(InputError, match=r"nowhere\.json: cannot be read"):
        play(tmp_path / "out", agents=[f"strategist:{tmp_path}/nowhere.json", "random"])
    assert not (tmp_path / "out").exists()
