"""Rewrite an answer in the reference's own spelling where both say the same: values, years, times of day, names, formulas."""

import re
from fractions import Fraction
from functools import lru_cache

from msgspec import Struct

from karat.core.types import Item
from karat.text.lexicon import SMALL_NUMBERS, any_case, asks_time
from karat.text.names import respell_counted, respell_people, respell_regnal
from karat.text.normal import LONGEST_TEXT, fold
from karat.text.values.dates import Day, read_ambiguous_dates, read_dates
from karat.text.values.numbers import NUMBER_WORDS, Quantity, is_rounding, list_quantities, read_number_words
from karat.text.values.reference import mentions_number
from karat.text.values.units import FEATURE_CURRENCIES, Money, find_money, find_unit


def respell(reference: str, answer: str, question: str = "") -> str:
    """Return the answer with values, names and formulas spelt as in the reference; what it repeats from the question stays."""
    reference = reference.replace("\xa0", " ")
    answer = respell_values(reference, respell_years(reference, answer), question)
    answer = respell_counted(reference, respell_times(reference, answer, question), question)
    answer = respell_regnal(reference, respell_people(reference, answer, question))
    return respell_formulas(reference, answer)


# Values: "two weeks" is written as the reference's "14 days".

_NUMBER = any_case(rf"\d[\d,.]*\d|\d|\b{NUMBER_WORDS}(?!\w)")
_NEAR = Fraction(1, 100)
# Words that make another value of the one beside them; "6 feet 2 inches" is neither 6 feet nor 2 inches.
_VALUE_LIMIT = any_case(
    r"(?:\b(?:before|until|over|under|more than|less than|fewer than|almost|nearly|above|below|beyond|at least|at most|exceed\w*|half of|twice|double|(?:\d[\d.,]*|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|fifty|hundred) (?:to|or|and))|\d\s?-|\d\s?(?:feet|foot|ft|miles?|hours?|hrs?|h|minutes?|mins?|years?|months?|weeks?|days?|pounds?|lbs?|m),?(?:\sand)?)\s*$"
)
_VALUE_MULTIPLE = any_case(
    r"(?:,?\s*and)?\s+\d|\s+(?:pairs?|dozens?|couples|sets|and a|times|before|ago|earlier)\b"
)
_REACH = 24


class _Value(Struct, frozen=True):
    """A date or a quantity, and how it is written."""

    what: Day | Quantity
    text: str


def respell_values(reference: str, answer: str, question: str) -> str:
    """Return the answer with its values written as in the reference, except values from the question and limits ("under 14 days")."""
    if len(answer) > LONGEST_TEXT or len(reference) > LONGEST_TEXT or not mentions_number(answer):
        return answer
    wanted = _list_values(fold(reference))
    if not wanted:
        return answer
    answer = _spell_numeric(wanted, answer)
    folded, asked = fold(answer), fold(question).lower()
    written = {each.text.strip().lower() for each in wanted}
    limits = any(_is_limited_value(fold(reference), each) for each in wanted)
    changed = folded
    for given in sorted(_list_values(folded), key=lambda value: -value.what.start):
        own = given.text.strip().lower()
        if (
            own in written
            or (not limits and _is_limited_value(folded, given))
            or re.search(rf"(?<!\w){re.escape(own)}(?!\w)", asked)
        ):
            continue
        spelt = next((spelt for each in wanted if (spelt := _respell_value(given, each)) is not None), None)
        if spelt is not None:
            space = " " * (len(given.text) - len(given.text.lstrip()))
            changed = f"{changed[: given.what.start]}{space}{spelt.lstrip()}{changed[given.what.end :]}"
    return answer if changed == folded else changed


def _spell_numeric(wanted: tuple[_Value, ...], answer: str) -> str:
    """Write an ambiguous numeric date as in the reference if it can be the same: "10/09/2001" may be the 9th of October."""
    folded = fold(answer)
    changed = folded
    for days in reversed(read_ambiguous_dates(folded)):
        parts = {day.parts() for day in days}
        spelt = next(
            (each.text for each in wanted if isinstance(each.what, Day) and each.what.parts() in parts), None
        )
        if spelt is not None:
            changed = f"{changed[: days[0].start]}{spelt.strip()}{changed[days[0].end :]}"
    return answer if changed == folded else changed


@lru_cache(maxsize=4096)  # a reference has many answers, and an answer is held against several references
def _list_values(text: str) -> tuple[_Value, ...]:
    """Return the days and quantities of a text; a year alone is a number like others."""
    if not mentions_number(text):
        return ()
    dates = [date for date in read_dates(text) or () if date.month is not None]
    masked = text
    for date in dates:
        masked = f"{masked[: date.start]}{'_' * (date.end - date.start)}{masked[date.end :]}"
    values: list[Day | Quantity] = [*dates, *list_quantities(masked)]
    return tuple(_Value(value, text[value.start : value.end]) for value in values)


def _is_limited_value(text: str, value: _Value) -> bool:
    """Return whether a word beside a value changes it, as in "under 14 days"."""
    before = text[max(0, value.what.start - _REACH) : value.what.start]
    return _VALUE_LIMIT.search(before) is not None or _VALUE_MULTIPLE.match(text, value.what.end) is not None


def _respell_value(given: _Value, wanted: _Value) -> str | None:
    """Return the given value as the wanted one is written; None if they differ or are already written alike."""
    one, other = given.what, wanted.what
    if isinstance(one, Day) or isinstance(other, Day):
        same = isinstance(one, Day) and isinstance(other, Day) and one.parts() == other.parts()
        return wanted.text if same else None
    kinds = {one.kind, other.kind}
    # A percentage may be the same share as a fraction of nothing else.
    is_share = kinds == {"percent", "plain"} and one.value == other.value and one.value.denominator != 1
    if is_share or (len(kinds) == 1 and _is_same_quantity(one, other)):
        return wanted.text
    return _spell_number(given.text, wanted.text) if _is_counted_alike(one, other) else None


def _is_same_quantity(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities of one kind are equal, up to rounding into another unit."""
    away = abs(one.value - other.value)
    if not away:
        return one.kind != "plain" or one.count == other.count
    if one.kind == "temperature" or not is_rounding(one, other):
        return False  # degrees have no natural share
    same_unit = one.count and other.count and one.value / one.count == other.value / other.count
    return not same_unit and away <= _NEAR * abs(other.value)


def _is_counted_alike(one: Quantity, other: Quantity) -> bool:
    """Return whether two quantities have the same number and different nouns: "25 days", "twenty-five paid days"."""
    return (
        one.count == other.count
        and "plain" in {one.kind, other.kind}
        and {one.kind, other.kind}.isdisjoint({"ordinal", "percent"})
    )


def _spell_number(given: str, wanted: str) -> str | None:
    """Write a number in figures instead of words, or the other way round, as in the wanted quantity."""
    ours, theirs = _NUMBER.search(given), _NUMBER.search(wanted)
    if ours is None or theirs is None or ours[0][0].isdigit() == theirs[0][0].isdigit():
        return None
    return f"{given[: ours.start()]}{theirs[0]}{given[ours.end() :]}"


# Years: "nineteen forty-five" is "1945", "FY17" is "2017".

_ONES, _TEENS, _TENS = ("|".join(SMALL_NUMBERS[first:last]) for first, last in ((1, 10), (10, 20), (20, 28)))
_TWO_DIGITS = rf"(?:{_TENS})(?:[\s-](?:{_ONES}))?|{_TEENS}"
_SPOKEN_YEAR = any_case(
    rf"\b(?:(?P<century>{_TEENS}|twenty)[\s-](?:(?P<pair>{_TWO_DIGITS})|oh?[\s-](?P<one>{_ONES}))|two thousand(?:\s(?:and\s)?(?P<since>{_TWO_DIGITS}|{_ONES}))?)\b(?![\s-](?:and\s)?(?:{_TWO_DIGITS}|{_ONES}|hundred|thousand|million|billion|years?)\b)"
)
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?![\d.,]\d|\d)")
_FISCAL_YEAR = any_case(r"\b(?:fy|fiscal(?: year)?)\s?['’]?(?P<year>\d{2}|(?:19|20)\d\d)(?![\d.,/%-])")
_THOUSANDS = 2000


def respell_years(reference: str, answer: str) -> str:
    """Return the answer with spoken and fiscal years written as in the reference."""
    if not any(map(str.isdigit, reference)):
        return answer
    written = {year: year for year in _YEAR.findall(reference)}
    for found in _FISCAL_YEAR.finditer(reference):
        written |= dict.fromkeys(_list_years(found["year"]), found[0])
    if not written:
        return answer
    spoken = _SPOKEN_YEAR.sub(lambda found: written.get(_read_spoken_year(found), found[0]), answer)
    return _FISCAL_YEAR.sub(
        lambda found: next(
            (written[year] for year in _list_years(found["year"]) if year in written), found[0]
        ),
        spoken,
    )


def _list_years(digits: str) -> list[str]:
    """Return the years that the figures of a fiscal year may mean."""
    return [digits] if len(digits) > len("17") else [f"20{digits}", f"19{digits}"]


def _read_spoken_year(found: re.Match[str]) -> str:
    if not found["century"]:
        return str(_THOUSANDS + _count_words(found["since"]))
    return str(100 * _count_words(found["century"]) + _count_words(found["pair"] or found["one"]))


def _count_words(words: str | None) -> int:
    number = read_number_words(words) if words else None
    return 0 if number is None else int(number.value)


# Times of day: "15:00" is "3 pm", where a time is asked for.

_CLOCK_TIME = any_case(
    r"(?<![\d:.,/$€£-])(?P<hour>\d{1,2})(?:(?P<mark>[:.])(?P<minute>[0-5]\d))?(?![\d:/%]|\.\d)(?:\s?"
    r"(?P<half>[ap]\.?\s?m\b\.?|o['’]?clock\b(?:\s(?:in\sthe\s(?:morning|afternoon|evening)|at\snight))?|in\sthe\s(?:morning|afternoon|evening)|at\snight))?"
)
# What makes a limit or a span of a time.
_TIME_LIMIT = any_case(r"\b(?:after|before|until|till|from|past|since|by|to|between|and)\s+$|[-–]\s?$")
_TIME_SPAN = any_case(r"\s?(?:to|until|till|and|-|–)\s?\d")
_LAST_HOUR, _NOON = 23, 12
_LIMIT_REACH = 12


def respell_times(reference: str, answer: str, question: str) -> str:
    """Return the answer with the same time of day written as in the reference; one of the two must say which half of the day it is."""
    if not asks_time(question):
        return answer
    wanted = [found for found in _CLOCK_TIME.finditer(reference) if _read_minutes(found)]
    if len(wanted) != 1:
        return answer
    meant = wanted[0]

    def write(found: re.Match[str]) -> str:
        halved = meant["half"] or found["half"]
        limited = _TIME_LIMIT.search(
            answer, max(0, found.start() - _LIMIT_REACH), found.start()
        ) or _TIME_SPAN.match(answer, found.end())
        given = _read_minutes(found)
        if (
            not halved
            or limited
            or not given
            or not given <= _read_minutes(meant)
            or found[0].strip() in question
        ):
            return found[0]
        return meant[0].rstrip()

    return _CLOCK_TIME.sub(write, answer)


def _read_minutes(found: re.Match[str]) -> frozenset[int]:
    """Return the minutes since midnight that a time may mean; none if it is only a number."""
    half = re.sub(r"[\s.'’]", "", found["half"] or "").lower()
    hour, minute = int(found["hour"]), int(found["minute"] or 0)
    if hour > _LAST_HOUR or (not half and found["mark"] != ":"):
        return frozenset()
    late = _is_afternoon(half, hour)
    if late is not None:
        return frozenset(
            {60 * (hour % _NOON + (_NOON if late else 0)) + minute} if 1 <= hour <= _NOON else ()
        )
    if hour >= _NOON or hour == 0 or found["hour"].startswith("0"):
        return frozenset({60 * hour + minute})
    return frozenset({60 * hour + minute, 60 * (hour + _NOON) + minute})


def _is_afternoon(half: str, hour: int) -> bool | None:
    """Return whether a time is after noon; None if the text does not say."""
    if half.startswith("am") or half.endswith("morning"):
        return False
    if half.startswith("pm") or half.endswith(("afternoon", "evening")):
        return True
    return hour not in (_NOON, 1, 2, 3, 4, 5) if half.endswith("night") else None


# Chemical formulas: "CO2" is "carbon dioxide". Symbols of elements are too often words ("He", "Al").

_FORMULAS = """
CO2 carbon dioxide; H2O water; O2 oxygen; N2 nitrogen; H2 hydrogen; O3 ozone; CH4 methane; NH3 ammonia; NaCl sodium chloride; HCl hydrochloric acid; H2SO4 sulfuric acid; HNO3 nitric acid;
NaOH sodium hydroxide; CaCO3 calcium carbonate; SO2 sulfur dioxide; NO2 nitrogen dioxide; N2O nitrous oxide; H2O2 hydrogen peroxide; C6H12O6 glucose; NaHCO3 sodium bicarbonate; SiO2 silicon dioxide;
Fe2O3 iron oxide
"""
_FORMULA_NAMES = {
    formula: name
    for formula, _, name in (
        entry.strip().partition(" ") for entry in _FORMULAS.replace("\n", " ").split(";")
    )
}
_FORMULA = re.compile(r"(?<![\w.-])[A-Z][A-Za-z0-9]{0,6}(?![\w(-])")


def respell_formulas(reference: str, answer: str) -> str:
    """Return the answer with a chemical formula replaced by its name if the reference is that name."""
    wanted = reference.lower().strip(" .").replace("sulphur", "sulfur")
    if wanted not in _FORMULA_NAMES.values():
        return answer
    folded = re.sub(r"(?<=[A-Za-z])[\^_]?\{?(\d+)\}?", r"\1", fold(answer))
    changed = _FORMULA.sub(
        lambda found: reference.strip(" .") if _FORMULA_NAMES.get(found[0]) == wanted else found[0], folded
    )
    return answer if changed == folded else changed


# Amounts of money: "£50" is "50 pounds". Only rules read them so: what the network reads must stay as it was trained.


def unify_currencies(item: Item) -> Item:
    """Return the item with amounts of one currency written alike in answer and references; "$50" and "£50" stay different."""
    given = find_money(item.answer) if len(item.answer) <= LONGEST_TEXT else []
    wanted = [find_money(reference) if given else [] for reference in item.references]
    shared = {
        money: _find_shared_currency(money, [each for every in wanted for each in every]) for money in given
    }
    if not any(shared.values()):
        return item
    references = [
        _write_money(
            text,
            {
                each: next((code for code in shared.values() if code in each.currencies), None)
                for each in every
            },
        )
        for text, every in zip(item.references, wanted, strict=True)
    ]
    return Item(item.question, tuple(references), _write_money(item.answer, shared))


def _find_shared_currency(given: Money, wanted: list[Money]) -> str | None:
    """Return the currency that an amount shares with one of another notation, equal amounts first; None if other rules already see it."""
    if any(given.name == each.name or _is_known_as_same(given, each) for each in wanted):
        return None
    alike = sorted(wanted, key=lambda each: each.amount != given.amount)
    return next((code for each in alike for code in given.currencies if code in each.currencies), None)


def _is_known_as_same(one: Money, other: Money) -> bool:
    unit = find_unit(one.name)
    return unit is not None and unit == find_unit(other.name) and unit.dimension in FEATURE_CURRENCIES


def _write_money(text: str, currencies: dict[Money, str | None]) -> str:
    for money, currency in reversed(currencies.items()):
        text = (
            text if currency is None else f"{text[: money.start]}{money.write(currency)}{text[money.end :]}"
        )
    return text
