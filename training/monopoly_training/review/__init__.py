"""Reviews of recorded games: losses, luck, better moves."""
