"""Rules from the command line."""

from __future__ import annotations

import pytest
from monopoly_training.cli_options.game import rules_of

from monopoly_env.errors import InputError


def test_values_are_yaml_but_off_is_a_word() -> None:
    texts = ["deals=off", "auctions=no", "max_turns=40"]
    assert rules_of(texts) == {"deals": "off", "auctions": False, "max_turns": 40}
    assert rules_of(None) == {}


@pytest.mark.promise("bad_input")
@pytest.mark.parametrize("text", ["deals", "=menu", "deals=[1"])
def test_what_is_no_rule_is_one_line(text: str) -> None:
    with pytest.raises(InputError, match="--rule: "):
        rules_of([text])
