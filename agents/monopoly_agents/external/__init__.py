"""Program bots, which communicate by JSON lines."""
