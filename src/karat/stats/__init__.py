"""Pure statistics."""

from karat.stats.intervals import Estimate, mean_bound, upper_bound, wilson

__all__ = ["Estimate", "mean_bound", "upper_bound", "wilson"]
