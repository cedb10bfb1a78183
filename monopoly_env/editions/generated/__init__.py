"""Generated editions: boards without end, each drawn from a number, at a stated distance from classic."""
