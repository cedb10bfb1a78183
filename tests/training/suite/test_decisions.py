"""Files of decisions: what ships is sound, what is damaged is refused by name."""

from __future__ import annotations

import json
import shutil

import numpy as np
import pytest
from monopoly_training.cli import main
from monopoly_training.common.files import as_json
from monopoly_training.suite.decisions import SHIPPED, card_of, load_set
from monopoly_training.suite.kinds import ALL_KINDS, COMPARED, DEAL_KINDS, kind_name

from monopoly_env.editions.loader import editions
from monopoly_env.errors import FileError, InputError
from monopoly_env.files import with_digest


@pytest.fixture(scope="module")
def shipped():
    return load_set()


def test_what_ships_is_a_set_of_all_kinds_of_decisions(shipped):
    counts = dict.fromkeys(ALL_KINDS, 0)
    for decision in shipped.decisions:
        counts[decision.kind] += 1
    assert counts == {kind: shipped.card["kinds"].get(kind, 0) for kind in ALL_KINDS}
    assert all(counts.values())
    assert len({decision.id for decision in shipped.decisions}) == len(shipped.decisions)
    assert {decision.position["edition"] for decision in shipped.decisions} == set(editions())
    assert {decision.position["players"] for decision in shipped.decisions} == set(range(2, 9))
    assert len(shipped.decisions) == shipped.card["decisions"] >= 500
    assert sum(decision.kind in DEAL_KINDS for decision in shipped.decisions) >= 200
    assert all(
        decision.samples >= shipped.card["samples"]["least"] >= 500
        for decision in shipped.decisions
    )
    assert shipped.card["license"].startswith("Apache-2.0")


def test_every_action_that_ships_is_legal_and_has_values(shipped):
    for decision in shipped.decisions:
        game, view = decision.game, decision.view()
        assert game.status() == 0
        assert game.actor_seat == decision.seat == view.seat
        assert [game.why(action).name for action in decision.ids] == ["OK"] * len(decision.ids)
        assert np.flatnonzero(view.mask).tolist() == sorted(decision.ids)
        assert {kind_name(action) for action in decision.ids} <= COMPARED[decision.kind]
        assert len(decision.actions) >= 2
        np.testing.assert_allclose(decision.values.sum(axis=1), 1, atol=1e-4)
        assert (decision.errors >= 0).all()
        assert (decision.loss_errors >= 0).all()
        assert decision.losses.min() == 0


def test_outside_deals_no_offer_can_be_made_first(shipped):
    for decision in shipped.decisions:
        if decision.kind not in DEAL_KINDS:
            kinds = {kind_name(action) for action in decision.game.legal_ids()}
            assert not {"propose"} & kinds or decision.kind == "raise_cash", decision.id


def test_something_is_at_stake_in_most_decisions(shipped):
    stakes = np.array([decision.losses.max() for decision in shipped.decisions])
    assert (stakes > 0.005).mean() > 0.9


@pytest.mark.parametrize("at", [30, 2000, -40])
def test_a_damaged_set_is_refused_by_its_name(at, tmp_path):
    path = tmp_path / SHIPPED.name
    shutil.copy(SHIPPED, path)
    shutil.copy(card_of(SHIPPED), tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 1
    path.write_bytes(data)
    with pytest.raises(FileError, match=r"set_2\.jsonl\.gz: is damaged: its SHA-256 is not"):
        load_set(path)


def test_a_damaged_card_and_another_version_are_refused(made, tmp_path, capsys):
    for name in ("set_2.jsonl.gz", "set_2.json"):
        shutil.copy(made / name, tmp_path)
    path, card_path = tmp_path / "set_2.jsonl.gz", tmp_path / "set_2.json"
    card = json.loads(card_path.read_text())
    card_path.write_text(json.dumps({**card, "decisions": 1}))
    assert main(["suite", "random", "--set", str(path)]) == 2
    assert f"{card_path}: is damaged" in capsys.readouterr().err
    card_path.write_text(as_json(with_digest({**card, "version": 3})))
    with pytest.raises(FileError, match="is of version 3, and this program reads 1 and 2"):
        load_set(path)
    card_path.unlink()
    with pytest.raises(FileError, match=r"set_2\.json: cannot be read"):
        load_set(path)


def test_the_first_set_can_still_be_read_and_is_what_it_was():
    first = load_set(SHIPPED.with_name("set_1.jsonl.gz"))
    assert first.name == "1 (80885161b59f)"
    assert len(first.decisions) == 660


def test_only_some_decisions(small_set):
    answers = small_set.only(["answer"], None)
    assert {decision.kind for decision in answers.decisions} == {"answer"}
    assert len(small_set.only(None, 3).decisions) == 3
    with pytest.raises(
        InputError, match="kind: ansver: there is no such kind of decision; did you"
    ):
        small_set.only(["ansver"], None)
