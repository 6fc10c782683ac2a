"""Killable worker processes for work that may never end."""
