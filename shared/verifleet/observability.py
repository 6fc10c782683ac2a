"""JSON logs in Cloud Logging shape and Prometheus metrics."""
