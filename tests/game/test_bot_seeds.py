"""Bots draw by seeds of their own, from which nothing follows for the game or for one another."""

from __future__ import annotations

import hashlib
import json
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import play_matches
from monopoly_training.matches.schedule import rotated

from monopoly_env import Game, SingleSeatEnv, VectorEnv
from monopoly_env.agent import make_agent
from monopoly_env.bot_seeds import PERSON, bot_seed, hash_of, seat_bots
from monopoly_env.bots import CompiledAgent, GameLoop, View, policy
from monopoly_env.engine.board import PLAYERS
from monopoly_env.engine.dice import GAMMA, mix
from monopoly_env.engine.policy import new_views
from monopoly_env.engine.policy_loop import MEMORY_SALT, seat_players
from monopoly_env.envs.options import TableOptions

pytestmark = pytest.mark.promise("chance", "isolation")

seeds = st.integers(0, 2**63 - 1)
WORD = 2**64
UNDO = pow(int(GAMMA), -1, WORD)  # of a multiplication by GAMMA


class Listener:
    """Keeps the seeds and the games that it is handed, and plays as another bot does."""

    def __init__(self) -> None:
        self.bot = make_agent("fixed_a")
        self.seeds: list[int] = []
        self.ended: list[Game] = []

    def reset(self, seed: int) -> None:
        self.seeds.append(seed)
        self.bot.reset(seed)

    def decide(self, view: View) -> int:
        return self.bot.decide(view)

    def finish(self, game: Game) -> None:
        self.ended.append(game)


def seed_behind(rng: int, seat: int) -> int:
    """The seed that a policy's random numbers come from, worked out from where they stand."""
    return (rng ^ (seat + 1) * int(MEMORY_SALT) % WORD) * UNDO % WORD


@given(seeds)
def test_compiled_code_hashes_as_python_does(seed: int) -> None:
    digest = hashlib.blake2b(seed.to_bytes(8, "little"), person=PERSON).digest()
    words = np.frombuffer(digest, "<u8")
    np.testing.assert_array_equal(hash_of(np.uint64(seed))[:PLAYERS], words)
    assert [bot_seed(seed, seat) for seat in range(PLAYERS)] == (words >> np.uint64(1)).tolist()


@given(seeds)
def test_a_compiled_policy_has_the_random_numbers_of_its_own_seed(seed: int) -> None:
    views = new_views(1)[0]
    views["memory"] = 5
    seat_bots(views, seed)
    assert not views["memory"].any()
    assert views["seat"].tolist() == list(range(PLAYERS))
    for seat in range(PLAYERS):
        alone = new_views(1)[0]
        seat_players(alone, bot_seed(seed, seat))
        assert views["rng"][seat] == alone["rng"][seat]
        assert seed_behind(int(views["rng"][seat]), seat) == bot_seed(seed, seat) != seed


def test_seeds_of_bots_differ_by_game_and_seat() -> None:
    found = {bot_seed(seed, seat) for seed in range(2000) for seat in range(PLAYERS)}
    assert len(found) == 2000 * PLAYERS
    bits = np.unpackbits(np.array(sorted(found), ">u8").view(np.uint8)).reshape(-1, 64)[:, 1:]
    assert abs(bits.mean(axis=0) - 0.5).max() < 5 * 0.5 / len(bits) ** 0.5  # each bit: 5 sigmas


def test_a_loop_gives_each_bot_a_seed_of_its_own_and_no_way_to_the_next_game() -> None:
    twice = Listener()
    bots = [Listener(), twice, Listener(), twice]
    GameLoop(Game(players=4, seed=9, rules={"max_turns": 8}), bots, 9).play()
    assert [bot.seeds for bot in bots] == [[bot_seed(9, seat)] for seat in (0, 1, 2, 1)]
    (ended,) = bots[0].ended
    assert ended.over
    assert ended.winners
    assert ended.seed is None
    assert "seed" not in ended.record()
    assert int(ended.state["rng"]) == 0


@pytest.mark.parametrize("seat", [0, 2])
def test_an_environment_gives_bots_seeds_of_their_own(seat: int) -> None:
    left, twice = Listener(), Listener()
    env = SingleSeatEnv(opponents=[left, twice, twice], seat=seat)
    env.reset(seed=5)
    env.reset()
    follows = env._batch.game_seeds[0]
    assert left.seeds == [bot_seed(seed, (seat + 1) % 4) for seed in (5, follows)]
    assert twice.seeds == [bot_seed(seed, (seat + 2) % 4) for seed in (5, follows)]
    env.reset(options={"position": env.game})
    exact = [bot.seeds[-1] for bot in (left, twice)]
    assert len({*left.seeds, *twice.seeds}) == 6
    env.reset(options={"position": env.game})
    assert [bot.seeds[-1] for bot in (left, twice)] == exact  # of the position's own


@policy
def telling(game, rules, view):  # type: ignore[no-untyped-def]  # noqa: ARG001
    """Writes its random generator's state into its memory before the first draw."""
    if view.memory[0] == 0:
        view.memory[0] = 1
        view.memory[1] = np.int32(view.rng >> np.uint64(32))
        view.memory[2] = np.int32(view.rng & np.uint64(0xFFFFFFFF))
    return 0


def test_batches_give_compiled_bots_seeds_of_their_own() -> None:
    envs = VectorEnv(3, opponents=[CompiledAgent(telling, "telling")] * 3, seat=0)
    envs.reset(seed=[3, 4, 5])
    for table, seed in enumerate((3, 4, 5)):
        for seat in range(1, 4):
            memory = envs.batch.views["memory"][table, seat]
            if memory[0]:
                high, low = (int(number) % 2**32 for number in memory[1:3])
                assert seed_behind(high << 32 | low, seat) == bot_seed(seed, seat)
    assert envs.batch.views["memory"][:, :, 0].any()


BOT = """
import json
from pathlib import Path


class Bot:
    def reset(self, seed):
        with Path({file!r}).open("a") as told:
            told.write(json.dumps(seed) + "\\n")

    def decide(self, view):
        return int(view.mask.argmax())
"""


def test_tournaments_and_evaluations_give_bots_seeds_of_their_own(tmp_path: Path) -> None:
    told = tmp_path / "told.jsonl"
    (tmp_path / "bot.py").write_text(BOT.format(file=str(told)))
    line_up = entrants(["fixed_a", f"python:{tmp_path / 'bot.py'}:Bot"])
    play_matches(line_up, rotated(2, 4, 30), TableOptions(rules={"max_turns": 4}))
    given = [json.loads(line) for line in told.read_text().splitlines()]
    assert sorted(given) == sorted(bot_seed(seed, seat) for seed in (30, 31) for seat in (0, 1))


def test_a_program_gets_a_seed_of_its_own(tmp_path: Path) -> None:
    told = tmp_path / "hello.json"
    (tmp_path / "bot.py").write_text(
        "import json, sys\n"
        "for line in sys.stdin:\n"
        "    message = json.loads(line)\n"
        "    if message['type'] == 'hello':\n"
        f"        open({str(told)!r}, 'w').write(line)\n"
        "    if message['type'] == 'decide':\n"
        "        print(json.dumps({'action': message['legal'][0]}), flush=True)\n"
    )
    bot = make_agent(f"exec:{sys.executable} {tmp_path / 'bot.py'}")
    game = Game(players=2, seed=12, rules={"max_turns": 2})
    loop = GameLoop(game, [make_agent("fixed_a"), bot], 12)
    loop.play()
    loop.close()
    assert json.loads(told.read_text())["seed"] == bot_seed(12, 1)


def test_dice_do_not_follow_from_what_a_bot_has() -> None:
    """The game that its seed, or the state of its generator, would begin has other dice."""
    for seed in range(50):
        dice = int(mix(np.uint64((seed + 1) * int(GAMMA) % WORD)))  # of the game: new_game.py
        views = new_views(1)[0]
        seat_bots(views, seed)
        for seat in range(PLAYERS):
            for found in (bot_seed(seed, seat), seed_behind(int(views["rng"][seat]), seat)):
                assert int(mix(np.uint64((found + 1) * int(GAMMA) % WORD))) != dice
