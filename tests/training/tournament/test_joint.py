"""Who beats whom from ledgers: planted cycles, copies, gauntlets, several ledgers as one."""

from __future__ import annotations

import json

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.matches.outcome import NO_FAULTS, Outcome
from monopoly_training.matches.schedule import Match
from monopoly_training.stats.who_beats_whom import who_beats_whom
from monopoly_training.tournament.ledger import Ledger
from monopoly_training.tournament.merged_ledgers import anchor_of, as_ranked, read_ledgers

from monopoly_env.errors import FileError, InputError

pytestmark = pytest.mark.promise("statistics")

CONFIG = {"edition": "classic", "mode": "standard", "rules": {}, "skip_forced": True}


def drawn_games(shares, games, generator, first=0):
    """Games of every pair of bots, ``shares[a][b]`` of which the first wins."""
    rows = []
    for one, others in shares.items():
        for other, share in others.items():
            won = generator.random(games) < share
            rows += [(first + k, (one, other), (1, 2) if w else (2, 1)) for k, w in enumerate(won)]
    return rows


def write_ledger(folder, games, config=CONFIG, code="1"):
    """A ledger with these games."""
    names = sorted({bot for _, seated, _ in games for bot in seated})
    header = {"config": {**config, "agents": names}, "code": {"version": code}}
    outcomes = [
        Outcome(
            ranks=ranks,
            worth=(0,) * len(ranks),
            turns=9,
            decisions=9,
            truncated=False,
            faults=(NO_FAULTS,) * len(ranks),
            timed_decisions=(0,) * len(ranks),
            seconds=(0.0,) * len(ranks),
            wall=0.0,
        )
        for _, _, ranks in games
    ]
    matches = [Match(tuple(map(names.index, seated)), seed) for seed, seated, _ in games]
    with Ledger(folder, header, resume=False) as ledger:
        ledger.add(0, outcomes, (), matches)
        ledger.end()
    return folder


CYCLE = {
    "rock": {"scissors": 0.62, "weak": 0.9},
    "paper": {"rock": 0.62, "weak": 0.8},
    "scissors": {"paper": 0.62, "weak": 0.95},
}
ORDER = {"good": {"fair": 0.6, "poor": 0.75}, "fair": {"poor": 0.65}}


def judged(games):
    bots, ranked = as_ranked(games)
    return who_beats_whom(bots, ranked)


def test_a_planted_cycle_is_found():
    found = judged(drawn_games(CYCLE, 400, np.random.default_rng(1)))
    (cycle,) = found.cycles
    assert cycle.bots == ("paper", "rock", "scissors")
    assert 0.55 < cycle.weakest < 0.62
    *three, last = found.places
    assert [place.nash_weight > 0.1 for place in three] == [True] * 3
    assert (last.bot, last.nash_weight) == ("weak", pytest.approx(0, abs=1e-6))
    assert last.nash_skill < -0.2
    assert last.nash_skill_ci95[0] <= last.nash_skill <= last.nash_skill_ci95[1]


def test_where_there_is_an_order_no_cycle_is_found():
    found = judged(drawn_games(ORDER, 400, np.random.default_rng(2)))
    assert found.cycles == ()
    assert [place.bot for place in found.places] == ["good", "fair", "poor"]
    assert found.places[0].nash_weight == pytest.approx(1)


@pytest.mark.parametrize("shares", [CYCLE, ORDER], ids=["cycle", "order"])
@pytest.mark.parametrize("copied", [0, 1, 2])
def test_ten_copies_of_a_bot_do_not_change_the_ranking(shares, copied):
    """The copies play the games of the bot; between themselves they are even."""
    games = drawn_games(shares, 200, np.random.default_rng(3))
    bot = list(shares)[copied] if copied < len(shares) else "poor"
    names = {bot: [bot, *(f"{bot}-{k}" for k in range(9))]}
    cloned = [
        (seed, tuple(clone if seat == bot else seat for seat in seated), ranks)
        for seed, seated, ranks in games
        for clone in names.get(bot if bot in seated else "", [""])
    ]
    for number, one in enumerate(names[bot]):
        for other in names[bot][number + 1 :]:
            cloned += [(0, (one, other), (1, 2)), (0, (one, other), (2, 1))]
    before, after = judged(games), judged(cloned)
    kept = {place.bot: place for place in before.places}
    order = [place.bot for place in after.places if place.bot in kept]
    assert order == [place.bot for place in before.places]
    for place in after.places:
        original = kept[bot if place.bot in names[bot] else place.bot]
        assert place.nash_skill == pytest.approx(original.nash_skill, abs=1e-4)
    weight = sum(place.nash_weight for place in after.places if place.bot in names[bot])
    assert weight == pytest.approx(kept[bot].nash_weight, abs=1e-3)


def test_a_gauntlet_ranks_bots_that_never_met():
    shares = {"judge": {"good": 0.3, "fair": 0.5, "poor": 0.8}}
    found = judged(drawn_games(shares, 500, np.random.default_rng(4)))
    elo = {place.bot: place.rating.elo for place in found.places}
    assert elo["good"] > elo["fair"] > elo["poor"]
    cells = {place.bot: row for place, row in zip(found.places, found.against, strict=True)}
    names = [place.bot for place in found.places]
    assert cells["good"][names.index("poor")].ahead is None
    assert found.places[0].bot == "good"


def test_two_ledgers_are_one_whatever_their_order(tmp_path):
    games = drawn_games(CYCLE, 60, np.random.default_rng(5))
    more = [(seed, (*seated, "weak"), (*ranks, 3)) for seed, seated, ranks in games[:40]]
    one, other = (
        write_ledger(tmp_path / "1", games),
        write_ledger(tmp_path / "2", games[::2] + more),
    )
    both, turned = read_ledgers([one, other]), read_ledgers([other / "games.jsonl", one])
    assert both.bots == turned.bots
    for name in ("seating", "ranks", "unit"):
        np.testing.assert_array_equal(getattr(both.games, name), getattr(turned.games, name))
    assert len(both.games.seating) == len(games) + 40  # games that stand in both count once
    assert both.games.seats == 3
    assert who_beats_whom(both.bots, both.games) == who_beats_whom(turned.bots, turned.games)


def test_the_command_shows_ratings_pairs_and_cycles(tmp_path, capsys):
    write_ledger(tmp_path, drawn_games(CYCLE, 300, np.random.default_rng(6)))
    assert main(["ratings", str(tmp_path), "--anchor", "weak"]) == 0
    text = capsys.readouterr().out
    assert "Cycle: paper beats rock beats scissors beats paper" in text
    assert "1,800 games; weak is 0" in text
    assert main(["ratings", str(tmp_path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["games"], found["anchor"]) == (1800, "paper")
    assert len(found["bots"]) == 4
    assert len(found["head_to_head"]) == 12
    assert found["cycles"][0]["bots"] == ["paper", "rock", "scissors"]


def test_games_of_a_played_tournament_are_those_of_its_report(tmp_path, capsys):
    words = "tournament --agents fixed_a,random,random --games 30 --rule deals=off --json".split()
    assert main([*words, "--rule", "max_turns=60", "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    joint = read_ledgers([tmp_path])
    assert joint.bots == ("fixed_a", "random")  # a bot that is twice in a line-up is one
    assert len(joint.games.seating) == 30
    results = json.loads((tmp_path / "results.json").read_text())
    won = results["standings"][0]
    assert won["agent"] == "fixed_a"
    at = joint.games.seating == 0
    assert ((joint.games.ranks == 1) & at).sum() == pytest.approx(won["wins"])


@pytest.mark.promise("bad_input")
def test_what_cannot_be_rated_is_one_line(tmp_path, capsys):
    games = drawn_games(ORDER, 3, np.random.default_rng(1))
    one = write_ledger(tmp_path / "1", games)
    other = write_ledger(tmp_path / "2", games, {**CONFIG, "edition": "junior"})
    with pytest.raises(FileError, match="was played with edition 'junior', the first one with"):
        read_ledgers([one, other])
    with pytest.raises(FileError, match="there is no such file; name the folder of a tournament"):
        read_ledgers([tmp_path / "3"])
    (tmp_path / "torn.jsonl").write_bytes((one / "games.jsonl").read_bytes().splitlines(True)[0])
    with pytest.raises(FileError, match="holds no game yet"):
        read_ledgers([tmp_path / "torn.jsonl"])
    (tmp_path / "no.jsonl").write_text("{}\n")
    with pytest.raises(FileError, match="not a tournament's ledger"):
        read_ledgers([tmp_path / "no.jsonl"])
    islands = [*games, (0, ("a", "b"), (1, 2))]
    joint = read_ledgers([write_ledger(tmp_path / "4", islands)])
    with pytest.raises(InputError, match="no chain of games leads from a to fair"):
        anchor_of(joint, None)
    with pytest.raises(InputError, match="anchor: must be one of the bots, fair, good, poor, not"):
        anchor_of(read_ledgers([one]), "best")
    for words in (["ratings"], ["ratings", str(tmp_path / "3")], ["ratings", str(tmp_path / "4")]):
        assert main(words) == 2
        assert capsys.readouterr().err.count("\n") == 1
