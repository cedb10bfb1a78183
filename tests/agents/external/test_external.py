"""exec:CMD: programs that play, and programs that do everything else."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from monopoly_agents.external import protocol
from monopoly_agents.external.agent import ExternalAgent, Limits, parse_command

from monopoly_env import Game
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.bots.fallback import ORDER, safe_action
from monopoly_env.engine.actions import KINDS
from monopoly_env.errors import AgentError
from monopoly_env.playing import GameLoop
from monopoly_env.view import View
from tests.agents.positions import asked, bidding, buying, owing, seated, turn_over
from tests.agents.programs import is_running, program, wait_until

pytestmark = pytest.mark.skipif(os.name != "posix", reason="exec: needs process groups")

ROOT = Path(__file__).parents[3]
QUICK = "decision=1 first=5 game=10"
GOOD = "while True: first(ask())"


def play(bot: ExternalAgent, seed: int = 1, decisions: int = 60, **more: object) -> Game:
    """A short game of three: the bot and two others."""
    others = [make_agent("fixed_a"), make_agent("fixed_b")]
    game = Game(players=3, seed=seed, rules={"max_decisions": decisions}, **more)  # type: ignore[arg-type]
    return GameLoop(game, [bot, *others], seed).play()


def faults(illegal: int = 0, timed_out: int = 0, crashed: int = 0) -> dict[str, int]:
    return {"illegal": illegal, "timed_out": timed_out, "crashed": crashed}


def decide(bot: ExternalAgent, game: Game) -> str:
    return game.text(bot.decide(View.of(game)))


# --- good programs ---


def test_one_process_plays_many_games(tmp_path: Path) -> None:
    body = """
pid = os.getpid()
while True:
    message = ask()
    open(sys.argv[1], "a").write(f"{pid}\\n")
    first(message)
"""
    seen = tmp_path / "pids"
    bot = ExternalAgent(f"{program(tmp_path, body)} {seen}")
    for seed in range(3):
        assert play(bot, seed).over
    bot.close()
    assert bot.faults == faults()
    pids = set(seen.read_text().split())
    assert len(pids) == 1
    assert not is_running(int(pids.pop()))


def test_what_a_program_is_told(tmp_path: Path) -> None:
    body = """
log = open(sys.argv[1], "w")
for message in messages:
    log.write(json.dumps(message) + "\\n")
    log.flush()
    if message["type"] == "decide":
        first(message)
"""
    told = tmp_path / "told"
    bot = ExternalAgent(f"{program(tmp_path, body)} {told}")
    game = play(bot, edition="pokemon_fr2000")
    bot.close()
    messages = [json.loads(line) for line in told.read_text().splitlines()]
    assert [m["type"] for m in messages[:2]] == ["hello", "decide"]
    assert [m["type"] for m in messages[-2:]] == ["result", "bye"]
    hello = messages[0]
    assert (hello["protocol"], hello["edition"], hello["players"]) == (1, "pokemon_fr2000", 3)
    assert (hello["seat"], hello["seed"]) == ("A", 1)
    assert hello["rules"]["start_cash"] == 1500
    assert hello["names"]["tokens"] == list(game.edition.names.tokens)  # beyond ASCII
    assert [space["name"] for space in hello["board"]] == list(game.edition.names.spaces)
    assert hello["board"][39]["price"] == 400
    for message in messages[1:-2]:
        assert message["seat"] == "A"
        assert "hidden" not in message["position"]
        again = Game.from_position(message["position"], seed=1)
        assert again.legal_actions() == message["legal"]
        assert again.phase.name == message["phase"]
    assert messages[-2]["worth"]["A"] == game.hand("A").worth


def test_events_are_those_since_its_last_decision(tmp_path: Path) -> None:
    body = """
log = open(sys.argv[1], "w")
while True:
    message = ask()
    log.write("".join(event + "\\n" for event in message["events"]))
    log.flush()
    first(message)
"""
    told = tmp_path / "told"
    bot = ExternalAgent(f"{program(tmp_path, body)} {told}")
    game = Game(players=2, seed=4, rules={"max_decisions": 40})
    happened = [str(event) for event in game.journal()]
    loop = GameLoop(game, [bot, make_agent("fixed_a")], 4)
    before = len(happened)
    while not game.over:
        if game.actor == "A":
            before = len(happened)
        loop.step()
        happened += [str(event) for event in game.journal()]
    bot.close()
    assert told.read_text().splitlines() == happened[:before]
    assert before > 40


@pytest.mark.parametrize(
    "command",
    [
        f"{sys.executable} examples/bots/greedy.py",
        pytest.param(
            "perl examples/bots/cautious.pl",
            marks=pytest.mark.skipif(shutil.which("perl") is None, reason="no Perl here"),
        ),
    ],
)
def test_the_examples_play(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    bot = ExternalAgent(command)
    for edition, rules in (("classic", {}), ("pokemon1999", {"deals": "menu"})):
        game = Game(edition, 3, 5, rules={"max_decisions": 1500, **rules})
        GameLoop(game, [bot, make_agent("fixed_a"), make_agent("random")], 5).play()
        assert any(game.text(action) == "buy" for seat, action in game.history if seat == 0)
    bot.close()
    assert bot.faults == faults()


def test_no_decision_shows_what_is_hidden() -> None:
    game = Game(players=3, seed=2)
    other = game.copy()
    other.redraw(9)
    limits = {"decision": 1.0, "game": 1.0}
    told = protocol.decide(View.of(game), 1, limits)
    assert told == protocol.decide(View.of(other), 1, limits)


# --- programs that do everything else ---

HOSTILE: dict[str, tuple[str, str]] = {
    "exits at once": ("sys.exit(3)", "crashed"),
    "exits when asked": ("ask(); sys.exit(0)", "crashed"),
    "raises": ("ask()\nraise ValueError('schade: ümläut')", "crashed"),
    "kills itself": ("ask(); os.kill(os.getpid(), 9)", "crashed"),
    "closes its input": ("m = ask(); os.close(0); first(m); time.sleep(60)", "crashed"),
    "closes its output": ("os.close(1); time.sleep(60)", "crashed"),
    "sleeps": ("time.sleep(60)", "timed_out"),
    "dribbles": ("ask()\nwhile True: os.write(1, b' '); time.sleep(0.05)", "timed_out"),
    "stops": ("import signal; os.kill(os.getpid(), signal.SIGSTOP)", "timed_out"),
    "prints garbage": ("while True: ask(); say('Hello! I play roll.')", "illegal"),
    "prints bytes": ("while True: ask(); os.write(1, bytes(range(256)) + b'\\n')", "illegal"),
    "prints much": ("while True: ask(); say({'action': 'roll', 'why': 'x' * 70000})", "illegal"),
    "prints nothing": ("while True: ask(); say('')", "illegal"),
    "prints null": ("while True: ask(); say(None)", "illegal"),
    "prints a number": ("while True: ask(); say({'action': 7})", "illegal"),
    "prints nan": ("while True: ask(); say('{\"action\": NaN}')", "illegal"),
    "nests": ("while True: ask(); say('[' * 60000)", "illegal"),
    "floods": ("while True: os.write(1, b'x' * 65536)", "illegal"),
    "floods lines": ("while True: os.write(1, b'{}\\n' * 1000)", "illegal"),
    "never ends its line": ("ask()\nwhile True: os.write(1, b'x' * 4096)", "illegal"),
    "answers twice": ("while True: m = ask(); first(m); first(m)", "illegal"),
    "answers another": ("while True: ask(); say({'id': 0, 'action': 'roll'})", "illegal"),
    "cheats": ("while True: ask(); say({'action': 'build:boardwalk'})", "illegal"),
    "invents": ("while True: ask(); say({'action': 'x' * 60000})", "illegal"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_nothing_a_program_does_ends_a_game(name: str, tmp_path: Path) -> None:
    body, kind = HOSTILE[name]
    bot = ExternalAgent(program(tmp_path, body, QUICK))
    began = time.monotonic()
    assert play(bot, decisions=40).over
    bot.close()
    assert time.monotonic() - began < 30
    assert bot.faults[kind] > 0
    if name != "answers twice":  # half of those answers are right
        assert sum(bot.faults.values()) == bot.faults[kind]


def test_faults_are_counted_by_decision_and_over_games(tmp_path: Path) -> None:
    bot = ExternalAgent(program(tmp_path, "while True: ask(); say({'action': 'fly'})"))
    asked = 0
    for seed in range(2):
        game = play(bot, seed)
        asked += sum(seat == 0 for seat, _ in game.history)
    bot.close()
    assert bot.faults == faults(illegal=asked)


def test_standard_error_may_flood(tmp_path: Path) -> None:
    body = "while True:\n m = ask(); os.write(2, b'x' * 500_000); first(m)"
    bot = ExternalAgent(program(tmp_path, body))
    assert play(bot).over
    bot.close()
    assert bot.faults == faults()


def test_the_last_words_of_a_program_are_passed_on(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    bot = ExternalAgent(program(tmp_path, "ask()\nraise ValueError('no idea')"))
    play(bot)
    assert len(caplog.messages) == 1
    assert "it ended with status 1: ValueError: no idea; " in caplog.messages[0]


def test_standard_error_can_go_to_a_file(tmp_path: Path) -> None:
    log = tmp_path / "bot.log"
    body = "sys.stderr.write('I am here\\n')\nwhile True: first(ask())"
    bot = ExternalAgent(program(tmp_path, body, f"log={log}"))
    play(bot)
    bot.close()
    assert log.read_text() == "I am here\n"


def test_it_is_told_of_its_fault(tmp_path: Path) -> None:
    body = """
m = ask(); say({"action": "fly"})
m = ask(); open(sys.argv[1], "w").write(m["fault"]); first(m)
m = ask(); open(sys.argv[1], "a").write("|" + str(m.get("fault"))); first(m)
while True: first(ask())
"""
    told = tmp_path / "told"
    bot = ExternalAgent(f"{program(tmp_path, body)} {told}")
    play(bot)
    bot.close()
    assert told.read_text() == "'fly': there is no such action; roll was played|None"
    assert bot.faults == faults(illegal=1)


# --- limits ---


def test_a_new_process_is_started_so_many_times_a_game(tmp_path: Path) -> None:
    body = """
open(sys.argv[1], "a").write("x")
first(ask())
ask()
"""
    starts = tmp_path / "starts"
    bot = ExternalAgent(f"{program(tmp_path, body, 'restarts=2')} {starts}")
    game = play(bot)
    assert starts.read_text() == "xxx"
    own = sum(seat == 0 for seat, _ in game.history)
    assert bot.faults == faults(crashed=own - 3)
    play(bot, 2)
    assert starts.read_text() == "xxxxxx"  # it has another chance in each game


def test_a_program_that_never_answers_gets_no_second_chance(tmp_path: Path) -> None:
    starts = tmp_path / "starts"
    body = "open(sys.argv[1], 'a').write('x')\nsys.exit(1)"
    bot = ExternalAgent(f"{program(tmp_path, body)} {starts}")
    play(bot)
    assert starts.read_text() == "x"


def test_a_program_may_end_after_each_game(tmp_path: Path) -> None:
    body = """
for message in messages:
    if message["type"] == "decide":
        first(message)
    if message["type"] == "result":
        sys.exit(0)
"""
    bot = ExternalAgent(program(tmp_path, body))
    for seed in range(3):
        play(bot, seed)
    assert bot.faults == faults()


def test_time_for_a_game(tmp_path: Path) -> None:
    body = "while True: m = ask(); time.sleep(0.3); first(m)"
    bot = ExternalAgent(program(tmp_path, body, "decision=2 first=2 game=2"))
    game = play(bot)
    bot.close()
    own = sum(seat == 0 for seat, _ in game.history)
    assert own - 6 <= bot.faults["timed_out"] < own
    assert sum(bot.faults.values()) == bot.faults["timed_out"]


def test_options_of_a_command(tmp_path: Path) -> None:
    log = str(tmp_path / "x.log")
    limits, words = parse_command(f"decision=2.5 game=60 log={log} {sys.executable} a=b 'c d'")
    assert limits == Limits(decision=2.5, game=60.0, log=log)
    assert words == [sys.executable, "a=b", "c d"]


@pytest.mark.parametrize(
    ("command", "says"),
    [
        ("", "names no program"),
        ("decision=1", "names no program"),
        ("no_such_program_at_all --x", "there is no program 'no_such_program_at_all'"),
        ("'", "cannot be split into words: No closing quotation"),
        ("speed=3 python3", r"speed: there is no such limit; use one of decision"),
        ("decision=-1 python3", "decision: must be a number of seconds up to 86400, not '-1'"),
        ("decision=nan python3", "must be a number of seconds"),
        ("decision=inf python3", "must be a number of seconds"),
        ("decision=0 python3", "must be a number of seconds"),
        ("restarts=1.5 python3", "restarts: must be a whole number"),
        ("log= python3", "log: must be one line of printable text"),
        ("log=/no/such/folder/x python3", "log: cannot be written: No such file"),
        ("python3 a\0b", "must be one line of printable text"),
        ("python3\nrm", "must be one line of printable text"),
    ],
)
def test_a_bad_command_is_one_line(command: str, says: str) -> None:
    with pytest.raises(AgentError, match=says) as refused:
        ExternalAgent(command)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 400


def test_a_file_that_only_needs_its_folder_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    file = tmp_path / "bot.sh"
    file.write_text("#!/bin/sh\nexit 0\n")
    file.chmod(0o755)
    with pytest.raises(AgentError, match=r"is it \./bot\.sh\?"):
        ExternalAgent("bot.sh")
    assert ExternalAgent("./bot.sh").faults == faults()


def test_a_file_that_is_no_program(tmp_path: Path) -> None:
    file = tmp_path / "bot"
    file.write_bytes(b"\x00\x01\x02")
    file.chmod(0o755)
    bot = ExternalAgent(str(file))
    assert play(bot).over
    assert bot.faults["crashed"] > 0


def test_found_by_name(tmp_path: Path) -> None:
    spec, rest = find_agent("exec:" + program(tmp_path, GOOD))
    assert spec.policy is None
    bot = spec.factory(*rest)
    assert bot.name == "exec:" + rest[0]  # type: ignore[attr-defined]


# --- no process is left behind ---

FORKS = """
if os.fork() == 0:
    import signal
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
    time.sleep(600)
open(sys.argv[1], "a").write(f"{os.getpid()}\\n")
"""


def pids_in(file: Path, count: int = 2) -> list[int]:
    assert wait_until(lambda: file.exists() and len(file.read_text().split()) >= count)
    return [int(pid) for pid in file.read_text().split()]


@pytest.mark.parametrize("end", ["while True: first(ask())", "first(ask()); os._exit(1)"])
def test_children_end_with_their_program(end: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot = ExternalAgent(f"{program(tmp_path, FORKS + end, QUICK)} {pids}")
    assert play(bot).over
    bot.close()
    for pid in pids_in(pids):
        assert wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


def test_a_bot_that_is_dropped_takes_its_program_along(tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    bot: ExternalAgent | None = ExternalAgent(f"{program(tmp_path, FORKS + GOOD)} {pids}")
    assert bot is not None
    play(bot)
    found = pids_in(pids)
    bot = None
    for pid in found:
        assert wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


PARENT = """
import os, sys, time
from monopoly_agents.external import protocol
from monopoly_agents.external.agent import ExternalAgent
from monopoly_env import Game
from monopoly_env.view import View
bot = ExternalAgent(sys.argv[1])
bot.decide(View.of(Game(players=2, seed=1)))
print("playing", flush=True)
if sys.argv[2] == "exit":
    sys.exit(0)
if sys.argv[2] == "_exit":
    os._exit(1)
time.sleep(600)
"""


@pytest.mark.parametrize("how", ["exit", "_exit", "SIGTERM", "SIGINT", "SIGKILL"])
def test_programs_end_with_whoever_started_them(how: str, tmp_path: Path) -> None:
    pids = tmp_path / "pids"
    command = f"{program(tmp_path, FORKS + GOOD)} {pids}"
    parent = subprocess.Popen(
        [sys.executable, "-c", PARENT, command, how],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    assert parent.stdout is not None
    assert parent.stdout.readline() == "playing\n"
    found = pids_in(pids)
    if how.startswith("SIG"):
        parent.send_signal(getattr(signal, how))
    parent.wait(20)
    parent.stdout.close()
    for pid in found:
        assert wait_until(lambda pid=pid: not is_running(pid))  # type: ignore[misc]


FORKER = """
import gc, os, sys
from monopoly_agents.external.agent import ExternalAgent
from monopoly_env import Game
from monopoly_env.view import View
view = View.of(Game(players=2, seed=1))
bot = ExternalAgent(sys.argv[1])
bot.decide(view)
if os.fork() == 0:
    del bot
    gc.collect()
    other = ExternalAgent(sys.argv[1])
    other.decide(view)
    other.close()
    os._exit(sum(other.faults.values()))
status = os.wait()[1]
bot.decide(view)
bot.close()
print(status, sum(bot.faults.values()))
"""


def test_a_forked_process_leaves_its_parents_programs_alone(tmp_path: Path) -> None:
    command = [sys.executable, "-c", FORKER, program(tmp_path, GOOD)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True)
    assert done.stdout == "0 0\n"


# --- what is played instead ---


@pytest.mark.parametrize(
    ("position", "action"),
    [
        (turn_over({"deeds": ["reading"]}), "end_turn"),
        (buying("boardwalk", 1000), "auction"),
        (bidding("boardwalk", 1000, 50), "pass"),
        (asked({}, {"deeds": ["reading"]}, deal_give=["reading"], deal_ask_cash=50), "reject"),
        (owing(50, deeds=["reading", "boardwalk"]), "mortgage:reading"),
        (owing(5000, deeds=["reading*"]), "bankrupt"),
        ({}, "roll"),
        ({"A": {"jail": 0}}, "roll"),
    ],
    ids=str,
)
def test_what_is_played_for_a_silent_player(position: dict[str, object], action: str) -> None:
    game = seated(position)
    assert game.text(safe_action(game.legal_mask())) == action


def test_only_known_actions_are_safe() -> None:
    assert set(ORDER) <= set(KINDS)


def test_silent_players_finish_their_games() -> None:
    game = Game(players=3, seed=1, journal=False)
    while not game.over:
        game.play(safe_action(game.legal_mask()))
    assert game.winners
