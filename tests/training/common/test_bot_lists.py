"""Lists of bots in one text."""

from __future__ import annotations

import pytest
from monopoly_training.common.bot_lists import bots_at, bots_of, distinct_names, split_names

from monopoly_env.errors import AgentError


def test_names_have_commas_between_them():
    assert bots_of("fixed_a, random") == ("fixed_a", "random")


def test_one_bot_plays_in_all_seats():
    assert bots_at("random", 3) == ("random",) * 3
    assert bots_at("fixed_a,random", 3) == ("fixed_a", "random")


def test_an_option_names_a_bot_between_any_two_commas():
    assert split_names("fixed_a, random", "--agents") == ["fixed_a", "random"]
    with pytest.raises(AgentError, match="--against: must be bots with commas"):
        split_names("random,,random", "--against")


@pytest.mark.parametrize(
    ("names", "distinct"),
    [
        ([], ()),
        (["a", "b"], ("a", "b")),
        (["a", "a", "b", "a"], ("a", "a#2", "b", "a#3")),
        (["a", "a", "a#2"], ("a", "a#3", "a#2")),
        (["a#2", "a#2", "a"], ("a#2", "a#2#2", "a")),
    ],
)
def test_a_name_twice_is_told_apart(names, distinct):
    assert distinct_names(names) == distinct
