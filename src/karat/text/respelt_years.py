"""Years in words and of accounts: "nineteen forty-five" beside "1945" is read as the latter, and so is "FY17" beside "2017"."""

import re

from karat.text.numbers import read_words

_ONES = "one|two|three|four|five|six|seven|eight|nine"
_TEENS = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_TENS = "twenty|thirty|forty|fifty|sixty|seventy|eighty|ninety"
_PAIR = rf"(?:{_TENS})(?:[\s-](?:{_ONES}))?|{_TEENS}"
_SPOKEN = re.compile(
    rf"\b(?:(?P<century>{_TEENS}|twenty)[\s-](?:(?P<pair>{_PAIR})|oh?[\s-](?P<one>{_ONES}))|two thousand(?:\s(?:and\s)?(?P<since>{_PAIR}|{_ONES}))?)\b(?![\s-](?:and\s)?(?:{_PAIR}|{_ONES}|hundred|thousand|million|billion|years?)\b)",
    re.IGNORECASE,
)
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?![\d.,]\d|\d)")
_FISCAL = re.compile(
    r"\b(?:fy|fiscal(?: year)?)\s?['’]?(?P<year>\d{2}|(?:19|20)\d\d)(?![\d.,/%-])", re.IGNORECASE
)
_THOUSANDS = 2000


def respell_years(reference: str, answer: str) -> str:
    """Return the answer with the reference's year, where it is said in words, written in figures."""
    years = frozenset(_YEAR.findall(reference))
    if not years:
        return answer
    spoken = _SPOKEN.sub(lambda found: year if (year := _read(found)) in years else found[0], answer)
    return _FISCAL.sub(lambda found: _write_fiscal(found, years, reference), spoken)


def _write_fiscal(found: re.Match[str], years: frozenset[str], reference: str) -> str:
    """Write a fiscal year as the reference writes its own, or as a year where it writes that."""
    year = found["year"] if len(found["year"]) > len("17") else f"20{found['year']}"
    own = next((each[0] for each in _FISCAL.finditer(reference) if year.endswith(each["year"])), None)
    return own or (year if year in years else found[0])


def _read(found: re.Match[str]) -> str:
    if not found["century"]:
        return str(_THOUSANDS + _count(found["since"]))
    return str(100 * _count(found["century"]) + _count(found["pair"] or found["one"]))


def _count(words: str | None) -> int:
    number = read_words(words) if words else None
    return 0 if number is None else int(number.value)
