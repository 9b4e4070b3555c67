"""Pure statistics."""

from karat.stats.intervals import Estimate, mean_bound, upper_bound, wilson
from karat.stats.panels import effective_judges, pairwise_agreement

__all__ = ["Estimate", "effective_judges", "mean_bound", "pairwise_agreement", "upper_bound", "wilson"]
