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
_ANY = re.compile(r"\d")
_YEAR = re.compile(r"(?<![\d.,])(?:1\d|20)\d\d(?![\d.,]\d|\d)")
_FISCAL = re.compile(
    r"\b(?:fy|fiscal(?: year)?)\s?['’]?(?P<year>\d{2}|(?:19|20)\d\d)(?![\d.,/%-])", re.IGNORECASE
)
_THOUSANDS = 2000


def respell_years(reference: str, answer: str) -> str:
    """Return the answer with the reference's years, where they are said in words or are those of accounts, written as there."""
    if _ANY.search(reference) is None:
        return answer
    written = {year: year for year in _YEAR.findall(reference)}
    for found in _FISCAL.finditer(reference):
        written |= dict.fromkeys(_list_years(found["year"]), found[0])
    if not written:
        return answer
    spoken = _SPOKEN.sub(lambda found: written.get(_read(found), found[0]), answer)
    return _FISCAL.sub(
        lambda found: next(
            (written[year] for year in _list_years(found["year"]) if year in written), found[0]
        ),
        spoken,
    )


def _list_years(digits: str) -> list[str]:
    """Return the years that the figures of a fiscal year may mean."""
    return [digits] if len(digits) > len("17") else [f"20{digits}", f"19{digits}"]


def _read(found: re.Match[str]) -> str:
    if not found["century"]:
        return str(_THOUSANDS + _count(found["since"]))
    return str(100 * _count(found["century"]) + _count(found["pair"] or found["one"]))


def _count(words: str | None) -> int:
    number = read_words(words) if words else None
    return 0 if number is None else int(number.value)
