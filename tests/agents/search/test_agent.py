"""search: budgets, repeatable decisions, and that it wins."""

from __future__ import annotations

import copy
import pickle

import pytest
from monopoly_agents.search.agent import SearchAgent, rollouts_of

from monopoly_env import Game
from monopoly_env.agent import make_agent
from monopoly_env.engine.actions import IDS
from monopoly_env.errors import AgentError
from monopoly_env.view import View
from tests.agents.positions import buying, decide, seated, turn_over


def test_a_budget_is_part_of_the_name() -> None:
    assert make_agent("search").name == "search:100"  # type: ignore[attr-defined]
    assert make_agent("search:7").name == "search:7"  # type: ignore[attr-defined]
    assert make_agent("search:time=0.5").name == "search:time=0.5"  # type: ignore[attr-defined]
    assert make_agent("search:veteran").name == "search:100:veteran"  # type: ignore[attr-defined]
    assert make_agent("search:7:trader").name == "search:7"  # type: ignore[attr-defined]


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("rest", ["x", "1", "-5", "2000000", "time=0", "time=x", "time=nan", "n=7"])
def test_a_budget_that_makes_no_sense_is_one_line(rest: str) -> None:
    with pytest.raises(AgentError, match="rollouts a decision, or search:time=SECONDS") as caught:
        make_agent(f"search:{rest}")
    assert "\n" not in str(caught.value)


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize(
    ("rest", "problem"),
    [
        ("7:veterann", "did you mean 'veteran'"),
        ("model:no/such/run", "no/such/run"),
        ("7:model:no/such/run", "no/such/run"),
        ("chmapion", "did you mean 'champion'"),
        ("7:", "4 to 1,000,000 rollouts a decision"),
        ("1_0", "4 to 1,000,000 rollouts a decision"),
        ("9" * 5000, "4 to 1,000,000 rollouts a decision"),
        ("search:" * 400 + "5", "bot that searches"),
        ("7:search:7", "bot that searches"),
        ("7:exec:true", "cannot save its state"),
        ("exec:true", "cannot save its state"),
        ("3:veteran", "4 to 1,000,000 rollouts a decision"),
        ("time=x:veteran", "search:time=SECONDS"),
    ],
)
def test_a_bot_that_cannot_be_searched_for_is_one_line(rest: str, problem: str) -> None:
    with pytest.raises(AgentError, match=problem) as caught:
        make_agent(f"search:{rest}")
    assert "\n" not in str(caught.value)


@pytest.mark.promise("determinism")
def test_the_same_seed_decides_alike() -> None:
    def game_of(seed: int) -> list[int]:
        game = Game("classic", 2, 4, rules={"max_turns": 24}, journal=False)
        bots = [SearchAgent(rollouts=6), make_agent("strategist")]
        for bot in bots:
            bot.reset(seed)
        while not game.over:
            game.play(bots[game.actor_seat].decide(View.of(game)))
        return [action for _, action in game.history]

    assert game_of(3) == game_of(3)


@pytest.mark.parametrize("deals", ["steps", "menu"])
@pytest.mark.parametrize("bot", ["veteran", "champion"])
def test_it_plays_like_its_bot_unless_something_is_better(bot: str, deals: str) -> None:
    """And its copy in mid-game decides as it would have decided."""
    game = Game("classic", 4, 7, rules={"max_turns": 40, "deals": deals}, journal=False)
    alone, searching = make_agent(bot), SearchAgent(rollouts=4, bot=bot)
    same = several = 0
    while not game.over:
        view = View.of(game)
        twin = SearchAgent(rollouts=4, bot=bot)
        twin.restore_state(searching.clone_state())
        action = searching.decide(view)
        assert twin.decide(view) == action
        if len(game.legal_ids()) > 1:
            several += 1
            same += action == alone.decide(view)
        game.play(action)
    assert 0.7 * several < same <= several


def seeds_drawn(bot: SearchAgent, game: Game, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The seeds of three decisions about one position."""
    seeds: list[int] = []

    def halving(*arguments: int) -> int:
        seeds.append(arguments[-1])
        return 0

    monkeypatch.setattr("monopoly_agents.search.agent.sequential_halving", halving)
    for _ in range(3):
        bot.decide(View.of(game))
    return seeds


def seeded(seed: int) -> SearchAgent:
    bot = SearchAgent(rollouts=6)
    bot.reset(seed)
    return bot


def test_what_others_do_does_not_change_what_it_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """As where somebody composes an offer in more steps than need be."""
    game = seated(buying("new_york", 900))
    later = game.copy()
    later.state["decisions"] += 5
    first = seeds_drawn(seeded(3), game, monkeypatch)
    assert seeds_drawn(seeded(3), later, monkeypatch) == first
    assert len({*first, *seeds_drawn(seeded(4), game, monkeypatch)}) == 6
    assert all(0 <= seed < 2**63 for seed in seeds_drawn(seeded(2**62), game, monkeypatch))


def test_a_copy_in_mid_game_draws_what_it_would_have_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    game, bot = seated(buying("new_york", 900)), seeded(3)
    seeds_drawn(bot, game, monkeypatch)
    restored = SearchAgent(rollouts=6)
    restored.restore_state(bot.clone_state())
    twins = [copy.deepcopy(bot), pickle.loads(pickle.dumps(bot)), restored]
    expected = seeds_drawn(bot, game, monkeypatch)
    assert all(seeds_drawn(twin, game, monkeypatch) == expected for twin in twins)


@pytest.mark.promise("determinism")
def test_a_bot_that_draws_starts_over_with_the_seed() -> None:
    """Also from a seed that is larger than the search's own."""
    given = turn_over({"cash": 900, "deeds": ["reading", "electric", "baltic"]})
    view, bot = View.of(seated(given)), SearchAgent(rollouts=4, bot="random")
    for _ in range(2):
        choices = []
        for seed in range(20):
            bot.reset(2**62 + seed)
            fresh = SearchAgent(rollouts=4, bot="random")
            fresh.reset(2**62 + seed)
            choices.append(fresh.decide(view))
            assert bot.decide(view) == choices[-1]
        assert len(set(choices)) > 1


@pytest.mark.parametrize("answer", [10**12, -5, IDS["accept"]])
def test_an_answer_that_is_not_legal_is_passed_on(answer: int) -> None:
    """Whoever asked a searching bot counts it, and replaces it."""
    bot = SearchAgent(rollouts=4, bot="random")
    view = View.of(seated(buying("new_york", 900)))
    bot.decide(view)
    bot._bots[view.seat].decide = lambda _: answer
    assert bot.decide(view) == answer


@pytest.mark.promise("isolation")
def test_no_decision_changes_with_what_is_hidden() -> None:
    game = Game("classic", 3, 3, rules={"max_turns": 16}, journal=False)
    seeing, blind = SearchAgent(rollouts=6), SearchAgent(rollouts=6)
    while not game.over:
        other = game.copy()
        other.redraw(7)
        action = seeing.decide(View.of(game))
        assert blind.decide(View.of(other)) == action
        game.play(action)


def test_a_time_budget_is_kept_to() -> None:
    bot = SearchAgent(seconds=0.05)
    assert decide(bot, seated(buying("new_york", 900))) in ("buy", "auction")


@pytest.mark.parametrize("edition", ["pokemon_fr2000", "yugioh2016"])
def test_plays_other_editions_and_tables(edition: str) -> None:
    game = Game(edition, 5, 2, rules={"max_turns": 30, "deals": "menu"}, journal=False)
    bot = SearchAgent(rollouts=4)
    while not game.over:
        game.play(bot.decide(View.of(game)))
    assert game.state["turns"] >= 30


def test_counts_its_rollouts() -> None:
    game = Game("classic", 4, 3)
    assert rollouts_of(game.state, game.edition.rules, 12) == 12


@pytest.mark.slow
@pytest.mark.learning
def test_beats_the_strategist() -> None:
    won = 0
    for number in range(40):
        game = Game("classic", 2, number // 2, journal=False)
        bots = [SearchAgent(rollouts=40), make_agent("strategist")]
        for bot in bots:
            bot.reset(number)
        mine = number % 2
        while not game.over:
            game.play(bots[game.actor_seat ^ mine].decide(View.of(game)))
        won += game.standings()[0].player == "AB"[mine]
    assert won > 22


def test_what_it_would_try_out_has_the_values_of_its_rollouts():
    game = Game(players=2, seed=4)
    game.play("roll")
    assert game.phase.name == "BUY"
    view = View.of(game)
    tried = [SearchAgent(rollouts=40).try_out(view, 40) for _ in range(2)]
    assert tried[0] == tried[1]  # the same seed, the same values
    texts = {game.text(one.action) for one in tried[0]}
    assert texts == {"buy", "auction"}
    for one in tried[0]:
        assert one.samples == 20
        assert 0 <= one.mean <= 1
        assert one.error > 0


def test_one_choice_alone_is_not_tried_out():
    view = View.of(Game(players=2, seed=4))
    (only,) = SearchAgent(rollouts=40).try_out(view, 40)
    assert only.samples == 0
