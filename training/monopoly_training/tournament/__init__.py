"""Tournaments: config, ledger, results, report."""
