"""exec:COMMAND: what programs are sent, how they play, and what becomes of their faults."""

from __future__ import annotations

import json
import shutil
import sys
import time
from pathlib import Path

import pytest
from monopoly_agents.external import protocol
from monopoly_agents.external.agent import ExternalAgent, Limits, parse_command

from monopoly_env import Game
from monopoly_env.agent import find_agent, make_agent
from monopoly_env.bot_seeds import bot_seed
from monopoly_env.errors import AgentError
from monopoly_env.playing import GameLoop
from monopoly_env.view import View
from tests.agents.programs import is_running, program

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
    assert (hello["seat"], hello["seed"]) == ("A", bot_seed(1, 0))
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


@pytest.mark.promise("bots")
def test_faults_are_counted_by_decision_and_over_games(tmp_path: Path) -> None:
    bot = ExternalAgent(program(tmp_path, "while True: ask(); say({'action': 'fly'})"))
    asked = 0
    for seed in range(2):
        game = play(bot, seed)
        asked += sum(seat == 0 for seat, _ in game.history)
    bot.close()
    assert bot.faults == faults(illegal=asked)


@pytest.mark.promise("bots")
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


@pytest.mark.promise("bots")
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


@pytest.mark.promise("bad_input")
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
