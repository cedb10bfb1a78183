"""Datasets of decisions: writing, reading and export."""
