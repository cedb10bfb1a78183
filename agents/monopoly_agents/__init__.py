"""Bots that play: one file a bot, found by name through the registry."""
