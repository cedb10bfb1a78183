"""Behavior beside win rates: how bots deal, bid and keep cash, from the actions of their games."""
