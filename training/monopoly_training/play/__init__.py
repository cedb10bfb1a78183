"""Browser games: storage, views of each seat, bots."""
