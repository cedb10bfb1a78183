"""Tournaments: config, ledger, tables of games, summary, report."""
