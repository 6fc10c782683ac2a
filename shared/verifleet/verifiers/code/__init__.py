"""The code verifier."""
