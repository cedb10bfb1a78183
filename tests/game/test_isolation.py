"""Nothing that a bot is handed leads back into the game, the rules, or what other bots see."""

from __future__ import annotations

import contextlib
import copy
import dataclasses
import pickle
from typing import Any

import numpy as np
import pytest

from monopoly_env import Game, SingleSeatEnv, VectorEnv
from monopoly_env.agent import make_agent
from monopoly_env.bots import CompiledAgent, policy
from monopoly_env.editions import load_edition
from monopoly_env.editions.frozen import FrozenDict, FrozenList, frozen, thawed
from monopoly_env.engine.policy_loop import new_loop
from monopoly_env.errors import InputError
from monopoly_env.playing import GameLoop
from monopoly_env.view import View

pytestmark = pytest.mark.promise("isolation")

PLAIN = (str, int, float, bytes, bool, type(None), type)
MOST = 20_000  # objects that are looked at
MENU = {
    "players": 2,
    "rules": {"deals": "menu", "railroad_rent": [10, 60, 150, 300]},
    "A": {"deeds": ["kentucky", "indiana"]},
    "B": {"deeds": ["illinois"]},
}


def reached(start: object) -> list[tuple[str, Any]]:
    """All objects that lead from one by public attributes and items, with how to get there."""
    seen: dict[int, tuple[str, Any]] = {}
    waiting = [("view", start)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, PLAIN) or callable(value) or id(value) in seen:
            continue
        seen[id(value)] = (path, value)
        if isinstance(value, np.ndarray | np.generic):
            base = getattr(value, "base", None)
            waiting += [(f"{path}.base", base)] if base is not None else []
        elif isinstance(value, dict):
            waiting += [(f"{path}[{key!r}]", item) for key, item in value.items()]
        elif isinstance(value, list | tuple | set):
            waiting += [(f"{path}[{k}]", item) for k, item in enumerate(value)]
        else:
            names = [name for name in dir(value) if not name.startswith("_")]
            for name in names:
                with contextlib.suppress(AttributeError):
                    waiting.append((f"{path}.{name}", getattr(value, name)))
        assert len(seen) < MOST, path
    return list(seen.values())


def spoil(value: Any) -> None:
    """Write to an object whatever it takes."""
    attempts = []
    if isinstance(value, np.ndarray) and value.dtype.names is None:
        attempts = [lambda: value.fill(77), lambda: value.__setitem__(..., 77)]
    elif isinstance(value, np.ndarray | np.void):
        fields = value.dtype.names or ()
        attempts = [lambda name=name: value.__setitem__(name, 77) for name in fields]
        attempts += [lambda: value.setflags(write=True), lambda: value.fill(0)]
    elif isinstance(value, dict):
        attempts = [lambda: value.update(spoiled=1), value.clear]
    elif isinstance(value, list):
        attempts = [lambda: value.append(77), value.clear]
    elif dataclasses.is_dataclass(value):
        names = [field.name for field in dataclasses.fields(value)]
        attempts = [lambda name=name: setattr(value, name, 77) for name in names]
    for attempt in attempts:
        try:
            attempt()
        except (TypeError, ValueError, AttributeError, IndexError):
            continue


def test_nothing_leads_from_a_view_into_the_game():
    game = Game.from_position(MENU, seed=3)
    loaded = load_edition("classic", rules=MENU["rules"])
    before = game.to_yaml(), game.edition.rules.tobytes(), game.edition.describe()
    view = View.of(game, game.journal())
    things = reached(view)
    paths = [path for path, _ in things]
    for part in ("rules", "mask", "edition", "observation", "menu", "game", "record"):
        assert any(path.endswith(f".{part}") for path in paths)
    assert len(things) > 40
    for _, value in things:
        spoil(value)
    assert (game.to_yaml(), game.edition.rules.tobytes(), game.edition.describe()) == before
    assert load_edition("classic", rules=MENU["rules"]).describe() == loaded.describe()
    assert View.of(game).legal_actions == game.legal_actions()
    with pytest.raises(ValueError, match="read-only"):
        view.rules["salary"] = 5


class Vandal:
    """Writes to everything that it is handed."""

    def reset(self, seed):
        self.seed = seed

    def decide(self, view):
        action = int(view.mask.argmax())
        for _, value in reached(view):
            spoil(value)
        view.game.edition = view.edition = view.games = view.mask = None
        return action

    def finish(self, game):
        for _, value in reached(game):
            spoil(value)


class Meek(Vandal):
    """The same answers without the writing."""

    def decide(self, view):
        return int(view.mask.argmax())

    def finish(self, game):
        pass


def test_a_game_goes_on_as_if_nobody_had_written():
    def play(bot):
        game = Game(players=3, seed=5, rules={"max_turns": 8})
        GameLoop(game, [bot(), make_agent("fixed_a"), make_agent("random")], 5).play()
        return game

    vandal, meek = play(Vandal), play(Meek)
    assert vandal.history == meek.history
    assert vandal == meek


def test_a_bot_in_an_environment_changes_nothing_either():
    def observed(bot):
        env = SingleSeatEnv(opponents=[bot()], seat=0, rules={"max_turns": 6})
        seen = [env.reset(seed=2)[0]]
        ended = False
        while not ended:
            observation, _, over, cut, _ = env.step(int(env.action_masks().argmax()))
            seen.append(observation)
            ended = over or cut
        return np.array(seen)

    assert (observed(Vandal) == observed(Meek)).all()


@policy
def rewrites(game, rules, view):
    """Writes to its copies and takes the first legal action."""
    rules.salary = 9_999
    rules.price[:] = 1
    rules.rent[:] = 0
    game.cash[:] = 0
    game.actor = 0
    for action in range(len(view.mask)):
        if view.mask[action] != 0:
            view.mask[:] = 0
            return action
    return -1


@policy
def reads(game, rules, view):  # noqa: ARG001 - what a policy takes
    """The same answers without the writing."""
    for action in range(len(view.mask)):
        if view.mask[action] != 0:
            return action
    return -1


def test_compiled_policies_write_to_copies_alone():
    def stepped(bot):
        env = VectorEnv(4, opponents=[CompiledAgent(bot, "bot")] * 2, rules={"max_turns": 20})
        seen = [env.reset(seed=1)[0].copy()]
        seen += [env.step(env.sample_actions(key))[0].copy() for key in range(30)]
        rules = env.batch.kernel_config["rules"][0].tobytes()
        return np.array(seen), rules, env.batch.edition.rules[0].tobytes()

    one, other = stepped(rewrites), stepped(reads)
    assert (one[0] == other[0]).all()
    assert one[1] == one[2] == other[1]

    def played(bot):
        game = Game(players=2, seed=5, rules={"max_turns": 10})
        GameLoop(game, [CompiledAgent(bot, "bot"), make_agent("fixed_a")], 5).play()
        return game

    assert played(rewrites) == played(reads)
    assert len(new_loop([reads])) == 1


def test_editions_stay_as_they_are_in_copies_and_pickles():
    edition = load_edition(
        "classic", rules={"railroad_rent": [1, 2, 3, 4], "tax": {"luxury_tax": 5}}
    )
    for one in (
        edition,
        copy.copy(edition),
        copy.deepcopy(edition),
        pickle.loads(pickle.dumps(edition)),
    ):
        assert one.rules.tobytes() == edition.rules.tobytes()
        assert one.overrides == edition.overrides
        with pytest.raises(ValueError, match="read-only"):
            one.rules["salary"] = 1
        with pytest.raises(ValueError, match="WRITEABLE"):
            one.rules.setflags(write=True)
        with pytest.raises(TypeError, match="cannot be changed"):
            one.overrides["salary"] = 1
        with pytest.raises(TypeError, match="cannot be changed"):
            one.overrides["railroad_rent"].append(5)
    assert Game.from_yaml(Game(edition, 2, 1).to_yaml()).edition.overrides == edition.overrides
    with pytest.raises(InputError, match="edition"):
        Game.from_record(Game(players=2, seed=1).state.reshape(1), "classic")


def test_frozen_is_as_good_as_plain():
    plain = {"a": [1, {"b": [2]}], "c": 3}
    fixed = frozen(plain)
    assert isinstance(fixed, FrozenDict)
    assert isinstance(fixed["a"], FrozenList)
    assert fixed == plain
    assert thawed(fixed) == plain
    assert type(thawed(fixed)["a"]) is list
    for way in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        assert way(fixed) == plain
        with pytest.raises(TypeError):
            way(fixed)["a"][1]["b"].clear()
