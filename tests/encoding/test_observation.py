"""The observation: complete for the mask, silent about hidden things, within its bounds."""

from __future__ import annotations

import numpy as np
from monopoly_training.fuzz.styles import STYLES, weighted_pick, weights

from monopoly_env import Game
from monopoly_env.compiler.jit import jit
from monopoly_env.editions import load_edition
from monopoly_env.encoding.blocks import BLOCKS, OBSERVATION_SIZE, OFFSETS, labels
from monopoly_env.encoding.observation import (
    HIGH,
    LOW,
    observe,
    rewrite_observation,
)
from monopoly_env.encoding.row_cache import changes_since, new_shown
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import N_ACTIONS, N_KINDS
from monopoly_env.engine.board import DEEDS, NOBODY, SPACE, Space
from monopoly_env.engine.masks import read_mask
from monopoly_env.engine.phases import Phase, RentBy
from monopoly_env.engine.rent import railroad_rent, street_rent, utility_times
from monopoly_env.engine.rules import SWITCHES, scaled
from monopoly_env.engine.state import new_games
from tests.engine.fuzz import SETTINGS
from tests.engine.positions import play, position

DEED_SQUARES = np.array(DEEDS, np.int64)


def walk(setting: int, style: str, players: int, seed: int, decisions: int):
    """Positions of one random game: yields games, rules, mask."""
    rules = load_edition(*SETTINGS[setting]).rules
    games, liking = new_games(2), weights(style)
    mask, bits = np.zeros(N_ACTIONS, np.int8), np.zeros(N_KINDS, np.int64)
    entry_points.start(games, 0, rules, entry_points.NO_JOURNALS, players, seed)
    for step in range(decisions):
        if games["phase"][0] == Phase.OVER:
            entry_points.start(games, 0, rules, entry_points.NO_JOURNALS, players, seed + step)
        entry_points.legal_mask(games, 0, rules, mask)
        yield games, rules, mask
        read_mask(mask, bits)
        state = np.uint64(seed * 1_000_003 + step * 97)
        entry_points.step(
            games, 0, rules, entry_points.NO_JOURNALS, weighted_pick(bits, liking, state)
        )


def test_every_number_has_its_own_label() -> None:
    assert len(labels()) == len(set(labels())) == OBSERVATION_SIZE
    assert OFFSETS["rules"] + len(SWITCHES) == OFFSETS["around_x"]  # version 2 came behind
    assert all(block.meaning and block.unit for block in BLOCKS)


def test_values_stay_in_their_range() -> None:
    row = np.empty(OBSERVATION_SIZE, np.float32)
    for setting in range(len(SETTINGS)):
        for games, rules, _ in walk(
            setting, list(STYLES)[setting % 5], 2 + setting % 5, setting, 300
        ):
            for seat in range(games["players"][0]):
                observe(games, 0, rules, seat, row)
                wrong = (row < LOW) | (row > HIGH) | ~np.isfinite(row)
                assert not wrong.any(), [labels()[k] for k in np.flatnonzero(wrong)]


def test_shown_rents_are_those_that_are_charged() -> None:
    row, rents = np.empty(OBSERVATION_SIZE, np.float32), np.zeros(len(DEEDS), np.int64)
    shown = row[OFFSETS["rent"] : OFFSETS["rent"] + len(DEEDS)]
    seen = set()
    for setting in range(len(SETTINGS)):
        for games, rules, _ in walk(setting, list(STYLES)[setting % 5], 3, setting, 1200):
            observe(games, 0, rules, 1, row)
            write_rents(games, rules, rents)
            np.testing.assert_array_equal(shown, (rents / (rents + 200)).astype(np.float32))
            seen |= set(rents.tolist())
    assert len(seen) > 50


@jit
def write_rents(games, rules_, rents) -> None:
    """What landing on each deed costs, as the rules charge it; utilities at the mean throw of 7."""
    game, rules = games[0], rules_[0]
    for index in range(len(DEED_SQUARES)):
        square = DEED_SQUARES[index]
        if game.owner[square] == NOBODY or game.mortgaged >> square & 1 != 0:
            rents[index] = 0
        elif SPACE[square] == Space.STREET:
            rents[index] = street_rent(game, rules, square)
        elif SPACE[square] == Space.RAILROAD:
            rents[index] = railroad_rent(game, rules, square)
        else:
            rents[index] = 7 * utility_times(game, rules, square, RentBy.DICE)


def rewrite(games, rules, seat, row, shown) -> None:
    """Bring a row up to date as the kernel does, in two steps."""
    changes = changes_since(shown, games[0], seat)
    rewrite_observation(games[0], rules[0], seat, row, shown, changes)


def test_a_row_written_over_another_equals_a_new_one() -> None:
    """Whoever saw the row before, players who have left included."""
    fresh = np.empty(OBSERVATION_SIZE, np.float32)
    used, shown, rng = (
        np.empty(OBSERVATION_SIZE, np.float32),
        new_shown(1),
        np.random.default_rng(1),
    )
    left = 0
    for setting in range(len(SETTINGS)):
        shown["filled"] = 0  # other rules
        for games, rules, _ in walk(setting, list(STYLES)[setting % 5], 4, setting, 900):
            seat = int(rng.integers(4))
            left += int(games["out"][0, seat])
            observe(games, 0, rules, seat, fresh)
            rewrite(games, rules, seat, used, shown[0])
            np.testing.assert_array_equal(used, fresh)
    assert left > 20


def test_a_row_two_steps_old_is_brought_up_to_date() -> None:
    """As an environment with two buffers does it: always seen by whoever acts."""
    fresh = np.empty(OBSERVATION_SIZE, np.float32)
    used, shown = np.empty((2, OBSERVATION_SIZE), np.float32), new_shown(2)
    phases = set()
    for setting in range(len(SETTINGS)):
        shown["filled"] = 0
        steps = walk(setting, list(STYLES)[(setting + 2) % 5], 5, 70 + setting, 900)
        for step, (games, rules, _) in enumerate(steps):
            seat = max(int(games["actor"][0]), 0)
            phases.add(int(games["phase"][0]))
            observe(games, 0, rules, seat, fresh)
            rewrite(games, rules, seat, used[step % 2], shown[step % 2])
            np.testing.assert_array_equal(used[step % 2], fresh)
    assert len(phases) > 10


def test_nothing_hidden_shows() -> None:
    """Other decks, another generator, other forced throws: the same observation."""
    first, second = (np.empty(OBSERVATION_SIZE, np.float32) for _ in range(2))
    rng = np.random.default_rng(5)
    for games, rules, _ in walk(0, "quick", 4, 11, 600):
        games[1] = games[0]
        games["rng"][1] = rng.integers(2**63)
        games["forced"][1] = rng.integers(1, 7, games["forced"][1].shape)
        games["forced_count"][1] = 5
        for pile in range(2):
            unseen = int(games["unseen"][1, pile])
            games["deck"][1, pile, :unseen] = rng.permutation(games["deck"][1, pile, :unseen])
        for seat in range(4):
            observe(games, 0, rules, seat, first)
            observe(games, 1, rules, seat, second)
            np.testing.assert_array_equal(first, second)


def test_the_mask_follows_from_the_observation() -> None:
    """Who decides knows all that the mask depends on: equal observations, equal masks.

    Shown from the other side: a nearest neighbour would do, but exact repeats are enough of a
    check only if there are some, so the clock is blanked out.
    """
    seen: dict[bytes, bytes] = {}
    repeats = 0
    row = np.empty(OBSERVATION_SIZE, np.float32)
    clock = slice(OFFSETS["clock"], OFFSETS["clock"] + 3)
    dice = slice(OFFSETS["dice"], OFFSETS["dice"] + 2)
    for setting in (0, 1, 3, 4, 11, 14):
        for seed in range(60):
            for games, rules, mask in walk(setting, "random", 2, seed % 12, 120):
                observe(games, 0, rules, int(games["actor"][0]), row)
                row[clock] = 0
                row[dice] = 0
                key = row.tobytes()
                if key in seen:
                    repeats += 1
                    assert seen[key] == mask.tobytes()
                seen[key] = mask.tobytes()
    assert repeats > 1000


def test_money_is_told_apart_to_the_dollar() -> None:
    """Squeezing keeps single dollars apart up to several thousand."""
    cash = np.arange(0, 8000)
    shown = (cash / (cash + 1000)).astype(np.float32)
    assert (np.diff(shown) > 0).all()


def test_switches_are_the_rules() -> None:
    row = np.empty(OBSERVATION_SIZE, np.float32)
    rules = load_edition("pokemon_fr2000", "short", {"salary": 400}).rules
    games = new_games(1)
    entry_points.start(games, 0, rules, entry_points.NO_JOURNALS, 3, 1)
    observe(games, 0, rules, 0, row)
    for index, name in enumerate(SWITCHES):
        assert row[OFFSETS["rules"] + index] == np.float32(scaled(name, int(rules[name][0]))), name


def test_seats_are_relative() -> None:
    rules = load_edition("classic").rules
    games = new_games(1)
    entry_points.start(games, 0, rules, entry_points.NO_JOURNALS, 3, 1)
    games["cash"][0, :3] = (100, 200, 300)
    row = np.empty(OBSERVATION_SIZE, np.float32)
    observe(games, 0, rules, 1, row)
    cash = row[OFFSETS["cash"] : OFFSETS["cash"] + 8]
    expected = [200 / 1200, 300 / 1300, 100 / 1100, 0, 0, 0, 0, 0]
    np.testing.assert_allclose(cash, expected, rtol=1e-6)


# What version 2 adds: places as points, means, past offers


def shown_to(game, seat: int, block: str) -> list[float]:
    """The numbers of a block as a seat sees them, one per player."""
    row = np.empty(OBSERVATION_SIZE, np.float32)
    observe(game.state.reshape(1), 0, game.edition.rules, seat, row)
    first = OFFSETS[block]
    return [round(float(number), 5) for number in row[first : first + game.players]]


def test_what_each_player_could_raise_and_build() -> None:
    orange, brown = ["st_james", "tennessee", "new_york"], ["mediterranean", "baltic"]
    game = position(
        players=4,
        A={"cash": 950, "deeds": orange},  # nine houses at $100
        B={"cash": 10_000, "deeds": [*brown, "boardwalk", "park_place"]},  # 2 groups of 2: 20
        C={"cash": 700, "deeds": ["oriental", "vermont*", "connecticut"]},  # one is mortgaged
        D={"cash": 40, "deeds": ["reading"]},
    )
    assert shown_to(game, 0, "could_build") == [9 / 20, 1.0, 0.0, 0.0]
    assert shown_to(game, 2, "could_build") == [0.0, 0.0, 9 / 20, 1.0]  # from the third seat
    raised = [950 + 90 + 90 + 100, 10_000 + 30 + 30 + 200 + 175, 700 + 50 + 60, 40 + 100]
    assert shown_to(game, 0, "could_raise") == [round(x / (x + 1000), 5) for x in raised]


def test_a_short_games_hotel_takes_the_place_of_the_fourth_house() -> None:
    brown = {"cash": 5000, "deeds": ["mediterranean", "baltic"]}
    for mode, number in (("standard", 10), ("short", 8)):
        game = position(A=brown, B={}, mode=mode)
        assert shown_to(game, 0, "could_build")[0] == number / 20


def test_hotels_have_their_own_price() -> None:
    game = position(A={"cash": 850, "deeds": ["mediterranean", "baltic"]}, B={})
    row, rules = np.empty(OBSERVATION_SIZE, np.float32), game.edition.rules.copy()
    for price, buildings in ((50, 10), (225, 10), (300, 9), (1000, 8)):  # after houses for $400
        rules["hotel_price"] = price
        observe(game.state.reshape(1), 0, rules, 0, row)
        assert row[OFFSETS["could_build"]] == np.float32(buildings / 20)


def test_tokens_are_points_on_a_circle() -> None:
    game = position(players=3, A={"at": "go"}, B={"at": "jail"}, C={"at": "free_parking"})
    assert np.abs(np.subtract(shown_to(game, 0, "around_x"), [1, 0, -1])).max() < 1e-6
    assert np.abs(np.subtract(shown_to(game, 0, "around_y"), [0, 1, 0])).max() < 1e-6


def test_past_offers_are_counted_for_both_sides() -> None:
    game = position(
        players=3,
        A={"deeds": ["water", "reading"]},
        B={"deeds": ["electric"]},
        rules={"trade_limit": 5},
    )
    for answer in ("reject", "reject", "accept"):
        play(game, "A deal:B", "A give:water", "A ask_cash:20", "A offer", f"B {answer}")
    one, two, three = (round(x / (x + 8), 5) for x in (1, 2, 3))
    assert shown_to(game, 0, "offers_made") == [three, 0.0, 0.0]
    assert shown_to(game, 1, "offers_made") == [0.0, 0.0, three]
    assert shown_to(game, 1, "offers_accepted") == [one, 0.0, 0.0]
    assert shown_to(game, 2, "offers_rejected") == [0.0, 0.0, two]
    again = Game.from_position(game.position())
    assert shown_to(again, 0, "offers_made") == [three, 0.0, 0.0]
