"""Trained policies: networks, files, and the bot that plays them."""
