"""Random play keeps every invariant, and meets everything the rules know."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from monopoly_training.fuzz.cases import Seen
from monopoly_training.fuzz.styles import STYLES

from monopoly_env.editions import load_edition
from monopoly_env.engine import entry_points
from monopoly_env.engine.actions import TEXTS
from monopoly_env.engine.decks import CARD_IDS
from monopoly_env.engine.journal import Event
from monopoly_env.engine.phases import Phase
from monopoly_env.engine.state import new_games
from tests.engine.fuzz import SETTINGS, run
from tests.engine.whole_games import WholeGames, play_whole_games, played_modes

pytestmark = pytest.mark.promise("rules", "limits")

SEEN = Seen()
NEVER_LEGAL = {"to:jail", "to:go_to_jail"}


@pytest.mark.parametrize("setting", range(len(SETTINGS)))
def test_every_position_is_sound(setting: int) -> None:
    edition, mode, overrides = SETTINGS[setting]
    most = load_edition(edition, mode, overrides).max_players
    for number, style in enumerate(STYLES):
        players = min(2 + (setting + 2 * number) % 7, most)
        run(edition, mode, overrides, style, players, 100 * setting + number, 6_000, SEEN)


def test_everything_was_met() -> None:
    """Runs after the fuzz above; topped up with a builder's game, where scarce houses are rare."""
    for number in range(30):
        run("classic", "standard", {"houses": 4, "hotels": 1, "start_cash": 5000}, "builder",
            2 + number % 7, number, 4_000, SEEN)  # fmt: skip
        run("pokemon1999", "standard", {"power_doubles": True, "houses": 4}, "quick",
            2 + number % 5, number, 4_000, SEEN)  # fmt: skip
    assert [Phase(p).name for p in range(int(Phase.OVER)) if SEEN.counts["phases"][p] == 0] == []
    assert [CARD_IDS[c] for c in range(len(CARD_IDS)) if SEEN.counts["cards"][c] == 0] == []
    assert [event.name for event in Event if SEEN.counts["events"][event] == 0] == []
    kinds_unseen = {TEXTS[a].split(":")[0] for a in range(len(TEXTS))} - {
        TEXTS[a].split(":")[0] for a in range(len(TEXTS)) if SEEN.counts["actions"][a] > 0
    }
    assert kinds_unseen == set()
    assert {TEXTS[a] for a in range(len(TEXTS)) if SEEN.counts["actions"][a]} & NEVER_LEGAL == set()


@pytest.mark.parametrize("found", played_modes(), ids=lambda found: found.name)
def test_games_of_every_edition_and_mode_end(found: WholeGames) -> None:
    """Random games come to their end or to a limit, every position on the way sound."""
    found = replace(found)  # other tests may play this setting too
    play_whole_games(found, 12, seed=1)
    assert found.games == 12
    assert found.decisions > 12 * 200
    if found.mode == "time_limit":
        assert found.truncated == 0


def test_the_mask_says_what_why_says() -> None:
    """Candidates leave nothing legal out: the mask equals a full scan of all actions."""
    mask = np.zeros(len(TEXTS), np.int8)
    rng = np.random.default_rng(3)
    for edition, mode, overrides in SETTINGS[:13]:
        rules = load_edition(edition, mode, overrides).rules
        games = new_games(1)
        entry_points.start(games, 0, rules, entry_points.NO_JOURNALS, 4, 5)
        for _ in range(400):
            entry_points.legal_mask(games, 0, rules, mask)
            scan = [entry_points.why(games, 0, rules, action) == 0 for action in range(len(TEXTS))]
            assert mask.astype(bool).tolist() == scan
            if not mask.any():
                break
            entry_points.step(
                games, 0, rules, entry_points.NO_JOURNALS, int(rng.choice(np.flatnonzero(mask)))
            )


@pytest.mark.promise("determinism")
def test_equal_games_have_equal_bytes() -> None:
    """The same seed and actions give the same record, byte for byte, in a used record too."""
    rules = load_edition("classic").rules
    games = new_games(2)
    mask = np.zeros(len(TEXTS), np.int8)
    entry_points.start(games, 1, rules, entry_points.NO_JOURNALS, 6, 99)
    for _ in range(300):
        entry_points.legal_mask(games, 1, rules, mask)
        entry_points.step(games, 1, rules, entry_points.NO_JOURNALS, int(np.flatnonzero(mask)[-1]))
    for i in range(2):
        entry_points.start(games, i, rules, entry_points.NO_JOURNALS, 3, 7)
    for step in range(500):
        entry_points.legal_mask(games, 0, rules, mask)
        legal = np.flatnonzero(mask)
        for i in range(2):
            assert (
                entry_points.step(
                    games, i, rules, entry_points.NO_JOURNALS, int(legal[step % len(legal)])
                )
                == 0
            )
        assert games[0].tobytes() == games[1].tobytes()
