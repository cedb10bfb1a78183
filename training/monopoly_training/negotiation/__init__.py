"""Negotiation: measurements from game records, and an adapter for NegMAS."""
