"""Pure statistics; files that need numpy are imported by name, where they are used."""

from karat.stats.agreement import effective_judges, pairwise_agreement
from karat.stats.estimate import Estimate, Number, Undefined, clopper_pearson, mean_bound, upper_bound, wilson

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
