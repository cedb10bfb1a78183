"""Shared code: settings from YAML, lists of bots, progress, atomic files."""
