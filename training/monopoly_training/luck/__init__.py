"""Luck adjustment of results."""
