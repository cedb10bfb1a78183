"""How the strategist raises cash."""

from __future__ import annotations

from tests.agents.positions import choose, owing

ORANGE = ["st_james", "tennessee", "new_york"]


def test_in_debt_mortgages_the_deed_that_earns_least() -> None:
    given = owing(50, deeds=["electric", *ORANGE], buildings=dict.fromkeys(ORANGE, 1))
    assert choose("strategist", given) == "mortgage:electric"
