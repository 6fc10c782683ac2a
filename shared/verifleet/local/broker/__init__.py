"""A Pub/Sub-compatible broker for one machine, durable in SQLite."""
