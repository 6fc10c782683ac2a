"""verifleet: verification as a serverless fleet on Google Cloud.

The package is imported lazily on purpose: a function pays only for what it uses,
so nothing is re-exported here. Start at `verifleet.verification` (what a verifier
takes and gives) or `verifleet.envelopes` (what travels between functions).
"""

__version__ = "0.1.0"
