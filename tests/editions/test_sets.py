"""Sets of editions, of which each game draws one by its seed."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from pickle import dumps, loads
from typing import Any

import numpy as np
import pytest
from monopoly_training import cli
from monopoly_training.dataset import reader
from monopoly_training.matches.entrants import entrants
from monopoly_training.matches.runner import Players, play_seating

from monopoly_env import Game, TextEnv, VectorEnv, monopoly_v0
from monopoly_env.editions import load_edition, load_editions
from monopoly_env.editions.sets import number_of
from monopoly_env.encoding.blocks import OFFSETS
from monopoly_env.engine.board import N_DEEDS
from monopoly_env.envs import SingleSeatEnv
from monopoly_env.errors import EditionError, InputError, NoSuchItem
from monopoly_env.records import read_records
from monopoly_env.replay import replay

PRICES = range(OFFSETS["price"], OFFSETS["price"] + N_DEEDS)
NAME = "random:test:0-4:dial=1"
SET = load_editions(NAME)


def test_a_set_has_its_editions_in_order() -> None:
    assert len(SET) == 5
    assert [one.id for one in SET] == [f"random:test:{n}:dial=1" for n in range(5)]
    assert SET[3].rules.tobytes() == load_edition("random:test:3:dial=1").rules.tobytes()
    with pytest.raises(NoSuchItem):
        SET[5]


def test_the_rules_of_all_are_those_of_each() -> None:
    for mode, rules in (("standard", {}), ("short", {"deals": "menu", "max_players": 3})):
        editions = load_editions(NAME, mode, rules)
        for number, one in enumerate(editions):
            assert editions.rules[number].tobytes() == one.rules[0].tobytes()
            assert one.max_players == (3 if rules else 8)


def test_most_sets_have_one_edition() -> None:
    one = load_editions("kanto2014")
    assert (len(one), one.name) == (1, "kanto2014")
    assert one.for_seed(7) is one.first
    assert one.rules.tobytes() == load_edition("kanto2014").rules.tobytes()
    assert loads(dumps(one)).first.id == "kanto2014"


def test_seeds_draw_all_editions_equally_often() -> None:
    drawn = Counter(number_of(seed, 5) for seed in range(5000))
    assert sorted(drawn) == list(range(5))
    assert max(drawn.values()) < 1150
    assert SET.for_seed(7) is SET[number_of(7, 5)]


def test_a_set_is_found_again_in_another_process() -> None:
    again = loads(dumps(load_editions(NAME, "short", {"deals": "off"})))
    assert again.for_seed(7).mode == "short"
    assert again.for_seed(7).value("deals") == 0
    assert again.for_seed(7).id == SET.for_seed(7).id


def test_a_game_draws_its_edition_by_its_seed() -> None:
    game = Game(edition=NAME, seed=7)
    assert game.edition.id == SET.for_seed(7).id
    game.play("roll")
    record = game.record()
    assert record["edition"] == SET.for_seed(7).reference  # one edition, not the set
    assert replay(record) == game


@pytest.mark.parametrize("observation", ["flat", "packed"])
@pytest.mark.parametrize("threads", [1, 2])
def test_each_game_of_a_vector_is_played_in_its_own_edition(observation: str, threads: int) -> None:
    envs = VectorEnv(
        6, edition=NAME, opponents=["fixed_a"], preset="basic", observation=observation,
        threads=threads, rules={"max_turns": 30}, any_players=False,
    )  # fmt: skip
    observations, infos = envs.reset(seed=3)
    seen = set()
    for _ in range(150):
        for index in range(envs.num_envs):
            edition = envs.batch.edition_of(index)
            assert edition.id == envs.batch.config.editions.for_seed(int(envs.game_seeds[index])).id
            seen.add(edition.id)
            game = envs.game(index)
            assert game.edition.id == edition.id
            row, _ = envs.batch.observe(
                index, int(envs.batch.seats[index]), observation == "packed"
            )
            np.testing.assert_array_equal(row, observations[index])
            alone = Game.from_record(envs.batch.games[index : index + 1], edition)
            np.testing.assert_array_equal(alone.legal_mask(), infos["action_mask"][index])
        observations, _, _, _, infos = envs.step(envs.sample_actions(1))
    assert len(seen) > 3
    envs.close()


def test_states_are_kept_with_their_editions() -> None:
    envs = VectorEnv(4, edition=NAME, opponents=["fixed_a"], preset="basic")
    envs.reset(seed=3)
    walk_on(envs)
    state, ids = envs.clone_state(), [envs.batch.edition_of(k).id for k in range(4)]
    first = walk_on(envs)
    envs.restore_state(state)
    assert [envs.batch.edition_of(k).id for k in range(4)] == ids
    np.testing.assert_array_equal(walk_on(envs), first)
    again = loads(dumps(envs))
    again.restore_state(state)
    np.testing.assert_array_equal(walk_on(again), first)
    other = VectorEnv(4, edition="random:test:0-5:dial=1", opponents=["fixed_a"], preset="basic")
    other.reset(seed=1)
    with pytest.raises(InputError, match="other rules"):
        other.restore_state(state)


def walk_on(envs: VectorEnv) -> Any:
    for key in range(60):
        observations, *_ = envs.step(envs.sample_actions(key))
    return observations


def test_positions_are_played_in_their_own_edition() -> None:
    envs = VectorEnv(3, edition=NAME, opponents=["fixed_a"])
    position = {"players": 2, "edition": "kanto2014", "A": {"cash": 700}}
    envs.reset(seed=1, options={"position": position})
    assert {envs.batch.edition_of(k).id for k in range(3)} == {"kanto2014"}
    envs.reset(seed=1)
    assert envs.batch.edition_of(0).id.startswith("random:test")
    with pytest.raises(InputError, match="games here draw one of 5"):
        envs.reset(options={"position": {"players": 2}})


def test_single_environments_draw_one_a_game() -> None:
    single = SingleSeatEnv(edition=NAME, opponents=["random"])
    aec: Any = monopoly_v0.raw_env(edition=NAME, num_players=2)
    text = TextEnv("short", edition=NAME, opponents=["background"])
    for env in (single, aec):
        ids = set()
        for seed in range(12):
            env.reset(seed=seed)
            assert env.game.edition.id == SET.for_seed(int(env._batch.game_seeds[0])).id
            ids.add(env.game.edition.id)
        assert len(ids) > 2
    text.reset(seed=7)
    assert SET.for_seed(7).names.space(39).split()[0] in text.guide


def test_narrow_observations_have_the_numbers_that_vary() -> None:
    several = SingleSeatEnv(edition=NAME, opponents=["random"], narrow=True)
    one = SingleSeatEnv(edition="random:test:0", opponents=["random"], narrow=True)
    assert several.columns is not None
    assert one.columns is not None
    assert len(several.columns) > len(one.columns)
    several.reset(seed=1)


def test_matches_play_each_seed_in_its_edition() -> None:
    options = VectorEnv(1, edition=NAME, opponents=["random"]).batch.config.options
    seeds = np.arange(6)
    line_up = entrants(("fixed_a", "random"))
    players = Players(line_up)
    outcomes = dict(play_seating(players, (0, 1), seeds, options, lambda _: True))
    for number, outcome in outcomes.items():
        game = Game(SET.for_seed(int(seeds[number])), 2, int(seeds[number]))
        for action in outcome.actions.tolist():  # type: ignore[union-attr]
            game.play(action)
        assert game.over
        assert tuple(row.worth for row in sorted(game.standings(), key=lambda r: r.player)) == (
            outcome.worth
        )


def test_what_needs_one_edition_says_so() -> None:
    with pytest.raises(EditionError, match="one is needed here"):
        load_edition(NAME)
    with pytest.raises(InputError, match="one is needed here"):
        VectorEnv(1, edition=NAME, opponents=["random"]).batch.config.options.load()


def test_tournaments_and_data_sets_keep_each_game_in_its_edition(tmp_path: Path) -> None:
    config = tmp_path / "cup.yaml"
    config.write_text(
        f"agents: [fixed_a, random]\nseats: 2\ngames: 8\nrecords: 8\nedition: {NAME}\n"
        "rules: {max_turns: 40}\nbehavior: true\nluck_adjusted: formula\n"
    )
    assert cli.main(["tournament", str(config), "--out", str(tmp_path / "cup")]) == 0
    records = list(read_records(tmp_path / "cup" / "records.jsonl.gz"))
    assert {record["edition"] for record in records} == {
        SET.for_seed(record["seed"]).reference for record in records
    }
    assert len({record["edition"] for record in records}) > 1
    for record in records:
        replay(record)
    pytest.importorskip("pyarrow")
    arguments = ["--edition", NAME, "--agents", "fixed_a,random", "--seats", "2", "--games", "8"]
    limited = ["--rule", "max_turns=40", "--out", str(tmp_path / "data")]
    assert cli.main(["generate", *arguments, *limited]) == 0
    batches = list(reader.read(tmp_path / "data"))
    prices = np.concatenate([batch["observation"][:, PRICES] for batch in batches])
    assert len(np.unique(prices, axis=0)) > 1  # what is seen is of several boards
    for batch in batches:
        legal = batch["mask"][np.arange(len(batch["action"])), batch["action"]]
        assert legal.all()
