"""Trained policies: networks, their files, and the agent that plays by them."""
