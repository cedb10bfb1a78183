"""Rule-based bots: random play, the fixed policies of a paper, and a public baseline agent."""
