"""Which clauses of a report are claims of fact about an incident, and what of it is guidance."""

from verifleet.agents.claims.extract import Claims, ClaimSpan, Kind, extract

__all__ = ["ClaimSpan", "Claims", "Kind", "extract"]
