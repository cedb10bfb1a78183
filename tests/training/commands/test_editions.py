"""``monopoly-env editions``: the list, one edition, what differs between two; at 80 columns."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from monopoly_training.cli import main
from rich.cells import cell_len

from monopoly_env.editions import editions, load_edition
from monopoly_env.engine.board import SPACE_IDS
from monopoly_env.engine.cards import CARD_IDS


def said(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    """What the command prints, without the wrapping."""
    assert main(["editions", *arguments]) == 0
    out = capsys.readouterr().out
    assert max(cell_len(line) for line in out.splitlines()) <= 80
    assert "…" not in out
    return " ".join(out.split())


@pytest.fixture(autouse=True)
def _narrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")


def test_the_list_has_modes_players_and_house_rules(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys)
    for id_ in editions():
        assert id_ in text
        assert f"{load_edition(id_).min_players} to {load_edition(id_).max_players}" in text
    for word in ("time_limit, power_doubles", "free_parking_jackpot=yes",
                 "landing_bonus=200 double salary for landing on GO", "auctions=no",
                 "buy_after_laps=1 no buying in the first lap", "start_cash=2000",
                 "limited_buildings=no", "even_building=no"):  # fmt: skip
        assert word in text
    assert len(json.loads(raw(capsys, "--json"))) == 6


def raw(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["editions", *arguments]) == 0
    return capsys.readouterr().out


@pytest.mark.parametrize("id_", editions())
def test_an_edition_whole(id_: str, capsys: pytest.CaptureFixture[str]) -> None:
    text, edition = said(capsys, id_), load_edition(id_)
    assert edition.title in text
    for row in edition.rule_rows():
        assert f"{row.name} " in text
    cards = (card for card in CARD_IDS if card not in ("cc_opera", "cc_birthday"))
    for shown in (*SPACE_IDS, *cards):
        assert shown in text
    for token in edition.names.tokens:
        assert token in text
    assert "1100 1300 1500" in text  # rents, none cut off


def test_a_mode_and_where_it_stands(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "pokemon_fr2000", "--mode", "short")
    assert "the short game" in text
    assert "end_bankruptcies bankruptcies that end the game" in text
    assert "short deal_paid yes Partie plus rapide, line 288" in text
    assert "optional power_doubles yes Règle de jeu supplémentaire, lines 49-105" in text


def test_two_editions_show_only_what_differs(capsys: pytest.CaptureFixture[str]) -> None:
    text = said(capsys, "classic", "pokemon1999")
    assert "double_rent_beside_mortgage no yes" in text
    assert "luxury_tax.tax 100 75" in text
    assert "chest.cc_birthday collect_each 10 –" in text
    assert "groups.brown brown Brock" in text
    assert "salary" not in text
    assert "spaces.boardwalk" not in text
    rows = json.loads(raw(capsys, "classic", "pokemon1999", "--json"))
    assert {row["part"] for row in rows} == {"rules", "board", "decks", "names"}
    assert said(capsys, "classic", "classic") == "classic and classic: nothing differs"


def test_a_file_is_an_edition_too(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(
        "extends: classic\nnames: {spaces: {go: '[red]Start[/red]'}}\n"
        "rules: {free_parking_jackpot: yes}\nboard: {boardwalk: {hotel_price: 300}}\n",
        encoding="utf-8",
    )
    text = said(capsys, str(file))
    assert "[red]Start[/red]" in text  # no markup
    assert "free_parking_jackpot=yes" not in text  # it is on anyway
    assert "200 / 300" in text
    assert "boardwalk.hotel_price" in said(capsys, "classic", str(file))
    file.write_text("extends: classic\nrules: {salery: 1}\n", encoding="utf-8")
    assert main(["editions", str(file)]) == 2
    assert "rules.salery: there is no such rule; did you mean" in capsys.readouterr().err
