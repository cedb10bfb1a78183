"""Games in text whose seats may negotiate: what is read, shown, refused, and kept in the record."""

from __future__ import annotations

import copy
import hashlib
import json
import pickle

import pytest

from monopoly_env import TextEnv
from monopoly_env.errors import InputError
from monopoly_env.replay import replay
from monopoly_env.text.talk_reading import last_object

THREE = {
    "players": 3,
    "turn": "A",
    "A": {"deeds": ["park_place", "baltic"], "cash": 1500},
    "B": {"deeds": ["boardwalk"], "cash": 800},
    "C": {"cash": 1500},
}
# Of the actions, the result and every observation of a game before there were negotiations.
BEFORE = {
    "full": "60485e9df9167dc006995a7d8d05e099b95021f8c403876e359916a9da8b34d2",
    "short": "dc11ee7fb3e9a85a0587c50c87c842c75694ab84b0b9ed217944570927e4dc9d",
}


def begun(seats: str = "all", **options: object) -> TextEnv:
    """A table at which A decides in its window, before its throw."""
    bots = [] if seats == "all" else ["background"] * (3 - len(seats))
    env = TextEnv("negotiation", seats=seats, opponents=bots, asks=None, num_players=3, **options)
    env.reset(seed=3, options={"position": THREE})
    return env


def answer(env: TextEnv, **said: object) -> tuple[str, dict]:
    shown, _, _, _, info = env.step(json.dumps(said))
    return shown, info


BUY = {"to": "B", "ask": ["Boardwalk"], "give_cash": 400}


@pytest.mark.parametrize("preset", ["full", "short"])
def test_without_a_negotiation_games_are_what_they_were(preset: str) -> None:
    env = TextEnv(preset, opponents=["background", "fixed_a", "random"], rules={"max_turns": 60})
    env.reset(seed=5)
    texts, over = [], False
    while not over:
        text, _, terminated, truncated, _ = env.step('{"action": 1}')
        texts.append(text)
        over = terminated or truncated
    record = env.record(["model"])
    assert "negotiation" not in record
    kept = {key: value for key, value in record.items() if key not in ("version", "answers")}
    assert hashlib.sha256(json.dumps([kept, texts]).encode()).hexdigest() == BEFORE[preset]


def test_who_says_nothing_plays_the_same_actions() -> None:
    played = []
    for talk in (None, {"offers": None}):
        env = TextEnv(
            "short",
            deals="steps",
            opponents=["background"] * 2,
            negotiation=talk,
            rules={"max_turns": 40},
        )
        env.reset(seed=5)
        over = False
        while not over:
            *_, terminated, truncated, _ = env.step('{"action": 1}')
            over = terminated or truncated
        played.append(env.record()["actions"])
    assert played[0] == played[1]


def test_a_message_is_answered_before_the_seat_goes_on() -> None:
    env = begun()
    shown, info = answer(env, say={"to": "B", "text": "Is Boardwalk for sale?"})
    assert (info["seat"], info["occasion"], info["legal_actions"]) == ("B", "reply", ["silent"])
    assert 'A to you: "Is Boardwalk for sale?"' in shown
    assert "You are B." in shown
    shown, info = answer(env, say={"to": "A", "text": "For 700."})
    assert (info["seat"], info["occasion"]) == ("A", "move")
    assert 'B to you: "For 700."' in shown
    assert info["words_left"] == 1500 - 4


def test_what_is_said_to_another_is_not_shown() -> None:
    env = begun()
    answer(env, say={"to": "B", "text": "a secret"})
    answer(env, action=1)
    shown = env.observe()
    while env.seat != "C":
        shown, _ = answer(env, action=1)
    assert "secret" not in shown


def test_offer_counter_and_agreement() -> None:
    env = begun()
    shown, info = answer(env, offer={**BUY, "chance": 0.3}, say={"to": "B", "text": "Please."})
    assert (info["seat"], info["phase"], info["occasion"]) == ("B", "ANSWER", "move")
    assert 'A to you: "Please."' in shown
    assert "A offers you (exchange 1, step 1): you get $400, you give Boardwalk." in shown
    assert "chance" not in shown
    shown, info = answer(env, counter={"to": "A", "give": ["Boardwalk"], "ask_cash": 700})
    assert (info["seat"], info["occasion"]) == ("A", "counter")
    assert info["legal_actions"] == ["take", "refuse"]
    assert "B counters to you (exchange 1, step 2): you get Boardwalk, you give $700." in shown
    shown, info = answer(env, action="take", say={"to": "B", "text": "Done."})
    assert env.game.owner("boardwalk") == "A"
    assert env.game.cash[:2] == (800, 1500)
    record = env.record()
    kinds = [entry["kind"] for entry in record["negotiation"]["entries"]]
    assert kinds == ["say", "offer", "refuse", "counter", "say", "accept"]
    assert replay(json.loads(json.dumps(record))) == env.game
    assert env.results()["B"]["counts"]["counters"] == 1


def test_promises_are_shown_and_judged() -> None:
    env = begun()
    promise = {"kind": "keep", "to": "B", "deed": "Baltic", "until": 3}
    shown, _ = answer(env, promise=promise)
    assert "Open promises: A promised not to part with Baltic before round 3 is over." in shown
    answer(env, offer={"to": "C", "give": ["Baltic"], "ask_cash": 80})
    answer(env, action="accept")
    last = env.record()["negotiation"]["entries"][-1]
    assert (last["kind"], last["by"], last["number"]) == ("broken", "A", 1)
    while env.seat != "B":
        answer(env, action=1)
    assert "Promise 1 of A is broken: parted with it." in env.observe()


@pytest.mark.parametrize(
    ("said", "note"),
    [
        ({"offer": {"to": "B", "ask": ["Baltic"], "give_cash": 5}}, "it belongs to another player"),
        ({"offer": BUY, "action": 1}, "give an offer or an action, one of them"),
        ({"say": "x " * 50}, "say: has 50 words; a message may have 40"),
        ({"say": "hello", "action": 99}, "there is no action 99"),
        ({"promise": {"kind": "sell"}}, "promise.until: is missing"),
        ({"counter": BUY, "say": {"to": "F", "text": "x"}}, "say.to: must be one of B, C, all"),
    ],
)
def test_an_answer_of_no_use_changes_nothing_and_is_kept(said: dict, note: str) -> None:
    env = begun()
    before = env.game
    shown, info = answer(env, **said)
    assert note in shown
    assert (info["tries_left"], info["seat"]) == (2, "A")
    assert env.game == before
    assert env.record()["negotiation"]["entries"] == []
    (row,) = env.record()["answers"]
    assert (row["seat"], row["at"], row["fault"]) == ("A", 0, "illegal")
    assert note in row["note"]
    assert json.loads(row["answer"]) == said


def test_after_the_last_try_a_spoken_question_is_silence_or_a_refusal() -> None:
    env = begun(tries=1)
    answer(env, say={"to": "B", "text": "Hello?"})
    _, info = answer(env, action=7)
    assert (info["seat"], env.results()["B"]["counts"]["fallbacks"]) == ("A", 1)
    answer(env, offer=BUY)
    answer(env, counter={"to": "A", "give": ["Boardwalk"], "ask_cash": 700})
    answer(env, action="nonsense")
    assert env.game.owner("boardwalk") == "B"
    last = env.record()["answers"][-1]
    assert (last["by"], last["fault"], last["played"]) == ("fallback", "illegal", ["refuse"])


def test_a_bot_without_words_answers_and_one_with_words_replies() -> None:
    for bot, replies in (("background", False), ("negotiator", True)):
        env = TextEnv("negotiation", opponents=[bot] * 2, asks=None)
        env.reset(seed=3, options={"position": THREE})
        shown, info = answer(env, say={"to": "B", "text": "Hello?"})
        assert info["seat"] == "A"
        assert ("B to you" in shown) is replies


def test_beliefs_are_asked_for() -> None:
    env = begun(negotiation={"beliefs": True})
    assert '"chance": 0.6' in env.instructions
    shown, _ = answer(env, offer=BUY)
    assert "needs the chance that it is accepted" in shown
    answer(env, offer={**BUY, "chance": 0.4})
    (entry,) = env.record()["negotiation"]["entries"]
    assert entry["chance"] == 0.4


def test_offers_are_no_numbered_actions_here() -> None:
    env = begun()
    assert not any(text.startswith(("deal", "propose")) for text in env.legal_actions())
    assert "You may make an offer (4 left this turn). 1500 words left." in env.observe()


def test_copies_and_pickles_go_on_alike() -> None:
    env = TextEnv("negotiation", opponents=["negotiator", "negotiator:0.5"])
    env.reset(seed=5)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(15):
        text = env.step('{"action": 1}')[0]
        assert [twin.step('{"action": 1}')[0] for twin in twins] == [text, text]
    assert len({json.dumps(one.record()) for one in (env, *twins)}) == 1


def test_a_whole_game_with_bots_that_speak_ends_and_replays() -> None:
    env = TextEnv("negotiation", opponents=["negotiator"] * 2, rules={"max_turns": 60})
    _, info = env.reset(seed=2)
    while "results" not in info:
        _, info = answer(env, action=1)
    assert replay(env.record()).over


def test_menus_have_no_whole_offers() -> None:
    with pytest.raises(InputError, match="negotiation: needs deals='steps'"):
        TextEnv("negotiation", deals="menu")
    with pytest.raises(InputError, match="negotiation: word"):
        TextEnv("negotiation", negotiation={"word": 3})


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ('I say {"say": {"to": "B", "text": "{no}"}} end', {"say": {"to": "B", "text": "{no}"}}),
        ('{"x": 1} {"action": 2} {"y": 3}', {"action": 2}),
        ('{"action": 1} then {"offer": {"to": "B"}}', {"offer": {"to": "B"}}),
        ('{ broken {"action": 4}', {"action": 4}),
        ("nothing", None),
    ],
)
def test_the_last_object_that_says_anything_counts(text: str, found: object) -> None:
    assert last_object(text, ("say", "offer", "action")) == found


# Every seat reads its own


@pytest.mark.parametrize("seat", ["A", "B", "C"])
def test_the_prompt_is_right_for_every_seat(seat: str) -> None:
    """The same stub plays from each seat: it is told who it is, what it has, and what it may do."""
    env = TextEnv("negotiation", seats=seat, opponents=["background"] * 2, rules={"max_turns": 40})
    _, info = env.reset(seed=4)
    while "results" not in info:
        prompt, game = env.prompt(), env.game
        assert f"You play Monopoly as {seat}." in prompt
        assert f"You are {seat}." in prompt
        (own,) = [line for line in prompt.splitlines() if line.startswith(f"{seat} (you) ")]
        assert own.startswith(
            f"{seat} (you) ${game.hand(seat).cash}, worth ${game.hand(seat).worth}"
        )
        assert prompt.count("(you)") == 1
        assert game.actor == seat
        assert all(game.why(action).name == "OK" for action in info["legal_actions"])
        _, info = answer(env, action=1)
