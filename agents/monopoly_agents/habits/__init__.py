"""habits: a family of opponents with random habits, selected by seed."""
