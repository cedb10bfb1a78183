"""The six editions, and what the tests of editions have in common."""

from __future__ import annotations

import pytest
from hypothesis import strategies as st

from monopoly_env.editions import Edition, load_edition
from monopoly_env.errors import EditionError

IDS = ("classic", "kanto2014", "pokemon1999", "pokemon_fr2000", "nintendo2010", "yugioh2016")
SHARED = ("classic", "kanto2014", "nintendo2010", "yugioh2016")  # one rule text
P, F = "pokemon1999", "pokemon_fr2000"

# Anything a YAML file may hold, near what an edition holds.
WORDS = st.sampled_from(
    "id title extends names rules modes board decks cards house spaces boardwalk chest chance "
    "ch_go value source salary price rent short standard classic kind label amount steps {x} {".split()
)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | WORDS
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS | SCALARS, inner, max_size=4),
    max_leaves=12,
)


def fails(*args: object, **kwargs: object) -> str:
    """The message of the error, which must be one printable line."""
    with pytest.raises(EditionError) as caught:
        load_edition(*args, **kwargs)  # type: ignore[arg-type]
    message = str(caught.value)
    assert message.isprintable()
    assert message
    return message


def edition_or_message(*args: object, **kwargs: object) -> Edition | str:
    try:
        return load_edition(*args, **kwargs)  # type: ignore[arg-type]
    except EditionError as problem:
        return str(problem)
