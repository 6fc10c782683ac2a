"""The knowledge verifier."""
