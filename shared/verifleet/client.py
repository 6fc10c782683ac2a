"""A small client for the verifiers over HTTP."""
