"""The rule books: one YAML file an edition, and the loader that makes a RULES record of it."""

from monopoly_env.editions.loader import Edition, EditionError, Names, editions, load_edition

__all__ = ["Edition", "EditionError", "Names", "editions", "load_edition"]
