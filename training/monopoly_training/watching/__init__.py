"""Watching training runs and tournaments in a browser: reads what they write, and nothing else."""
