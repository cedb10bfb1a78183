"""The leaderboard: protocol and results."""
