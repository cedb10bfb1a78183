"""Small two-player editions solved exactly: values, best responses, NashConv."""
