"""Browser pages: replays, and the files of all pages."""
