"""Text to expressions: tokens, grammar, LaTeX, units, formulas in a prompt."""
