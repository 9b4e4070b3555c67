"""Pure statistics; files that need numpy are imported by name, where they are used."""

from karat.stats.estimate import Estimate, Number, Undefined, clopper_pearson, mean_bound, upper_bound, wilson
from karat.stats.panels import effective_judges, pairwise_agreement

__all__ = [
    "Estimate",
    "Number",
    "Undefined",
    "clopper_pearson",
    "effective_judges",
    "mean_bound",
    "pairwise_agreement",
    "upper_bound",
    "wilson",
]
