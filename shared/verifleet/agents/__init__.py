"""Agents: pure cores of the incident pipeline. No I/O, no frameworks, no settings."""
