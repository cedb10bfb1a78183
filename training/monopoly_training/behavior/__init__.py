"""Behavior figures: how bots deal, bid and keep cash."""
