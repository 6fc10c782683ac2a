"""The format verifier."""

from verifleet.verifiers.format.verifier import FormatVerifier

__all__ = ["FormatVerifier"]
