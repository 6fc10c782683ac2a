"""Ingest: from a report as it was published to an event that can be verified."""
