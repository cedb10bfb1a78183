"""Language models: token counts, and adapters for other libraries."""
