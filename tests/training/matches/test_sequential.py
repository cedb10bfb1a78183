"""Games in which Python asks every seat: bots hear what happens, and their faults end nothing."""

from __future__ import annotations

import numpy as np
import pytest
from monopoly_training.matches.entrants import Entrant, entrant
from monopoly_training.matches.runner import Players, play_seating
from monopoly_training.matches.sequential import GuardedAgent, play_sequentially

from monopoly_env import Game
from monopoly_env.agent import AgentSpec, make_agent
from monopoly_env.bots.compiled_agent import CompiledAgent
from monopoly_env.envs.options import TableOptions
from monopoly_env.view import View

RULES = {"max_turns": 40, "deals": "off"}


class Curious:
    """Plays as a compiled bot does, and keeps what it hears."""

    def __init__(self, policy):
        self.bot, self.heard, self.last = CompiledAgent(policy, "curious"), [], None

    def reset(self, seed):
        self.bot.reset(seed)

    def decide(self, view):
        self.heard.append([str(event) for event in view.events])
        return self.bot.decide(view)

    def finish(self, game):
        self.last = game


def test_agents_hear_what_happened_and_how_it_ended():
    bot = entrant("fixed_a")
    curious = Curious(bot.policy)
    players = Players([Entrant("curious", AgentSpec("curious", "", lambda: curious)), bot])
    ((_, outcome),) = play_seating(
        players, (0, 1), np.array([3]), TableOptions(rules=RULES, skip_forced=True), lambda _: True
    )
    assert curious.last.over
    assert len(curious.heard) == outcome.timed_decisions[0] > 0
    texts = " ".join(text for events in curious.heard for text in events)
    assert "A throws" in texts
    assert "B throws" in texts
    assert len(outcome.actions) == outcome.decisions


class Answers:
    """Answers as it is told, and raises what is an error."""

    faults = {"timed_out": 2}  # noqa: RUF012 - what a bot counts itself

    def __init__(self, *answers):
        self.answers = list(answers)

    def reset(self, seed):
        raise ValueError(seed)

    def decide(self, view):
        view.mask[:] = 1  # its own copy
        answer = self.answers.pop(0)
        if isinstance(answer, BaseException):
            raise answer
        return answer

    def finish(self, game):
        raise KeyError(game)


@pytest.mark.promise("bots")
def test_faults_are_counted_and_settled():
    game = Game(players=2, seed=3)
    guarded = GuardedAgent(Answers(-1, "roll", KeyError(), SystemExit(1), 10**9))
    guarded.reset(1)
    for _ in range(5):
        assert game.legal_mask()[guarded.decide(View.of(game))]
    guarded.finish(game)
    assert guarded.faults() == (3, 0, 4)  # illegal; timed out since it began; crashed
    assert guarded.decisions == 5
    assert guarded.seconds > 0


@pytest.mark.promise("bots")
def test_interrupts_are_no_faults():
    with pytest.raises(KeyboardInterrupt):
        GuardedAgent(Answers(KeyboardInterrupt())).decide(View.of(Game(players=2, seed=3)))


@pytest.mark.parametrize("keep", [True, False])
def test_actions_are_kept_if_they_are_to_be(keep):
    agents = [make_agent("random"), make_agent("fixed_a")]
    outcome = play_sequentially(agents, TableOptions(rules=RULES, num_players=2), 5, keep)
    assert (outcome.actions is not None) == keep
    assert sum(outcome.timed_decisions) == outcome.decisions
