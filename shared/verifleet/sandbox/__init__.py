"""Isolation of untrusted programs; the only place that runs them."""
