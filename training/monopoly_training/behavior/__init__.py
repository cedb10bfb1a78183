"""Behavior statistics: how bots trade, bid and keep cash."""
