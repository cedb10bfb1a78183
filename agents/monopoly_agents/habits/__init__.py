"""habits: a family of opponents; each seed draws how one of them deals, buys, and spends."""
