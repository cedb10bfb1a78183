"""Luck adjustment of results (AIVAT-style variance reduction)."""
