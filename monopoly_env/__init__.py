"""Monopoly as an environment for agents: exact rules, compiled games, standard interfaces."""
