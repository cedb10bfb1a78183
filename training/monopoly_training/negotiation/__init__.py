"""Negotiations measured from records, and what other libraries of negotiation are given."""
