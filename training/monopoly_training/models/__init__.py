"""Trained policies: networks, files, and their agent."""
