"""Expressions to verdicts: values, equality, sets, matrices, amounts with units."""
