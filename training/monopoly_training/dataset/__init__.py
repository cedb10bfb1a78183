"""Datasets of decisions: written from games, read as arrays."""
