"""Leagues: agents that are trained against a population of each other's policies, and exploiters."""
