"""What runs inside a jailed process, beside the untrusted program: the runners and the plain-data wire."""
