"""Scoring whole data sets: rows of files come in, results go out, by processes, deployed verifiers or Ray."""
