"""The verifier agent core: claims, evidence, credibility, reliability."""
