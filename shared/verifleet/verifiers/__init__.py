"""Verifiers: pure cores that judge a response. No I/O, no frameworks, no settings."""
