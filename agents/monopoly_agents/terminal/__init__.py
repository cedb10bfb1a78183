"""Human players at a terminal."""
