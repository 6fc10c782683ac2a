"""The edge: HTTP routes, Pub/Sub delivery, A2A."""
