"""Tuning of scripted bots' weights by evolution."""
