"""The format verifier."""
