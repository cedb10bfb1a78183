"""Shared helpers: YAML settings, bot lists, progress bars, atomic and remote files, signals."""
