"""How generated editions are named."""

from __future__ import annotations

import pytest

from monopoly_env.editions.generated.spec import Spec, is_generated, parse_spec
from monopoly_env.errors import EditionError

LOCATION = EditionError.at("edition")


@pytest.mark.parametrize(
    ("text", "spec"),
    [
        ("random:17", Spec("train", 17)),
        ("random:train:17", Spec("train", 17)),
        ("random:test:17", Spec("test", 17)),
        ("random:test:17:dial=0.3", Spec("test", 17, dial=0.3)),
        ("random:17:dial=1:names=classic:v1", Spec("train", 17, dial=1.0, names="classic")),
        ("random:train", Spec("train", 0, 999)),
        ("random:test:dial=0.1", Spec("test", 0, 999, dial=0.1)),
        ("random:test:5-9", Spec("test", 5, 9)),
        ("random:5:dial=0", Spec("train", 5, dial=0.0)),
        ("random:5:dial=0.000001", Spec("train", 5, dial=0.000001)),
    ],
)
def test_names_say_which_editions_are_meant(text: str, spec: Spec) -> None:
    assert parse_spec(text, LOCATION) == spec
    for name in (spec.id, spec.reference):  # both lead back
        assert parse_spec(name, LOCATION) == spec


def test_the_reference_says_everything_and_the_id_what_is_unusual() -> None:
    spec = parse_spec("random:17:names=classic", LOCATION)
    assert spec.id == "random:train:17:names=classic"
    assert spec.reference == "random:train:17:dial=0.5:names=classic:v1"


def test_a_set_has_numbers_in_a_row() -> None:
    spec = parse_spec("random:test:5-9:dial=0.1", LOCATION)
    assert (spec.is_set, spec.count) == (True, 5)
    assert spec.one(4) == Spec("test", 9, dial=0.1)
    assert not spec.one(4).is_set


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("random", "says neither train, test nor a number"),
        ("random:trian:5", "says neither train, test nor a number"),
        ("random:train:", "has the part ''"),
        ("random:-1", "says neither train, test nor a number"),
        ("random:9223372036854775808", "has a number above"),
        ("random:9-5", "must go up"),
        ("random:0-100000", "at most 100,000 editions"),
        ("random:5:dial=1.5", "give 0 to 1"),
        ("random:5:dial=half", "give 0 to 1"),
        ("random:5:dial=0.1:dial=0.2", "says dial twice"),
        ("random:5:names=old", "use one of new, classic"),
        ("random:5:price=3", "has the part 'price=3'"),
        ("random:5:v2", "is of version 2 of the generator, this is version 1"),
    ],
)
def test_what_names_nothing_is_refused_in_one_line(text: str, says: str) -> None:
    assert is_generated(text)
    with pytest.raises(EditionError) as caught:
        parse_spec(text, LOCATION)
    message = str(caught.value)
    assert says in message
    assert message.isprintable()


def test_other_editions_are_not_generated() -> None:
    assert not any(map(is_generated, ("classic", "randoms.yaml", "./random:5", None, 5)))
