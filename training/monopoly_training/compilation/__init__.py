"""Compiling ahead of time."""
