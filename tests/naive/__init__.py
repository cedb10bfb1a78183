"""The slow twin: the rules once more, written from the rule books in plain Python."""
