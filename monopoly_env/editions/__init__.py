"""Editions: one YAML file per rule book, and the loader that creates a RULES record.

Generated editions are drawn at random instead (:mod:`monopoly_env.editions.generated`).
"""

from monopoly_env.editions.edition import Edition
from monopoly_env.editions.generated.spec import is_generated
from monopoly_env.editions.loader import DEFAULT, STANDARD, editions, load_edition
from monopoly_env.editions.names import Names
from monopoly_env.editions.sets import EditionSet, load_editions
from monopoly_env.errors import EditionError

__all__ = [
    "DEFAULT",
    "STANDARD",
    "Edition",
    "EditionError",
    "EditionSet",
    "Names",
    "editions",
    "is_generated",
    "load_edition",
    "load_editions",
]
