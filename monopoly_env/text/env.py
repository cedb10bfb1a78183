"""The text environment: observations are prompts, actions are answers."""

from __future__ import annotations

import string
from collections.abc import Iterable
from typing import Any

import gymnasium
from gymnasium import spaces

from monopoly_env.agent import Agent
from monopoly_env.editions import Edition
from monopoly_env.encoding.reward import make_reward
from monopoly_env.engine.board import SPACE_IDS
from monopoly_env.envs.checks import fail
from monopoly_env.envs.seating import agent_of
from monopoly_env.errors import InputError, show
from monopoly_env.game import Game
from monopoly_env.notation import LETTERS, seat_of
from monopoly_env.seeds import SEEDS, check_seed
from monopoly_env.text.answers import explain
from monopoly_env.text.decision_filter import Asks
from monopoly_env.text.episode import Episode
from monopoly_env.text.guide import guide, instructions
from monopoly_env.text.negotiation_episode import NegotiatedEpisode, NegotiatedTable
from monopoly_env.text.options import check_talk, make_options, seat_numbers
from monopoly_env.text.rewards import Payments
from monopoly_env.text.schema import answer_schema
from monopoly_env.text.start import asked_seats, new_game, shown_edition
from monopoly_env.text.table import Table
from monopoly_env.text.talk_reading import how_to_speak
from monopoly_env.view import View

Step = tuple[str, float, bool, bool, dict[str, Any]]
LONGEST = 200_000  # characters of an observation, a generous limit
EXAMPLE = SPACE_IDS.index("boardwalk")  # used in the example of a question
ATTEMPTS = 20  # games begun until one reaches a question
RESET_OPTIONS = ("position", "edition", "seats")


class TextEnv(gymnasium.Env[str, str]):
    """A text environment for language models, with bots in the other seats.

    The model plays one or several seats; each observation has the events since that seat's last
    decision. Single legal actions are played without asking. After an unusable answer, the
    observation has the reason; after ``tries`` of them, ``fallback`` decides. ``info["counts"]``
    counts all of this.

    >>> env = TextEnv("short", opponents=["background", "random"])
    >>> observation, info = env.reset(seed=7)
    >>> observation, reward, terminated, truncated, info = env.step('{"action": 1}')
    >>> info["by"], info["counts"]["answers"]
    ('model', 1)

    Args:
        preset: ``full``: every decision; ``short``: important decisions, in few tokens.
        render_mode: None, or ``ansi``: ``render()`` returns the observation.
        options: see :class:`monopoly_env.text.options.TextOptions` and docs/language_models.md.

    Raises: InputError that names the option and the remedy.
    """

    metadata = {"render_modes": ["ansi"]}  # noqa: RUF012 - Gymnasium's interface

    def __init__(
        self, preset: str = "full", *, render_mode: str | None = None, **options: Any
    ) -> None:
        self.preset = preset
        self.render_mode = render_mode
        self.options = make_options(preset, options)
        self.players, self._bots = self.options.line_up()
        if self.options.seats not in ("all", "random"):
            seat_numbers(self.options.seats, self.players)
        self._editions = self.options.table(self.players).editions()
        self._edition = shown_edition(self._editions.first, self.options)
        self._talk = check_talk(self.options, self._editions.first)
        self._asks = Asks(self.options.asks)
        self._reward = make_reward(self.options.reward)
        signs = frozenset(string.printable + repr(self._edition.names))
        self.observation_space = spaces.Text(LONGEST, min_length=0, charset=signs)
        self.action_space = spaces.Text(LONGEST, min_length=0, charset=signs)
        self._episode: Episode | None = None

    # Playing

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[str, dict[str, Any]]:
        """Start a game; without a seed, the sequence of games continues.

        ``options`` may have ``position`` (a mapping, the path of a YAML file, or a Game), with
        ``edition`` if it needs another one; and ``seats``, as for the environment.

        Raises: InputError, one line.
        """
        seed = None if seed is None else check_seed(seed)
        given = InputError.at("options").mapping(options, "option", RESET_OPTIONS)
        super().reset(seed=seed)
        for _ in range(ATTEMPTS):
            drawn = int(self.np_random.integers(SEEDS)) if seed is None else seed
            episode = self._begin(given, drawn)
            if episode.numbered is not None:
                self._episode = episode
                return episode.text(), episode.info()
            seed = None
        return fail("asks", "no game came to a question; ask more")

    def _begin(self, given: dict[str, Any], seed: int) -> Episode:
        """Return a new episode, played up to its first question."""
        edition = shown_edition(self._editions.for_seed(seed), self.options)
        game = new_game(given, edition, self.players, self.options, seed)
        seats = given.get("seats", self.options.seats)
        asked = asked_seats(seats, self.players, len(self._bots), seed)
        for seat in asked:
            if game.state["out"][seat]:
                fail("seats", f"{LETTERS[seat]} is out of the game in this position; name another")
        others = [(asked[0] + left) % self.players for left in range(1, self.players)]
        free = [seat for seat in others if seat not in asked]
        bots: dict[int, Agent] = dict(zip(free, map(agent_of, self._bots), strict=True))
        rest, payments = agent_of(self.options.rest), Payments(self._reward)
        if self._talk is None:
            table = Table(game, bots, rest, seed)
            return Episode(table, asked, self._asks, payments, self.options)
        table = NegotiatedTable(game, bots, rest, seed, self._talk)
        return NegotiatedEpisode(table, asked, self._asks, payments, self.options)

    def step(self, action: str) -> Step:
        """Process the answer of the current seat and advance to the next question.

        Returns the observation of the next seat, the reward of the seat that answered (all rewards
        are in ``info["rewards"]``), whether all of the model's seats are out, whether a limit ended
        the game, and the info.

        Raises: InputError if the answer is not text, and when the episode is over.
        """
        episode = self._running("step")
        text: object = action  # callers may pass anything
        if not isinstance(text, str):
            fail("action", f"must be text, the answer of a model, not {show(text)}")
        if episode.numbered is None:
            fail("step", "the episode is over; call reset()")
        seat = episode.seat
        episode.take_answer(text)
        over = episode.numbered is None
        cut = over and episode.is_truncated
        return episode.text(), episode.rewards[seat], over and not cut, cut, episode.info()

    def observe(self) -> str:
        """Return the observation of the current seat, which stays the same until it answers."""
        return self._running("observe").text()

    def _running(self, parameter: str) -> Episode:
        """Return the episode. Raises: InputError before the first reset."""
        if self._episode is None:
            fail(parameter, "no game has begun; call reset()")
        return self._episode

    # Inspecting

    @property
    def seat(self) -> str:
        """The letter of the current seat; at the end, of the last one. Raises: InputError."""
        return LETTERS[self._running("seat").seat]

    @property
    def game(self) -> Game:
        """A copy of the game, for inspection or search. Raises: InputError before the first reset."""
        return self._running("game").game.copy()

    @property
    def view(self) -> View:
        """The view of the current seat with the shown actions, for bots.

        Raises: InputError before the first reset, and when the episode is over.
        """
        numbered = self._running("view").numbered
        if numbered is None:
            fail("view", "the episode is over; call reset()")
        return numbered.view

    @property
    def instructions(self) -> str:
        """The task and the format of an answer, for the current seat: a system prompt."""
        return self._instructions(self._running("instructions").seat)

    def instructions_for(self, seat: str) -> str:
        """Return the instructions for a seat, given by letter. Raises: InputError."""
        return self._instructions(seat_of(seat, self.players))

    def _instructions(self, seat: int) -> str:
        street = self._shown_edition().names.space(EXAMPLE)
        text = instructions(seat, self.options.questions, street)
        return text if self._talk is None else text + how_to_speak(self._talk)

    @property
    def guide(self) -> str:
        """The important rules, and the board with its prices and rents."""
        return guide(self._shown_edition(), self.players)

    def _shown_edition(self) -> Edition:
        """Return the edition of the current game, or of the next one."""
        return self._episode.game.edition if self._episode else self._edition

    def why(self, action: str | int) -> str:
        """Return why an action is illegal, or what a legal one does; does not count as a question.

        >>> env = TextEnv("short", opponents=["random"] * 3)
        >>> _ = env.reset(seed=7)
        >>> env.why("build Boardwalk")
        'build:boardwalk: not possible in this phase'
        """
        episode = self._running("why")
        if episode.numbered is None:
            return "the game is over"
        return explain(str(action), episode.numbered, episode.game)

    def legal_actions(self) -> list[str]:
        """Return the shown actions as text, in the order of their numbers; empty at the end."""
        numbered = self._running("legal_actions").numbered
        return [choice.text for choice in numbered.choices] if numbered else []

    def answer_schema(self) -> dict[str, Any]:
        """Return a JSON Schema of the current answer, for structured outputs; empty at the end.

        >>> env = TextEnv("short", opponents=["background"] * 3)
        >>> _ = env.reset(seed=7)
        >>> env.answer_schema()["properties"]["action"]["anyOf"][1]
        {'enum': ['buy', 'auction']}
        """
        episode = self._running("answer_schema")
        actions = self.legal_actions()
        if not actions:
            return {}
        return answer_schema(actions, episode.seat, self.players, self._talk)

    def prompt(self) -> str:
        """Return instructions and observation, for models without a conversation history."""
        return f"{self.instructions}\n{self.observe()}\n"

    def results(self) -> dict[str, dict[str, Any]]:
        """Return the results of the model's seats: rank, win, net worth, gain, turns, counts."""
        return self._running("results").results()

    def record(self, bots: Iterable[str] = ()) -> dict[str, Any]:
        """Return the game so far as a record, with all answers and the negotiation, if any.

        ``answers`` has each answer with the number of actions before it, what was wrong with it,
        and who chose the action. :func:`monopoly_env.replay.replay` needs neither.
        """
        episode = self._running("record")
        record = episode.game.record(bots)
        if isinstance(episode, NegotiatedEpisode):
            record["negotiation"] = episode.talks.as_record()
        return {**record, "answers": [dict(row) for row in episode.answers]}

    def render(self) -> str | None:  # type: ignore[override]  # Gymnasium's is a TypeVar
        """Return the observation, with ``render_mode="ansi"``."""
        return self.observe() if self.render_mode == "ansi" else None
