"""A bot that tries decisions out by playing games to their end."""
