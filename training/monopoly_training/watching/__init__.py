"""Browser pages for training runs and tournaments."""
