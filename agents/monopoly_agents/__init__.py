"""Bots that play: a room each, found by name through the registry."""
