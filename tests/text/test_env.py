"""Games in text: who is asked what, what answers come to, and what is counted and paid."""

from __future__ import annotations

import copy
import pickle

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env

from monopoly_env import Game, SingleSeatEnv, TextEnv
from monopoly_env.bots import make_agent
from monopoly_env.errors import InputError
from monopoly_env.text.decision_filter import SHORT, Ask
from monopoly_env.text.episode import COUNTED
from tests.agents.positions import buying

BOTS = ("background", "fixed_a", "random")
BUYING = {"players": 4, **buying("boardwalk", 1000, "reading")}


def play(env: TextEnv, bot: object, seed: int, most: int = 2000) -> tuple[float, list[dict]]:
    """A game in which a bot answers by the text of its action; all rewards, and the infos."""
    _, info = env.reset(seed=seed)
    bot.reset(seed)
    gain, infos = 0.0, [info]
    for _ in range(most):
        view = env.view
        action = bot.decide(view)
        text = view.game.text(action) if view.mask[action] else info["legal_actions"][0]
        _, reward, terminated, truncated, info = env.step(f'{{"action": "{text}"}}')
        gain += reward
        infos.append(info)
        if terminated or truncated:
            return gain, infos
    raise AssertionError("the game does not end")


@pytest.mark.parametrize("reward", ["win", "rank", "net_worth"])
@pytest.mark.parametrize("seed", [3, 4])
def test_all_decisions_make_the_game_that_the_environment_of_one_seat_plays(
    seed: int, reward: str
) -> None:
    rules = {"max_turns": 60}
    one = SingleSeatEnv(opponents=BOTS, seat=0, skip_forced=True, reward=reward, rules=rules)
    env = TextEnv(opponents=BOTS, reward=reward, rules=rules)
    bot = make_agent("fixed_b")
    _, info = one.reset(seed=seed)
    _, told = env.reset(seed=seed)
    ended = False
    while not ended:
        view = env.view
        assert view.mask.tolist() == info["action_mask"].tolist()
        action = bot.decide(view)
        _, paid, terminated, truncated, info = one.step(action)
        _, reward_, *flags, told = env.step(view.game.text(action))
        assert (reward_, *flags) == (paid, terminated, truncated)
        ended = terminated or truncated
    result = told["results"]["A"]
    assert (result["rank"], result["win"]) == (info["rank"], info["win"])
    assert told["counts"]["left"] == 0


def test_gymnasiums_checker_passes() -> None:
    env = gymnasium.make(
        "monopoly_env/MonopolyText-v0", preset="short", rules={"max_turns": 20}, tries=1
    )
    check_env(env.unwrapped, skip_render_check=True)
    assert env.unwrapped.render() is None


@pytest.mark.parametrize("preset", ["full", "short"])
def test_the_same_seed_and_answers_are_the_same_text(preset: str) -> None:
    env, other = TextEnv(preset, opponents=BOTS), TextEnv(preset, opponents=BOTS)
    first, _ = env.reset(seed=5)
    second, _ = other.reset(seed=5)
    assert first == second == env.observe() == env.observe()
    for _ in range(30):
        first, *_ = env.step("1")
        second, *_ = other.step('{"action": 1}')
        assert first == second


def test_copies_and_pickles_go_on_alike() -> None:
    env = TextEnv("short", opponents=BOTS)
    env.reset(seed=5)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for _ in range(20):
        text = env.step("1")[0]
        assert [twin.step("1")[0] for twin in twins] == [text, text]


def test_games_without_a_seed_follow_from_the_last_one() -> None:
    runs = []
    for _ in range(2):
        env = TextEnv("short", opponents=["random"])
        env.reset(seed=1)
        runs.append([env.reset()[0], env.reset()[1]["game_seed"]])
    assert runs[0] == runs[1]


# What is asked


def test_short_asks_what_matters_and_a_bot_does_the_rest() -> None:
    _, infos = play(TextEnv("short", opponents=BOTS), make_agent("strategist"), 3)
    asked = {info["phase"] for info in infos[:-1]}
    assert {"BUY", "AUCTION", "END", "DEBT"} <= asked <= set(SHORT)
    for info in infos[:-1]:
        kinds = {action.partition(":")[0] for action in info["legal_actions"]}
        assert len(info["legal_actions"]) > 1
        assert kinds & set(SHORT[info["phase"]].when or SHORT[info["phase"]].kinds)
        assert kinds <= set(SHORT[info["phase"]].kinds)
    assert infos[-1]["counts"]["left"] > 0


def test_the_bot_builds_and_deals_for_nobody() -> None:
    """What the model decides elsewhere is not done for it between its questions."""
    env = TextEnv("short", opponents=["background"] * 3, rest="strategist")
    for seed in range(3):
        _, info = env.reset(seed=seed)
        while "results" not in info:
            go_on = [
                a for a in info["legal_actions"] if a in ("end_turn", "auction", "pass", "roll")
            ]
            *_, info = env.step(go_on[0] if go_on else "1")
        done = {env.game.text(a).partition(":")[0] for s, a in env.game.history if s == 0}
        assert not done & {"build", "propose", "buy", "deal"}


def test_offers_that_were_passed_over_are_not_shown_again_at_once() -> None:
    once = TextEnv("short", opponents=BOTS)
    always = TextEnv("short", opponents=BOTS, repeat_offers=True)
    fewer, more = (
        play(env, make_agent("background"), 4)[1][-1]["counts"] for env in (once, always)
    )
    assert fewer["decisions"] < more["decisions"]


def test_asks_of_ones_own() -> None:
    env = TextEnv(asks={"BUY": Ask(("buy", "auction", "pass"))}, opponents=BOTS)
    _, infos = play(env, make_agent("fixed_a"), 1)
    assert {info["phase"] for info in infos[:-1]} == {"BUY"}


# Several seats


def test_several_seats_hear_what_happened_since_they_decided() -> None:
    env = TextEnv("short", seats="AC", opponents=["background", "random"])
    _, info = env.reset(seed=3)
    asked, heard = set(), {"A": set(), "C": set()}
    while "results" not in info:
        asked.add(info["seat"])
        heard[info["seat"]] |= {event.text for event in env.view.events}
        *_, info = env.step("1")
    assert asked == {"A", "C"} == set(info["results"]) == set(info["rewards"])
    assert any(text.startswith("C ") for text in heard["A"])
    assert any(text.startswith("A ") for text in heard["C"])


def test_a_seat_hears_each_event_once() -> None:
    env = TextEnv("full", seats="all", num_players=3, rules={"max_turns": 30})
    _, info = env.reset(seed=3)
    turns = {seat: [] for seat in "ABC"}
    while "results" not in info:
        events = env.view.events
        turns[info["seat"]] += [e.text for e in events if e.text.startswith("turn ")]
        *_, info = env.step("1")
    for told in turns.values():
        assert told
        assert len(told) == len(set(told))


def test_rewards_of_all_seats_sum_to_nothing() -> None:
    env = TextEnv("short", seats="all", num_players=3)
    _, info = env.reset(seed=8)
    gains = dict.fromkeys("ABC", 0.0)
    while "results" not in info:
        _, _, terminated, truncated, info = env.step("1")
        for seat, paid in info["rewards"].items():
            gains[seat] += paid
    assert sum(gains.values()) == pytest.approx(0)
    assert {seat: row["gain"] for seat, row in info["results"].items()} == gains
    assert terminated != truncated


def test_a_random_seat_is_drawn_by_the_seed() -> None:
    env = TextEnv("short", seats="random", opponents=["random"] * 3)
    seats = [env.reset(seed=seed)[1]["seat"] for seed in range(20)]
    assert set(seats) == set("ABCD")
    assert seats == [env.reset(seed=seed)[1]["seat"] for seed in range(20)]
    assert env.reset(seed=1, options={"seats": "D"})[1]["seat"] == "D"


# Answers


def at_boardwalk(**options: object) -> TextEnv:
    env = TextEnv("short", opponents=["background"] * 3, **options)
    env.reset(seed=1, options={"position": BUYING})
    return env


def test_a_bad_answer_gets_the_reason_and_another_try() -> None:
    env = at_boardwalk()
    before = env.game
    text, reward, terminated, truncated, info = env.step('{"action": "build:boardwalk"}')
    assert text.splitlines()[0].startswith(
        "Not played: build:boardwalk: not possible in this phase"
    )
    assert "2 tries left" in text.splitlines()[0]
    assert (reward, terminated, truncated, info["played"], info["tries_left"]) == (
        0,
        False,
        False,
        [],
        2,
    )
    assert env.game == before
    text, *_, info = env.step("I am not sure.")
    assert "names no action; answer with a number from 1 to 3 (1 try left)" in text
    assert env.game == before
    text, *_, info = env.step("2")
    assert info["by"] == "model"
    counts = {name: n for name, n in info["counts"].items() if n}
    assert counts["illegal"] == counts["unreadable"] == 1
    assert counts["answers"] == 3
    assert "fallbacks" not in counts


@pytest.mark.parametrize(
    ("fallback", "played"), [("safe", "auction"), ("first", "buy"), ("strategist", "buy")]
)
def test_after_the_last_try_the_fallback_decides(fallback: str, played: str) -> None:
    env = at_boardwalk(tries=2, fallback=fallback)
    env.step("?")
    *_, info = env.step("99")
    assert (info["by"], info["played"]) == ("fallback", [played])
    assert (
        info["counts"]["fallbacks"],
        info["counts"]["unreadable"],
        info["counts"]["illegal"],
    ) == (1, 1, 1)
    assert f"{played} was chosen for you" in env.observe().splitlines()[0]
    assert env.step("1")[0].startswith("Turn")  # the note is gone


def test_questions_are_answered_and_are_no_tries() -> None:
    env = at_boardwalk()
    text, *_, info = env.step('{"why": "build Boardwalk"}')
    assert text.splitlines()[0] == "build:boardwalk: not possible in this phase"
    assert (info["tries_left"], info["questions_left"]) == (3, 1)
    text, *_ = env.step("why 1")
    assert text.splitlines()[0] == "buy is legal: buy the property at its printed price (pay $400)"
    text, *_, info = env.step("why 1")
    assert "no question is left" in text.splitlines()[0]
    assert (info["counts"]["questions"], info["counts"]["unreadable"]) == (2, 1)


def test_counts_are_complete() -> None:
    env = TextEnv("short", opponents=BOTS, tries=2)
    _, info = env.reset(seed=6)
    answers = ["1", "nonsense", "999", "why 1"]
    for k in range(300):
        *_, info = env.step(answers[k % 4])
        if "results" in info:
            break
    counts = info["counts"]
    assert tuple(counts) == COUNTED
    useless = counts["unreadable"] + counts["illegal"]
    used = counts["answers"] - counts["questions"] - useless
    assert counts["decisions"] - used - counts["fallbacks"] in (0, 1)
    assert 0 < counts["fallbacks"] <= useless / 2


def test_several_actions_are_played_in_order() -> None:
    env = at_boardwalk()
    *_, info = env.step('{"actions": [3, "buy"]}')
    assert info["played"] == ["mortgage:reading", "buy"]
    assert (info["counts"]["answers"], info["counts"]["fallbacks"]) == (1, 0)
    assert env.game.owner("boardwalk") == "A"


def test_several_actions_stop_at_the_first_that_is_not_legal() -> None:
    env = at_boardwalk()
    text, *_, info = env.step('{"actions": [3, "mortgage:reading", "buy"]}')
    assert info["played"] == ["mortgage:reading"]
    assert text.splitlines()[0] == "Not played: mortgage:reading: it is already mortgaged."
    assert info["tries_left"] == 3  # it is another question


def test_no_action_is_played_after_dice_that_were_not_seen() -> None:
    env = TextEnv("short", opponents=["background"] * 3)
    env.reset(seed=7)
    text, *_, info = env.step('{"actions": ["buy", "end_turn", "buy"]}')
    assert info["played"] == ["buy", "end_turn"]
    assert text.splitlines()[0] == "Not played: buy; the game went on before."


# Where games begin and end


def test_positions_and_games_are_begun_at() -> None:
    env = at_boardwalk()
    assert env.observe().splitlines()[-2:] == [
        "1 buy (-$400); 2 auction",
        "mortgage: 3 Reading (+$100)",
    ]
    game = Game(players=4, seed=9)
    _, info = env.reset(seed=2, options={"position": game, "seats": "B"})
    assert info["seat"] == "B"
    assert env.reset(seed=2, options={"position": {**BUYING, "edition": "pokemon1999"}})


def test_a_limit_truncates_and_a_bankruptcy_terminates() -> None:
    env = TextEnv("short", rules={"max_turns": 8})
    _, info = env.reset(seed=1)
    while "results" not in info:
        text, _, terminated, truncated, info = env.step("1")
    assert (terminated, truncated) == (False, True)
    assert "a limit was reached" in text
    with pytest.raises(InputError, match="step: the episode is over; call reset"):
        env.step("1")


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"preset": "shrt"}, "preset: there is no preset 'shrt'; did you mean 'short'"),
        ({"detial": "full"}, "TextEnv: detial: there is no such option; did you mean 'detail'"),
        ({"detail": "tiny"}, "detail: must be one of full, compact, not 'tiny'"),
        ({"seats": "AA"}, "seats: must be different letters of"),
        ({"seats": "E"}, "seats: must be different letters of ABCD"),
        ({"seats": ["A"]}, "seats: must be letters"),
        ({"opponents": ["random"], "num_players": 4}, "need 3 bots, not 1"),
        ({"opponents": ["rndom"]}, "opponents: there is no bot 'rndom'"),
        ({"tries": 0}, "tries: must be from 1 to 100"),
        ({"questions": -1}, "questions: must be from 0 to 100"),
        ({"fallback": "saef"}, "fallback: there is no bot 'saef'"),
        ({"asks": {"BUUY": Ask(("buy",))}}, "asks: BUUY: there is no such phase"),
        ({"asks": {"BUY": ("buy",)}}, "asks: BUY: must be an Ask"),
        ({"asks": {"BUY": Ask(("by",))}}, "asks: BUY: there is no kind of action 'by'"),
    ],
    ids=str,
)
def test_bad_options_are_one_line(options: dict, problem: str) -> None:
    with pytest.raises(InputError, match=problem) as error:
        TextEnv(**options)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("options", "problem"),
    [
        ({"positon": 1}, "options: positon: there is no such option; did you mean 'position'"),
        ({"seats": "AB"}, "seats: the environment asks 1, not 2"),
        ({"edition": "classic"}, "edition goes with a position"),
        ({"position": {"players": 3}}, "position: has 3 players"),
        (
            {"position": {"players": 4, "turn": "B", "A": {"out": True}}},
            "seats: A is out of the game",
        ),
    ],
    ids=str,
)
def test_bad_resets_are_one_line(options: dict, problem: str) -> None:
    with pytest.raises(InputError, match=problem):
        TextEnv("short").reset(seed=1, options=options)


def test_what_needs_a_game_says_so() -> None:
    env = TextEnv("short")
    for what in ("seat", "game", "instructions"):
        with pytest.raises(InputError, match=f"{what}: no game has begun"):
            getattr(env, what)
    env.reset(seed=1)
    with pytest.raises(InputError, match="action: must be text"):
        env.step(1)
