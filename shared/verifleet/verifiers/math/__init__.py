"""The math verifier."""
