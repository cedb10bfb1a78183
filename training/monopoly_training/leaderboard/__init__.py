"""The leaderboard: one protocol that every bot plays, and the table that comes of it."""
