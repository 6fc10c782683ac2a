"""Sample reports and verification requests, each with what it should get."""
