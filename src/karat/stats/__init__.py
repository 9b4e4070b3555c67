"""Pure statistics."""

from karat.stats.intervals import Estimate, wilson

__all__ = ["Estimate", "wilson"]
