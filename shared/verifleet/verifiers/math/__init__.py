"""The math verifier."""

from verifleet.verifiers.math.verifier import MathVerifier

__all__ = ["MathVerifier"]
