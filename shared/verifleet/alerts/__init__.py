"""Alerts out: who is told of which change of an incident, in which form, and how it gets there."""
