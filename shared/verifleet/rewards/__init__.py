"""One thin adapter for each trainer."""
