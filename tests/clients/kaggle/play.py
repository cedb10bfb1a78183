"""A game of three agents on kaggle-environments, and its page."""

from pathlib import Path

from kaggle_environments import make
from monopoly_training.language_models.kaggle_env import register

register()


def careful(observation, configuration):
    """An agent: it reads ``observation.text``, and answers as a model would."""
    return '{"action": 1}'


def play(agents=(careful, careful, "first"), **configuration):
    """A game to its end: the environment, with all steps."""
    env = make("monopoly", configuration={"seed": 7, **configuration})
    env.run(list(agents))
    return env


if __name__ == "__main__":
    env = play(maxTurns=60)
    print([(agent.status, agent.reward) for agent in env.state])
    Path("game.html").write_text(env.render(mode="html"), encoding="utf-8")
