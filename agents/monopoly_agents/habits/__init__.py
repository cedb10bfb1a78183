"""habits: a family of opponents with random habits, one for each seed."""
