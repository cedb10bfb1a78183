"""Statistics of games: win rates with intervals, bootstrap, sequential tests, ratings."""
