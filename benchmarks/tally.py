"""How often intervals hold the truth, and how wide they are."""

from collections import defaultdict
from typing import NamedTuple

from karat.stats import Number, Undefined


class Tally(NamedTuple):
    """Intervals counted up, by name."""

    hits: dict[str, int]
    widths: dict[str, float]
    draws: dict[str, int]

    @classmethod
    def start(cls) -> "Tally":
        return cls(defaultdict(int), defaultdict(float), defaultdict(int))

    def add(self, name: str, number: Number, truth: float) -> None:
        """Count an interval; one that is not defined holds nothing."""
        self.draws[name] += 1
        if not isinstance(number, Undefined):
            self.hits[name] += number.low <= truth <= number.high
            self.widths[name] += number.high - number.low

    def coverage(self, name: str) -> float:
        return self.hits[name] / self.draws[name]

    def width(self, name: str) -> float:
        return self.widths[name] / self.draws[name]

    def show(self, name: str) -> str:
        """Two cells of a table: coverage and mean width."""
        return f"{100 * self.coverage(name):.1f} % | {100 * self.width(name):.1f}"
