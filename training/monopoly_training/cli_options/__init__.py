"""Options shared by several commands."""
