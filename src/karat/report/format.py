"""How numbers are written: shares, coefficients, differences, counts and costs, wherever they are read."""

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
    """How a number is written with its interval; one that is not defined is replaced by the reason.

    `bound` follows each bound of a share, `points` a difference in points.
    """

    bound: str
    minus: str
    points: str

    def show_number(self, number: Number) -> str:
        """A share in percent."""
        if isinstance(number, Undefined):
            return _explain(number)
        low, high = (f"{100 * end:.1f}{self.bound}" for end in (number.low, number.high))
        return f"{show_percent(number.value)} [{low}, {high}]"

    def show_plain(self, number: Number) -> str:
        """A coefficient."""
        if isinstance(number, Undefined):
            return _explain(number)
        return f"{number.value:.3f} [{number.low:.3f}, {number.high:.3f}]".replace("-", self.minus)

    def show_points(self, number: Number) -> str:
        """A difference between shares in points, with its sign."""
        if isinstance(number, Undefined):
            return _explain(number)
        value, low, high = (f"{100 * part:+.1f}" for part in (number.value, number.low, number.high))
        return f"{value}{self.points} [{low}, {high}]".replace("-", self.minus)

    def show_statistic(self, name: str, number: Number) -> str:
        """A statistic as it is usually written: shares in percent, coefficients plain."""
        return self.show_number(number) if name in _SHARES else self.show_plain(number)


TEXT = NumberFormat(bound="", minus="−", points=" points")
TERMINAL = NumberFormat(bound=" %", minus="-", points="")
show_number, show_plain, show_points = TEXT.show_number, TEXT.show_plain, TEXT.show_points
show_statistic = TEXT.show_statistic


def _explain(number: Undefined) -> str:
    return f"not defined: {number.why}"


def list_reasons(numbers: Iterable[Number | None]) -> str:
    """Why some numbers are not defined, each reason once; nothing where all are."""
    return "; ".join(dict.fromkeys(number.why for number in numbers if isinstance(number, Undefined)))


def show_percent(share: float | None) -> str:
    """A share in percent; a dash where there is none."""
    return "–" if share is None else f"{100 * share:.1f} %"


def show_value(value: Value | None, missing: str = "–") -> str:
    """A verdict as people read it: Yes, No or a level."""
    return missing if value is None else "Yes" if value is True else "No" if value is False else str(value)


def count(number: int, noun: str, plural: str | None = None) -> str:
    """A number of things."""
    return f"{number:,} {noun if number == 1 else plural or f'{noun}s'}"


def show_cost(cost: float | None) -> str:
    """Dollars, or that no price is known."""
    return "unknown" if cost is None else f"${cost:,.4f}" if cost < 1 else f"${cost:,.2f}"


def show_paid(spent: Spent) -> str:
    """The cost of calls; where some came without a token count it is no more than a lower bound."""
    least = "at least " if spent.uncounted and spent.cost_usd is not None else ""
    return f"{least}{show_cost(spent.cost_usd)}"


def show_tokens(tokens: int | None) -> str:
    """A number of tokens, or that nobody told it."""
    return "unknown" if tokens is None else f"{tokens:,}"


def show_uncounted(spent: Spent) -> str:
    """How many calls are not in the count, if any."""
    return f" ({count(spent.uncounted, 'call')} without a token count)" if spent.uncounted else ""


def show_no_calls(spent: Spent) -> str:
    """Why a run has no calls: no model was called, or another tool judged and told no costs."""
    return "no model was called" if spent.input_tokens is not None else "cost unknown"


def show_spent(spent: Spent) -> str:
    """Tokens and cost on one line."""
    cached = f" ({spent.cached_tokens:,} cached)" if spent.cached_tokens else ""
    return (
        f"{show_tokens(spent.input_tokens)} tokens in{cached}, {show_tokens(spent.output_tokens)} out"
        f"{show_uncounted(spent)}, {show_paid(spent)}"
    )
