"""What runs inside the jail's keeper: one interpreter without secrets that forks a jailed process for each run.

These modules use the standard library only; their source is fed to a fresh interpreter over stdin.
"""
