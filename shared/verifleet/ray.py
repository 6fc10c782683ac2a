"""`Score` for Ray's `Dataset.map_batches`."""

from verifleet.scoring.on_ray import Score

__all__ = ["Score"]
