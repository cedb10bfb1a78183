"""Ahead-of-time compilation."""
