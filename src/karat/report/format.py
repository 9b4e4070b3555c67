"""Formatting of numbers: shares, coefficients, differences, counts and costs."""

from collections.abc import Iterable

from msgspec import Struct

from karat.core.types import Spent, Value
from karat.stats import Number, Undefined

STATISTICS = {
    "agreement": "agreement",
    "sensitivity": "sensitivity",
    "specificity": "specificity",
    "cohen_kappa": "Cohen's kappa",
    "gwet_ac1": "Gwet's AC1",
    "krippendorff_alpha": "Krippendorff's alpha",
    "mcc": "Matthews correlation",
    "macro_f1": "macro F1",
    "exact": "same level",
    "within_one": "at most one level apart",
    "quadratic_kappa": "quadratic kappa",
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall": "Kendall's tau",
    "mean_absolute_error": "mean absolute error",
}
_SHARES = frozenset({"agreement", "sensitivity", "specificity", "exact", "within_one"})


class NumberFormat(Struct, frozen=True):
    """Formats numbers with their intervals; an undefined one is replaced by the reason.

    `bound` follows each bound of a share, `points` a difference in points.
    """

    bound: str
    minus: str
    points: str

    def show_number(self, number: Number) -> str:
        """Format a share in percent."""
        if isinstance(number, Undefined):
            return _explain(number)
        low, high = (f"{100 * end:.1f}{self.bound}" for end in (number.low, number.high))
        return f"{show_percent(number.value)} [{low}, {high}]"

    def show_plain(self, number: Number) -> str:
        """Format a coefficient."""
        if isinstance(number, Undefined):
            return _explain(number)
        return f"{number.value:.3f} [{number.low:.3f}, {number.high:.3f}]".replace("-", self.minus)

    def show_points(self, number: Number) -> str:
        """Format a difference between shares in points, with its sign."""
        if isinstance(number, Undefined):
            return _explain(number)
        value, low, high = (f"{100 * part:+.1f}" for part in (number.value, number.low, number.high))
        return f"{value}{self.points} [{low}, {high}]".replace("-", self.minus)

    def show_statistic(self, name: str, number: Number) -> str:
        """Format a statistic as usual: shares in percent, coefficients plain."""
        return self.show_number(number) if name in _SHARES else self.show_plain(number)


TEXT = NumberFormat(bound="", minus="−", points=" points")
TERMINAL = NumberFormat(bound=" %", minus="-", points="")
show_number, show_plain, show_points = TEXT.show_number, TEXT.show_plain, TEXT.show_points
show_statistic = TEXT.show_statistic


def _explain(number: Undefined) -> str:
    return f"not defined: {number.why}"


def list_reasons(numbers: Iterable[Number | None]) -> str:
    """List why some numbers are not defined, each reason once; empty if all are."""
    return "; ".join(dict.fromkeys(number.why for number in numbers if isinstance(number, Undefined)))


def show_percent(share: float | None) -> str:
    """Format a share in percent; a dash if there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def show_value(value: Value | None, missing: str = "–") -> str:
    """Format a verdict: Yes, No or a level."""
    return missing if value is None else "Yes" if value is True else "No" if value is False else str(value)


def count(number: int, noun: str, plural: str | None = None) -> str:
    """Format a number with its noun."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def show_cost(cost: float | None) -> str:
    """Format dollars, or say that no price is known."""
    return "unknown" if cost is None else f"${cost:,.4f}" if cost < 1 else f"${cost:,.2f}"


def show_paid(spent: Spent) -> str:
    """Format the cost of calls; if some came without a token count it is a lower bound."""
    least = "at least " if spent.uncounted and spent.cost_usd is not None else ""
    return f"{least}{show_cost(spent.cost_usd)}"


def show_tokens(tokens: int | None) -> str:
    """Format a number of tokens, or say that it is unknown."""
    return "unknown" if tokens is None else f"{tokens:,}"


def show_uncounted(spent: Spent) -> str:
    """Format the number of calls that are not in the count, if any."""
    return f" ({count(spent.uncounted, 'call')} without a token count)" if spent.uncounted else ""


def show_no_calls(spent: Spent) -> str:
    """Why a run has no calls: no model was called, or another tool judged and told no costs."""
    return "no model was called" if spent.input_tokens is not None else "cost unknown"


def show_spent(spent: Spent) -> str:
    """Format tokens and cost on one line."""
    cached = f" ({spent.cached_tokens:,} cached)" if spent.cached_tokens else ""
    return (
        f"{show_tokens(spent.input_tokens)} input tokens{cached}, {show_tokens(spent.output_tokens)} output tokens"
        f"{show_uncounted(spent)}, {show_paid(spent)}"
    )
