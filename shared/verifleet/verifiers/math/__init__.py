"""The math verifier."""

from verifleet.verifiers.math.verifier import PRELOAD, MathVerifier

__all__ = ["PRELOAD", "MathVerifier"]
