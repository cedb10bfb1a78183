"""Sets of editions, from which each game draws one by its seed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from monopoly_env.compiler.jit import jit
from monopoly_env.compiler.records import read_only
from monopoly_env.editions.edition import Edition
from monopoly_env.editions.generated.draws import Draws
from monopoly_env.editions.generated.numbers import numbers_of
from monopoly_env.editions.generated.spec import Spec, is_generated, parse_spec
from monopoly_env.editions.loader import DEFAULT, STANDARD, load_edition
from monopoly_env.editions.values import parse_overrides, write_value
from monopoly_env.engine.dice import GAMMA, mix
from monopoly_env.engine.rules import new_rules, set_switches
from monopoly_env.errors import EditionError, InputError, NoSuchItem

EDITION_SALT = np.uint64(0x8A5CD789635D2DFF)
HALF = np.uint64(32)  # bits


@jit
def number_of(seed: int, count: int) -> int:
    """Return which of ``count`` editions (at most 2**32) the game of a seed uses."""
    mixed = mix(np.uint64(seed) * GAMMA + EDITION_SALT) >> HALF
    return int((mixed * np.uint64(count)) >> HALF)


class EditionSet:
    """A set of editions from which each game draws one by its seed; often just one.

    The editions differ in numbers and names; switches, modes and players are the same in all.
    Created by :func:`load_editions`.

    >>> editions = load_editions("random:train:0-199")
    >>> len(editions), editions[3].id
    (200, 'random:train:3')
    >>> editions.for_seed(7) is editions.for_seed(7)
    True
    """

    def __init__(
        self, first: Edition, spec: Spec | None = None, overrides: Mapping[str, Any] | None = None
    ) -> None:
        self.first = first
        self._spec = spec
        self._overrides = dict(overrides or {})
        self._editions = {0: first}

    def __len__(self) -> int:
        return 1 if self._spec is None else self._spec.count

    def __getitem__(self, number: int) -> Edition:
        """Return one of the editions by index. Raises: NoSuchItem."""
        number = NoSuchItem.at("number").index(number, 0, len(self) - 1)
        if number not in self._editions:
            assert self._spec is not None  # only sets have several
            name = self._spec.one(number).reference
            self._editions[number] = load_edition(name, self.first.mode, self._overrides)
        return self._editions[number]

    def __iter__(self) -> Iterator[Edition]:
        return (self[number] for number in range(len(self)))

    def __reduce__(self) -> tuple[Any, ...]:
        if self._spec is None:
            return EditionSet, (self.first,)
        return load_editions, (self._spec.reference, self.first.mode, self._overrides)

    @property
    def name(self) -> str:
        """The name that loads the set again."""
        return self.first.reference if self._spec is None else self._spec.reference

    def for_seed(self, seed: int) -> Edition:
        """Return the edition of the game with this seed."""
        return self[number_of(seed, len(self))] if len(self) > 1 else self.first

    @cached_property
    def rules(self) -> Any:
        """The rules of all editions, RULES[n], read-only.

        Does not create the names, which would take most of the time.
        """
        rules = new_rules(len(self))
        if self._spec is None:
            rules[:] = self.first.rules
            return read_only(rules)
        base = load_edition(DEFAULT)
        rules[:] = load_edition(DEFAULT, self.first.mode).rules
        for number in range(len(self)):
            one = self._spec.one(number)
            values = numbers_of(Draws(one.split, one.first), one.dial, base.rules[0])
            record = rules[number : number + 1]
            for name, value in values:
                write_value(record, name, value)
            for name, value in self._overrides.items():
                if name != "max_players":
                    write_value(record, name, value)
        set_switches(rules)
        return read_only(rules)


def load_editions(
    edition: str | Path = DEFAULT,
    mode: str = STANDARD,
    rules: Mapping[str, object] | None = None,
) -> EditionSet:
    """Return the editions of a name: a set such as ``random:train:0-199``, or a single edition.

    The arguments are those of :func:`monopoly_env.load_edition`.

    Raises: EditionError, one line that names the file, the key and the remedy.
    """
    if is_generated(edition):
        spec = parse_spec(str(edition), EditionError.at("edition"))
        if spec.is_set:
            overrides = parse_overrides(rules, EditionError.at("rules"))
            return _set(spec, mode, json.dumps(overrides))
    return EditionSet(load_edition(edition, mode, rules))


def check_loaded(
    edition: Edition, mode: str | None = None, rules: Mapping[str, object] | None = None
) -> Edition:
    """Return an edition that was given instead of a name, after checking that nothing changes it.

    Raises: InputError, one line, for another mode or for rules: it was loaded with its own.
    """
    if rules or mode not in (None, STANDARD, edition.mode):
        InputError.at("edition").fail(
            "is loaded already; give mode and rules (windows, deals, …) to load_edition"
        )
    return edition


@lru_cache(maxsize=16)
def _set(spec: Spec, mode: str, overrides_json: str) -> EditionSet:
    overrides: dict[str, Any] = json.loads(overrides_json)
    return EditionSet(load_edition(spec.one(0).reference, mode, overrides), spec, overrides)
