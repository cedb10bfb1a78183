"""Language models: token counts, and adapters for evaluation libraries."""
