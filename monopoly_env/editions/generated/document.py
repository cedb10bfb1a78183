"""Returns a generated edition as a document, like a file that extends classic."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from monopoly_env.editions.document import Document, RuleValues
from monopoly_env.editions.generated.draws import Draws
from monopoly_env.editions.generated.naming import labels_of, names_of
from monopoly_env.editions.generated.numbers import numbers_of
from monopoly_env.editions.generated.spec import Spec
from monopoly_env.errors import EditionError

BASE = "classic"
SOURCE = "drawn"


def generated_document(spec: Spec, base: Any) -> Document:
    """Return the document of an edition; ``base`` is classic's RULES record."""
    draws = Draws(spec.split, spec.first)
    values = numbers_of(draws, spec.dial, base)
    renamed = spec.names == "new"
    return Document(
        path=Path(spec.reference),
        location=EditionError.at(spec.reference),
        extends=BASE,
        about={
            "id": spec.id,
            "title": f"Generated edition {spec.first} ({spec.split})",
            "publisher": "",
            "language": "en",
            "rulebook": "drawn from its number",
        },
        year=None,
        players={},
        names=names_of(draws) if renamed else {},
        labels=labels_of(draws, base) if renamed else {},
        rules=RuleValues(values, {name: SOURCE for name, _ in values}),
        layout={},
        modes={},
        optional_rules={},
        house_rules=[],
    )
