"""Rule cases: reading, running and checking them."""
