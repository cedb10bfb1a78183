"""Tournaments: config, ledger, results and report."""
