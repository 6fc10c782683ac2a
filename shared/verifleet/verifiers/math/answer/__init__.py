"""A response to its final answer: statements, denials, corrections, words."""
