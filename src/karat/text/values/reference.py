"""Parse references and answers once for all rules: comparison form, date, period and quantity."""

import re
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.normal import Words, fold, normalise, remember_short, strip_article, strip_invisible
from karat.text.values.dates import Day, Period, read_date, read_dates, read_period, read_periods
from karat.text.values.numbers import Quantity, has_unit, read_quantities, read_quantity

_LONGEST_VALUE = 60
# A bar over a digit or a per mille sign after it changes the number.
_MARKED_DIGIT = re.compile("[0-9](?:[\u0300-\u036f\u20d0-\u20f0]|\\s?[‰‱])")
_NUMBER_CUE = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|"
    r"half|halves|thirds?|quarters?|first|second)\b|\w(?:teen|ty|th)\b"
)

ReferenceShape: TypeAlias = Literal["value", "name", "phrase"]
_OPENING = "\"'“‘([ "


class Reference(Struct, frozen=True):
    """A reference in its comparison form, and its date, period or quantity if it is nothing else.

    `bare` is the text without the article, `padded` the form between blanks, to find whole words. `valued` tells whether it has a figure or a number word,
    `noted` whether it may be an expression. Its `shape` is a value, a name, which begins with a capital, or another phrase.
    """

    text: str
    bare: str
    valued: bool
    noted: bool
    form: str
    padded: str
    words: tuple[str, ...]
    date: Day | None
    period: Period | None
    quantity: Quantity | None
    is_value: bool
    """Whether it is a date, a period or a quantity."""
    shape: ReferenceShape


def read_references(texts: tuple[str, ...]) -> list[Reference]:
    """Parse the references of an item."""
    return list(map(read_reference, texts))


@remember_short(16384, 400)
def read_reference(text: str) -> Reference:
    """Parse a reference. The result is cached, because many answers share it."""
    form = normalise(text)
    valued = mentions_number(text)
    alone = valued and len(text) <= _LONGEST_VALUE and not _MARKED_DIGIT.search(text)
    folded = fold(text).strip() if alone else ""
    date = read_date(folded) if folded else None
    period = read_period(folded) if folded and date is None else None
    quantity = read_quantity(folded) if folded and date is None and period is None else None
    shown = strip_invisible(text)
    is_value = date is not None or period is not None or quantity is not None
    return Reference(
        shown,
        strip_article(shown.strip(" .")),
        valued,
        valued or is_mathematical(text),
        form,
        f" {form} ",
        tuple(form.split()),
        date,
        period,
        quantity,
        is_value,
        "value" if is_value else "name" if text.lstrip(_OPENING)[:1].isupper() else "phrase",
    )


def mentions_number(text: str) -> bool:
    """Return whether a text has a figure or a number word."""
    return _NUMBER_CUE.search(text.lower()) is not None


class Values(Struct, frozen=True):
    """The dates, periods and quantities of an answer. None if they are ambiguous."""

    text: str
    dates: tuple[Day, ...] | None
    periods: tuple[Period, ...]
    quantities: tuple[Quantity, ...] | None


@remember_short(256)
def read_values(text: str) -> Values:
    """Read the dates and periods of an answer, then the quantities outside them."""
    folded = fold(text)
    dates, periods = read_dates(folded), read_periods(folded)
    if dates is None or _MARKED_DIGIT.search(text):
        return Values(folded, None, (), None)
    dates = [date for date in dates if date.month is not None or not has_unit(folded, date.start, date.end)]
    masked = folded
    for each in (*dates, *periods):
        masked = f"{masked[: each.start]}{'_' * (each.end - each.start)}{masked[each.end :]}"
    quantities = read_quantities(masked)
    return Values(folded, tuple(dates), tuple(periods), None if quantities is None else tuple(quantities))


_MATHEMATICAL = re.compile(r"^\s*\$[^$]+\$\s*$|\\[a-zA-Z]|[√π^²³⁴-⁹]|\*\*|\b(?:pi|sqrt)\b")


def is_mathematical(text: str) -> bool:
    """Return whether a text has mathematical notation: LaTeX, a root, a power, π."""
    return _MATHEMATICAL.search(text) is not None


def list_mentioned(references: list[Reference], answer: Words) -> list[Reference]:
    """Return the references whose words are all in the answer, one after another."""
    said = answer.padded
    return [reference for reference in references if reference.words and reference.padded in said]


def mentions_any(references: list[Reference], answer: Words) -> bool:
    """Return whether an answer contains all words of a reference, one after another."""
    return bool(list_mentioned(references, answer))
