"""The code-runner job and what launches it."""
