"""What is paid, when, and that shaping adds up to nothing."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from monopoly_env import Game, monopoly_v0
from monopoly_env.encoding import reward as rewards
from monopoly_env.encoding.reward import NetWorthShare, Rank, Reward, Win, WinOnly, make_reward
from tests.envs.players import decisions

RICH = {
    "players": 4,
    "A": {"cash": 3000},
    "B": {"cash": 2000},
    "C": {"cash": 2000},
    "D": {"out": True},
}


def paid(position, seat, code):
    game = Game.from_position(position, seed=1)
    return rewards.reward_at_end(game.state, game.edition.rules[0], seat, code)


def test_the_winner_takes_what_the_others_lose():
    assert paid(RICH, 0, rewards.End.WIN) == 1
    assert [paid(RICH, seat, rewards.End.WIN) for seat in (1, 2, 3)] == pytest.approx([-1 / 3] * 3)
    assert [paid(RICH, seat, rewards.End.PLUS_MINUS) for seat in range(4)] == [1, -1, -1, -1]


def test_a_shared_win_is_shared():
    tied = {**RICH, "A": {"cash": 2000}}
    shares = [paid(tied, seat, rewards.End.WIN) for seat in range(4)]
    assert shares == pytest.approx([1 / 9, 1 / 9, 1 / 9, -1 / 3])
    assert sum(shares) == pytest.approx(0)


def test_win_only_pays_the_winners_and_nobody_else():
    assert [paid(RICH, seat, rewards.End.WIN_ONLY) for seat in range(4)] == [1, 0, 0, 0]
    tied = {**RICH, "A": {"cash": 2000}}
    shares = [paid(tied, seat, rewards.End.WIN_ONLY) for seat in range(4)]
    assert shares == pytest.approx([1 / 3, 1 / 3, 1 / 3, 0])


def test_places_are_paid_in_equal_steps_and_ties_share():
    assert [paid(RICH, seat, rewards.End.RANK) for seat in range(4)] == pytest.approx([1, 0, 0, -1])


def test_net_worth_share_weighs_complete_groups():
    position = {
        "players": 2,
        "A": {"cash": 100, "deeds": ["park_place", "boardwalk", "reading"]},
        "B": {"cash": 500, "deeds": ["baltic*"]},
    }
    game = Game.from_position(position, seed=1)
    own = rewards.weighted_worth(game.state, game.edition.rules[0], 0)
    assert own == 100 + 2 * 750 + 1.5 * 200
    assert rewards.weighted_worth(game.state, game.edition.rules[0], 1) == 500 + 1.5 * 30
    share = rewards.reward_at_decision(
        game.state, game.edition.rules[0], 0, rewards.Each.NET_WORTH_SHARE
    )
    assert share == pytest.approx(own / 545)


def play(reward, seed=1, **parameters):
    """Rewards by agent, one for each time it was asked."""
    env = monopoly_v0.raw_env(reward=reward, **parameters)
    env.reset(seed=seed)
    found = {agent: [] for agent in env.possible_agents}
    for agent, _, amount in decisions(env, seed):
        found[agent].append(amount)
    return found


def test_rank_sums_to_nothing():
    found = play("rank")
    totals = sorted(sum(amounts) for amounts in found.values())
    assert totals == pytest.approx([-1, -1 / 3, 1 / 3, 1])


@pytest.mark.parametrize("elimination", ["immediate", "end"])
def test_shaping_adds_up_to_minus_the_first_potential(elimination):
    """With gamma 1 the sum telescopes: the end pays 0 - potential at the first decision."""
    plain = play("win", elimination=elimination)
    shaped = play({"name": "win", "potential": "net_worth"}, elimination=elimination)
    for agent, amounts in plain.items():
        assert len(shaped[agent]) == len(amounts)
        assert shaped[agent][0] == 0
        assert sum(shaped[agent]) - sum(amounts) == pytest.approx(-0.25, abs=0.03)
        assert any(amount != 0 for amount in shaped[agent][1:-1])


def test_shaping_is_discounted_between_own_decisions():
    gamma = 0.9
    env = monopoly_v0.raw_env(reward=Win(potential="net_worth", gamma=gamma))
    env.reset(seed=3)
    seen = {agent: [] for agent in env.possible_agents}
    for agent, _, amount in decisions(env, 3, limit=300):
        worth = [row.worth for row in sorted(env.game.standings(), key=lambda row: row.player)]
        seat = env.possible_agents.index(agent)
        seen[agent].append((worth[seat] / sum(worth), amount))
    for rows in seen.values():
        for (before, _), (now, amount) in pairwise(rows):
            assert amount == pytest.approx(gamma * now - before, abs=1e-6)


def test_a_truncation_pays_by_standings_or_leaves_it_to_the_learner():
    rules = {"max_turns": 40}
    standings = play("win", rules=rules)
    assert sum(sum(amounts) for amounts in standings.values()) == pytest.approx(0)
    assert any(sum(amounts) for amounts in standings.values())
    left = play({"name": "win", "truncation": "bootstrap"}, rules=rules)
    assert not any(sum(amounts) for amounts in left.values())


def test_win_only_pays_one_a_game_and_nothing_when_a_limit_ends_it():
    over = play("win_only")
    assert sorted(sum(amounts) for amounts in over.values()) == [0, 0, 0, 1]
    stalled = play("win_only", rules={"max_turns": 40})
    assert not any(any(amounts) for amounts in stalled.values())


def test_a_truncation_of_zero_takes_the_potential_back():
    reward = {"name": "win_only", "potential": "net_worth"}
    found = play(reward, rules={"max_turns": 40})
    assert [sum(amounts) for amounts in found.values()] == pytest.approx([-0.25] * 4, abs=0.03)


def test_a_truncation_keeps_the_potential():
    rules = {"max_decisions": 60}
    reward = {"name": "win", "potential": "net_worth", "truncation": "bootstrap"}
    env = monopoly_v0.raw_env(reward=reward, rules=rules)
    env.reset(seed=1)
    total, first = {}, {}
    for agent, _, amount in decisions(env, 1, limit=60):
        total[agent] = total.get(agent, 0) + amount
        first.setdefault(agent, 0.25)
    worth = {row.player: row.worth for row in env.game.standings()}
    for seat, agent in enumerate(env.possible_agents):
        share = worth["ABCD"[seat]] / sum(worth.values())
        got = total[agent] + env._cumulative_rewards[agent]
        assert got == pytest.approx(share - 0.25, abs=0.02)


def test_the_papers_reward_is_paid_at_every_own_decision():
    found = play(NetWorthShare(end_scale=10.0), rules={"max_turns": 100})
    for amounts in found.values():
        assert amounts[0] == 0
        assert all(amount > 0 for amount in amounts[1:-1])
    lasts = sorted(amounts[-1] for amounts in found.values())
    assert lasts == pytest.approx([-10, -10, -10, 10])


def test_rewards_by_name():
    assert make_reward() == Win()
    assert make_reward("rank") == Rank()
    assert make_reward("win_only") == WinOnly()
    assert (WinOnly().end, WinOnly().truncation) == ("win_only", "zero")
    assert WinOnly(end_scale=2).last_place(4) == 0
    assert make_reward({"name": "net_worth", "end_scale": 10}).end_scale == 10
    assert make_reward({"potential": "net_worth"}) == Win(potential="net_worth")
    kept = Reward(end="none")
    assert make_reward(kept) is kept
    assert np.isclose(Rank(end_scale=2).last_place(4), -2)
    assert np.isclose(Win().last_place(4), -1 / 3)


def test_scales_may_be_numbers_of_numpy() -> None:
    reward = WinOnly(end_scale=np.float32(2), gamma=np.float64(0.5))
    assert reward == WinOnly(end_scale=2.0, gamma=0.5)
    assert type(reward.end_scale) is float
