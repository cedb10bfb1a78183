"""Datasets of decisions: writing and reading."""
