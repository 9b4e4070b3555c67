"""Answers that leave open what the reference settles, each beside a twin that settles it: No and Yes by construction."""

import re
from collections.abc import Iterable, Iterator
from random import Random
from typing import Any, NamedTuple

from karat.audit.bank import Given, gather_rows, read_label
from karat.audit.probe import Row
from karat.audit.probes import dates
from karat.audit.probes.maker import Maker, sort_of
from karat.core.types import Item
from karat.text import normalise
from karat.text.lexicon import list_words

SOURCES = ("evouna_nq", "evouna_tq", "efficientqa")
KINDS = {
    "date": "dates without their day",
    "name": "people without the name that tells them from others",
    "place": "places without the level that was asked for",
}
MOST = 40
_SEED = 6
_PLACE = re.compile(r"(?P<narrow>[A-Z][^\d,;()]+), (?P<wide>[A-Z][^\d;()]+)")
_PERSON = re.compile(r"[A-Z][a-z'’-]+(?: [A-Z]\.?| [A-Z][a-z'’-]+){0,2} [A-Z][A-Za-z'’-]+")
_RULER = re.compile(
    r"(?P<name>[A-Z][a-z]+(?: [A-Z][a-z]+)?) (?:I{1,3}|I?V|VI{1,3}|I?X|XI{1,3}|XI?V|XVI{0,3})"
)
_NO_FIRST_NAME = frozenset(
    list_words(
        "the a an sir dame lord lady king queen prince princess pope president saint st dr mr mrs ms miss captain general "
        "emperor philosopher bishop archbishop mahatma grand new los las san santa north south east west"
    )
)
_ASKS_YEAR = re.compile(
    r"\b(?:what|which) (?:year|month|decade|century|season)\b|\byear did\b", re.IGNORECASE
)
_ASKS_PLACE = re.compile(r"\b(?:where|city|town|resort|capital|state|headquarters)\b", re.IGNORECASE)
_ASKS_COUNTRY = re.compile(r"\b(?:country|nation|continent|region|county|province)\b", re.IGNORECASE)
_ASKS_STATE = re.compile(r"\bstate\b", re.IGNORECASE)
_COUNTRY = re.compile(r"U\.?S\.?(?:A\.?)?|United States(?: of America)?")
_NO_PLACE = re.compile(r"Inc|Ltd|D\.?C\.?")
_ASKS_FIRST_NAME = re.compile(r"\b(?:first|given|christian|fore|nick|middle|last|sur) ?name\b", re.IGNORECASE)
_ASKS_WHO = re.compile(r"\bwho(?:se|m)?\b", re.IGNORECASE)
_ASKS_TEAM = re.compile(
    r"\b(?:band|group|team|club|company|university|party|family)\b"
    r"|\b(?:won|wins?|beat|play)\b.*\b(?:game|finals?|bowl|cup|series|match)\b",
    re.IGNORECASE,
)


class Pair(NamedTuple):
    """A vague answer and an exact one to the same question."""

    kind: str
    vague: str
    exact: str


def make(rows: Iterable[dict[str, Any]]) -> Iterator[tuple[str, Item, float]]:
    """Two items for every question that allows it, 40 questions of a kind at most: the vague one is a No, its twin a Yes."""
    found: dict[str, list[tuple[Row, Pair]]] = {kind: [] for kind in KINDS}
    for row in gather_rows(map(_read, rows)):
        pair = find_pair(row)
        if pair is not None:
            found[pair.kind].append((row, pair))
    for pairs in found.values():
        for row, pair in Random(_SEED).sample(pairs, min(MOST, len(pairs))):
            yield f"{pair.kind}/{row.id}/vague", Item(row.question, row.references, pair.vague), 0.0
            yield f"{pair.kind}/{row.id}/exact", Item(row.question, row.references, pair.exact), 1.0


def _read(raw: dict[str, Any]) -> Given:
    item = Item(raw["question"], tuple(raw["references"]), raw["prediction"])
    return Given(raw["id"], item, read_label(raw["label"]))


def find_pair(row: Row) -> Pair | None:
    """The first kind that fits a reference, where no reference is content with the vague answer."""
    maker = Maker(row, _SEED)
    for pair in (_blur_date(maker), _blur_name(maker), *_blur_places(maker)):
        if pair is not None and not _is_enough(pair.vague, maker):
            return pair
    return None


def _is_enough(vague: str, maker: Maker) -> bool:
    """Tell whether the vague answer says a reference, or every word of one."""
    words = set(normalise(vague).split())
    return maker.says(vague) or any(set(normalise(each).split()) <= words for each in maker.row.references)


def _blur_date(maker: Maker) -> Pair | None:
    """A date without its day, unless a year is all that the question, or a reference, wants."""
    date = dates.parse_date(maker.row.short)
    if date is None or date.day is None or date.month is None or _asks(maker, _ASKS_YEAR):
        return None
    known = [dates.parse_date(each) for each in maker.row.references]
    if any(other is not None and other.day is None for other in known):
        return None
    exact = maker.draw("exact", list(dates.rewrite(date)))
    return Pair("date", next(dates.blur(date)), _say(maker, exact))


def _blur_name(maker: Maker) -> Pair | None:
    """A first name alone, or a ruler without the number."""
    name = maker.row.short
    if not _asks(maker, _ASKS_WHO) or _asks(maker, _ASKS_FIRST_NAME) or _asks(maker, _ASKS_TEAM):
        return None
    if (ruler := _RULER.fullmatch(name)) is not None:
        return Pair("name", ruler["name"], _say(maker, name))
    first = name.partition(" ")[0]
    if sort_of(maker.row) != "person" or not _PERSON.fullmatch(name) or first.lower() in _NO_FIRST_NAME:
        return None
    return Pair("name", first, _say(maker, name))


def _blur_places(maker: Maker) -> Iterator[Pair]:
    """The state or the country in the place of the town, the country in the place of the state."""
    if not _asks(maker, _ASKS_PLACE) or _asks(maker, _ASKS_COUNTRY) or _asks(maker, _ASKS_WHO):
        return
    for reference in maker.row.references:
        found = _PLACE.fullmatch(reference)
        wide = found["wide"].rstrip(".") if found else ""
        if found is None or _NO_PLACE.fullmatch(wide):
            continue
        if not _asks(maker, _ASKS_STATE) or _COUNTRY.fullmatch(wide):
            vague = f"in {'the ' * wide.startswith('United')}{wide}"
            yield Pair("place", vague, _say(maker, f"in {found['narrow']}, {wide}"))


def _asks(maker: Maker, sign: re.Pattern[str]) -> bool:
    return sign.search(maker.row.question or "") is not None


def _say(maker: Maker, exact: str) -> str:
    """The twin often says more than the bare reference, so that length alone does not tell the two apart."""
    return maker.draw("sentence", ("It was {a}.", "{a}", "The answer: {a}.")).replace("{a}", exact)
