"""Pages in a browser: a game to look at move by move; what they show, and the files they are made of."""
