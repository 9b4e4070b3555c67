"""References and answers prepared once for all rules."""

import re
from functools import lru_cache
from typing import Literal, TypeAlias

from msgspec import Struct

from karat.text.clean import strip_invisible
from karat.text.dates import Day, read_date, read_dates
from karat.text.fold import fold
from karat.text.normalise import Token, normalise, smooth, tokenise
from karat.text.notation import is_mathematical
from karat.text.periods import Period, read_period, read_periods
from karat.text.quantities import Quantity, measures, read_quantities, read_quantity

_LONGEST_CACHED = 400
_LONGEST_VALUE = 60
_LONGEST_PLACED = 4000
# A bar over a digit or a per mille sign behind it makes another number of it.
_MARKED = re.compile("[0-9](?:[\u0300-\u036f\u20d0-\u20f0]|\\s?[‰‱])")
_ARTICLE = re.compile(r"^the\s+", re.IGNORECASE)
_LEAD = re.compile(
    r"^(?:(?:final |correct |my |short )*answer (?:is |would be )?|it is |its |it was |that is |thats |this is |they are )+"
)
_VALUE = re.compile(
    r"\d|\b(?:zero|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|hundred|thousand|"
    r"half|halves|thirds?|quarters?|first|second)\b|\w(?:teen|ty|th)\b"
)


Shape: TypeAlias = Literal["value", "name", "phrase"]
_OPENING = "\"'“‘([ "


class Reference(Struct, frozen=True):
    """A reference in its comparison form, and the date, period or quantity that it is and nothing else.

    `bare` is its text without the article, `padded` its form between blanks, by which whole words are found, `valued` tells whether it has a figure, or a word for one, at all, and `noted` whether it may be an expression.
    By its `shape` it is a value, a name, which begins with a capital, or another phrase.
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
    """Whether it is one of these three."""
    shape: Shape


def read_references(texts: tuple[str, ...]) -> list[Reference]:
    """Prepare the references of an item; several rules look at the same ones in turn, and many answers share them."""
    if sum(map(len, texts)) > _LONGEST_PLACED:
        return list(map(read_reference, texts))
    return list(_read_all_cached(texts))


@lru_cache(maxsize=1024)
def _read_all_cached(texts: tuple[str, ...]) -> tuple[Reference, ...]:
    return tuple(map(read_reference, texts))


def read_reference(text: str) -> Reference:
    """Prepare a reference; short ones are remembered, for many answers share them."""
    return _read_cached(text) if len(text) <= _LONGEST_CACHED else _read(text)


@lru_cache(maxsize=16384)
def _read_cached(text: str) -> Reference:
    return _read(text)


def _read(text: str) -> Reference:
    form = normalise(text)
    valued = names_value(text)
    alone = valued and len(text) <= _LONGEST_VALUE and not _MARKED.search(text)
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


def names_value(text: str) -> bool:
    """Tell whether a text has a figure, or a word for one."""
    return _VALUE.search(text.lower()) is not None


def strip_article(text: str) -> str:
    """Return a text without the article that it begins with."""
    return _ARTICLE.sub("", text)


def strip_lead(form: str) -> str:
    """Return a comparison form without the words that announce an answer."""
    return _LEAD.sub("", form)


class Values(Struct, frozen=True):
    """The dates, periods and quantities of an answer; None where they cannot be read surely."""

    text: str
    dates: tuple[Day, ...] | None
    periods: tuple[Period, ...]
    quantities: tuple[Quantity, ...] | None


def read_values(text: str) -> Values:
    """Read the dates and periods of an answer, then the quantities outside them; several rules look at the same one in turn."""
    return _value_cached(text) if len(text) <= _LONGEST_PLACED else _value(text)


@lru_cache(maxsize=256)
def _value_cached(text: str) -> Values:
    return _value(text)


def _value(text: str) -> Values:
    folded = fold(text)
    dates, periods = read_dates(folded), read_periods(folded)
    if dates is None or _MARKED.search(text):
        return Values(folded, None, (), None)
    dates = [date for date in dates if date.month is not None or not measures(folded, date.start, date.end)]
    masked = folded
    for each in (*dates, *periods):
        masked = f"{masked[: each.start]}{'_' * (each.end - each.start)}{masked[each.end :]}"
    quantities = read_quantities(masked)
    return Values(folded, tuple(dates), tuple(periods), None if quantities is None else tuple(quantities))


class Words(Struct, frozen=True):
    """An answer as text with the places of its words; `padded` are their forms between blanks, and `known` is what forms there are."""

    text: str
    tokens: tuple[Token, ...]
    forms: tuple[str, ...]
    padded: str
    known: frozenset[str]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the text some words begin and end."""
        return self.tokens[start].start, self.tokens[end - 1].end


def read_words(text: str) -> Words:
    """Place the words of an answer; several rules look at the same one in turn."""
    return _place_cached(text) if len(text) <= _LONGEST_PLACED else _place(text)


@lru_cache(maxsize=256)
def _place_cached(text: str) -> Words:
    return _place(text)


def _place(text: str) -> Words:
    smoothed = smooth(fold(text))
    tokens = tuple(tokenise(smoothed))
    forms = tuple([token.form for token in tokens])
    return Words(smoothed, tokens, forms, f" {' '.join(forms)} ", frozenset(forms))
