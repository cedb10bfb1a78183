"""Generators of the documentation pages."""
