"""Monopoly for kaggle-environments: agents answer in text, and a page shows the game.

``kaggle_environments`` must be installed (the extra ``kaggle``).
"""

from __future__ import annotations

from typing import Any

from monopoly_env.extras import need
from monopoly_env.notation import LETTERS
from monopoly_env.text.env import TextEnv

NAME = "monopoly"
MOST = 8
ACTIVE, INACTIVE, DONE = "ACTIVE", "INACTIVE", "DONE"
PLAYING = (ACTIVE, INACTIVE)
PER_ANSWER = 60  # seconds

SPECIFICATION: dict[str, Any] = {
    "name": NAME,
    "title": "Monopoly",
    "description": "Monopoly in text: the last player who is not bankrupt wins",
    "version": "1.0.0",
    "agents": list(range(2, MOST + 1)),
    "configuration": {
        "episodeSteps": {
            "description": "Answers of all agents together.",
            "type": "integer",
            "minimum": 1,
            "default": 20_000,
        },
        "actTimeout": {"type": "number", "minimum": 0, "default": PER_ANSWER},
        "runTimeout": {"type": "number", "minimum": 0, "default": 24 * 3600},
        "seed": {"description": "Of the game.", "type": ["integer", "null"], "default": None},
        "preset": {
            "description": "Of TextEnv: short, full or negotiation.",
            "type": "string",
            "default": "short",
        },
        "maxTurns": {
            "description": "Turns after which the standings decide.",
            "type": "integer",
            "minimum": 1,
            "default": 1000,
        },
        "tries": {
            "description": "Answers to a decision; then one is chosen.",
            "type": "integer",
            "minimum": 1,
            "default": 3,
        },
    },
    "reward": {
        "description": "1 for a win, -1 for a loss, a share for a tie.",
        "type": "number",
        "default": 0,
    },
    "observation": {
        "remainingOverageTime": 60,
        "text": {"description": "The decision, or the end.", "type": "string", "default": ""},
        "instructions": {"description": "A system prompt.", "type": "string", "default": ""},
        "legalActions": {"description": "In the order of numbers.", "type": "array", "default": []},
        "seat": {"description": "The agent's letter.", "type": "string", "default": ""},
        "triesLeft": {"type": "integer", "default": 0},
    },
    "action": {
        "description": "Text that ends with an action, or the number of one.",
        "type": ["string", "integer", "null"],
        "default": None,
    },
}


def interpreter(state: Any, env: Any) -> Any:
    """Start the game, or apply the current agent's answer, and ask the next agent.

    The fallback bot plays for an agent that the framework has stopped.
    """
    if env.done:
        game = begun(env.configuration, len(state))
        env.monopoly = game
        _, info = game.reset(seed=env.configuration.seed)
        env.info["seed"] = info["game_seed"]
        show(state, game, info, begins=True)
        return state
    game = env.monopoly
    action = state[LETTERS.index(game.seat)].action
    answer = "" if action is None else str(action)
    while True:
        _, _, terminated, truncated, info = game.step(answer)
        if terminated or truncated:
            return end(state, game, info)
        if state[LETTERS.index(info["seat"])].status in PLAYING:
            show(state, game, info)
            return state
        answer = ""


def begun(configuration: Any, agents: int) -> TextEnv:
    """Create the text environment for a configuration, with one seat per agent."""
    return TextEnv(
        configuration.preset,
        seats="all",
        opponents=[],
        num_players=agents,
        tries=configuration.tries,
        any_players=True,
        rules={"max_turns": configuration.maxTurns},
    )


def show(state: Any, game: TextEnv, info: dict[str, Any], begins: bool = False) -> None:
    """Show the decision to its agent and set the others to inactive."""
    asked = LETTERS.index(info["seat"])
    for seat, agent in enumerate(state):
        if agent.status in PLAYING:
            agent.status = ACTIVE if seat == asked else INACTIVE
        if begins:
            agent.observation.seat = LETTERS[seat]
            instructions = game.instructions_for(LETTERS[seat])
            agent.observation.instructions = f"{instructions}\n{game.guide}"
        agent.observation.text = game.observe() if seat == asked else ""
        agent.observation.legalActions = info["legal_actions"] if seat == asked else []
        agent.observation.triesLeft = info["tries_left"] if seat == asked else 0


def end(state: Any, game: TextEnv, info: dict[str, Any]) -> Any:
    """Assign rewards and show the result."""
    for seat, agent in enumerate(state):
        if agent.status in PLAYING:
            agent.status = DONE
            agent.reward = info["results"][LETTERS[seat]]["gain"]
        agent.observation.text = game.observe()
        agent.observation.legalActions = []
    return state


def renderer(state: Any, env: Any) -> str:  # noqa: ARG001 - the interface
    """Return the board and all holdings as text."""
    return str(env.monopoly.game)


def html_renderer(env: Any) -> str:
    """Return the replay as a self-contained page."""
    from monopoly_training.web.replay_page import replay_page

    return replay_page(env.monopoly.game.record())


def first(observation: Any, configuration: Any) -> str:  # noqa: ARG001 - the interface
    """Take the first action; an example agent."""
    return '{"action": 1}'


def environment() -> dict[str, Any]:
    """Return the definition for ``kaggle_environments.register`` and ``make``."""
    return {
        "agents": {"first": first},
        "html_renderer": html_renderer,
        "interpreter": interpreter,
        "renderer": renderer,
        "specification": SPECIFICATION,
    }


def register() -> None:
    """Register the environment as ``monopoly``. Raises: MissingExtra."""
    need("kaggle_env", "kaggle_environments").register(NAME, environment())
