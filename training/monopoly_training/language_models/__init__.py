"""Language models at the table: what a game costs in tokens, and what other libraries are given."""
