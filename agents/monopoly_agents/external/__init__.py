"""Bots in other programs, which communicate by JSON lines."""
