"""The verifier agent's pure core: claims, evidence, credibility, reliability."""
