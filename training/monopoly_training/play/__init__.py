"""Games that people play in a browser: kept move by move on disk, told to each seat, and their bots."""
