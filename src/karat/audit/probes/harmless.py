"""Harmless changes must not change a verdict: the same answer in another form."""

import re
from collections.abc import Iterator

import msgspec

from karat.audit.probe import Probe
from karat.audit.probes import dates, numbers
from karat.audit.probes.maker import Maker, sort_of, vary
from karat.text import normalise

FAMILY = "harmless"

_PUNCTUATION = ("{a}.", "“{a}”", "{a}!", " {a} ", "'{a}'", "{a} .", "({a})", "{a}\n")
_MARKDOWN = (
    "**{a}**",
    "`{a}`",
    "# {a}",
    "> {a}",
    "- {a}",
    "*{a}*",
    "__{a}__",
    "## Answer\n\n{a}",
    "**Answer:** {a}",
)
_POLITE = (
    "Thank you for asking! {a}",
    "Sure, happy to help. {a}",
    "{a} I hope that this helps you.",
    "Good question! The answer is: {a} Let me know if you would like to hear more.",
    "Hello! {a} Have a nice day!",
    "Of course. {a} Please ask again at any time.",
)
_LONG = (
    "People enjoy talking about this at quizzes and over dinner, and there is a lot to tell. {a} Any good library has several books on the subject, and there are fine documentaries too.",
    "Let me go through this properly: I have looked at the wording, and I have recalled what I learned. {a} That is all there is to say about it, and I am confident in it.",
    "I remember this well from school, where our teacher spent a whole lesson on the topic. {a} I have never forgotten it since, and it still comes in handy now and then.",
)
_RESTATED = (
    "{q} {a}",
    "You ask: {q}\n{a}",
    "Question: {q}\nAnswer: {a}",
    "The question was: {q} My answer: {a}",
    "“{q}” – {a}",
)
_SOURCES = (
    "{a} [1]",
    "{a} [2][3]",
    "{a}【3†source】",
    "{a} (Source: Wikipedia)",
    "{a}[^1^]",
    "{a} ([example.org](https://example.org/page))",
    "{a}\n\nSources:\n1. https://example.org/page\n2. https://example.com/other",
    "According to the retrieved documents, {a}",
)
_PACKED = (
    '{"answer": {j}}',
    '```json\n{"reasoning": "The first document says so.", "answer": {j}}\n```',
    "<think>The user asks for one fact, and I know it.</think>\n{a}",
    "<answer>{a}</answer>",
    "{a}<|im_end|>",
    "Thought: I can answer this now.\nFinal Answer: {a}",
    "The question asks for one fact, and the second passage states it.\n\n**Final answer:** {a}",
    "{a}\n\nConfidence: high",
)
"""Typical system output around an answer; {j} is the answer as a JSON string."""
_ACRONYMS = {
    "USA": "United States of America", "UK": "United Kingdom", "UN": "United Nations", "EU": "European Union",
    "NASA": "National Aeronautics and Space Administration", "WHO": "World Health Organization", "FBI": "Federal Bureau of Investigation",
    "CIA": "Central Intelligence Agency", "BBC": "British Broadcasting Corporation", "NATO": "North Atlantic Treaty Organization",
    "NBA": "National Basketball Association", "NFL": "National Football League", "MLB": "Major League Baseball",
    "DNA": "deoxyribonucleic acid", "RNA": "ribonucleic acid", "IMF": "International Monetary Fund", "WTO": "World Trade Organization",
    "UNESCO": "United Nations Educational, Scientific and Cultural Organization", "IBM": "International Business Machines",
    "MIT": "Massachusetts Institute of Technology", "USSR": "Union of Soviet Socialist Republics", "AIDS": "acquired immunodeficiency syndrome",
    "OPEC": "Organization of the Petroleum Exporting Countries", "EPA": "Environmental Protection Agency", "CEO": "chief executive officer",
    "GDP": "gross domestic product", "JFK": "John Fitzgerald Kennedy", "ATP": "adenosine triphosphate", "UAE": "United Arab Emirates",
}  # fmt: skip
_EXPANSIONS = {normalise(long): short for short, long in _ACRONYMS.items()}
_ARTICLE = re.compile(r"^(?:the|an?)\s+", re.IGNORECASE)
_SHORT_SYMBOL = 3
_LONGEST_FOR_ARTICLE = 4
_KINDS: dict[str, tuple[str, ...]] = {
    "punctuation": _PUNCTUATION,
    "markdown": _MARKDOWN,
    "politeness": _POLITE,
    "length": _LONG,
    "restated": _RESTATED,
    "sources": _SOURCES,
    "packed": _PACKED,
}


def probe_harmless(maker: Maker) -> Iterator[Probe]:
    """Yield one probe of every kind that the row allows."""
    row = maker.row
    for kind, texts in _KINDS.items():
        if kind == "restated" and not row.question:
            continue
        text = maker.draw(f"harmless {kind}", texts)
        answer = _as_sentence(row.right) if kind in ("politeness", "length", "restated") else row.right
        if kind == "punctuation":
            answer = answer.rstrip(".! ")
        text = text.replace("{j}", msgspec.json.encode(answer).decode())
        yield maker.probe(FAMILY, kind, maker.fill(text, answer), base="right")
    yield from _cases(maker)
    yield from _articles(maker)
    yield from _values(maker)
    yield from _other_names(maker)


def _as_sentence(text: str) -> str:
    return text if text.rstrip().endswith((".", "!", "?")) else f"{text.rstrip()}."


def _cases(maker: Maker) -> Iterator[Probe]:
    """Yield upper and lower case, except for symbols, units and short acronyms, where case has a meaning."""
    right = maker.row.right
    if any(
        len(normalise(each)) <= _SHORT_SYMBOL or "°" in each for each in maker.row.references
    ) or _has_unit(maker):
        return
    for kind, text in (("upper-case", right.upper()), ("lower-case", right.lower())):
        if text != right:
            yield maker.probe(FAMILY, kind, text, base="right")


def _has_unit(maker: Maker) -> bool:
    amount = numbers.parse_amount(maker.row.short)
    return amount is not None and bool(amount.tail)


def _articles(maker: Maker) -> Iterator[Probe]:
    """Yield the answer without its article, or with one before a suitable name or noun."""
    short, sort = maker.row.short, sort_of(maker.row)
    if _ARTICLE.match(short) and len(short.split()) > 1:
        yield maker.probe(FAMILY, "article", _ARTICLE.sub("", short), base="short")
    elif (
        sort == "thing"
        and len(short.split()) <= _LONGEST_FOR_ARTICLE
        and short.isascii()
        and short[:1].isalpha()
    ):
        yield maker.probe(FAMILY, "article", f"the {short}", base="short")


def _values(maker: Maker) -> Iterator[Probe]:
    date, amount = dates.parse_date(maker.row.short), numbers.parse_amount(maker.row.short)
    if date is not None:
        yield from _one_of(maker, "date-format", list(dates.rewrite(date)))
        if all(_is_bare(each, date) for each in maker.row.references) and "specific" not in maker.row.also:
            yield from _one_of(maker, "specific", list(dates.sharpen(date)))
    elif amount is not None:
        yield from _one_of(maker, "number-words", list(numbers.rewrite(amount)))
        yield from _one_of(maker, "unit-conversion", list(numbers.convert(amount)))


def _is_bare(reference: str, date: dates.Date) -> bool:
    return dates.parse_date(reference) == date


def _other_names(maker: Maker) -> Iterator[Probe]:
    row = maker.row
    short = row.short.strip()
    long = _ACRONYMS.get(short) or _EXPANSIONS.get(normalise(short))
    alias = row.also.get("alias") or long
    if alias is not None:
        yield maker.probe(FAMILY, "acronym", alias, base="short", references=(row.short,))
    for kind in ("same", "specific"):
        if kind in row.also:
            yield maker.probe(FAMILY, kind, row.also[kind], base="short")


def _one_of(maker: Maker, kind: str, texts: list[str]) -> Iterator[Probe]:
    fit = list(vary(texts, maker.row.short))
    if fit:
        yield maker.probe(FAMILY, kind, maker.draw(f"harmless {kind}", fit), base="short")
