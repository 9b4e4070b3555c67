"""The confidence of a verdict: the probability that it is right, lowered on out-of-domain text."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, Literal

import msgspec
from msgspec import Struct

from karat.core.types import Item
from karat.embedded.features import FEATURE_NAMES, split_words
from karat.embedded.inputs import Texts
from karat.embedded.phrases import FITTED, split_vocabulary
from karat.text.lexicon import FEATURE_FUNCTION_WORDS
from karat.text.normal import LONGEST_TEXT, normalise

UNSURE: Final = 0.7
"""Below this confidence a verdict counts as unsure in summaries."""
_DIGITS: Final = 4
_EDGE: Final = 1e-6
_FEW_WORDS: Final = 6
_ENGLISH: Final = 0.12
"""English texts of six words or more have at least this share of English function words."""
_BRIEF: Final = math.log1p(12) / 3
"""The length of a reference of twelve words: the training rows have only longer references in other languages."""
_MEASURES: Final = {
    name: FEATURE_NAMES.index(name)
    for name in (
        "recall", "new_recall", "contained", "reference_length", "answer_length", "reference_is_value",
        "reference_number", "answer_new", "asks_polar", "asks_why", "no_question", "negation_added", "negation_lost",
    )
}  # fmt: skip
_PRODUCTS: Final = (
    ("reference_length", "reference_length"), ("answer_length", "answer_length"), ("reference_length", "answer_length"),
    ("reference_length", "recall"), ("answer_length", "recall"), ("sureness", "sureness"), ("sureness", "reference_length"),
    ("sureness", "answer_length"), ("sureness", "recall"), ("sureness", "new_recall"), ("sureness", "contained"),
    ("sureness", "answer_new"),
)  # fmt: skip
FAMILIES: Final = {
    "equal": "same",
    "contained": "contained",
    "number": "value", "date": "value", "figure": "value", "polarity": "value", "rounded": "value", "pair": "value",
    "within": "lenient", "agreed": "lenient", "said": "lenient",
    "number_conflict": "conflict", "date_conflict": "conflict", "polarity_conflict": "conflict",
    "conflict": "late_conflict",
}  # fmt: skip
"""Rules that share a weight; all others belong to the gate."""


class Reading(Struct, frozen=True):
    """P(match) of one reference and one answer, the measures of the pair, and whether the network read it."""

    probability: float
    measures: Sequence[float]
    read: bool


class Evidence(Struct, frozen=True):
    """What the confidence of a verdict is computed from; `rule` is None where the network decided."""

    accepts: bool
    rule: str | None
    references: int
    reference_length: float
    answer_length: float
    foreign: bool
    reading: Reading | None = None

    @property
    def decider(self) -> Literal["network", "rules"]:
        """Return which fitted lines rate this verdict."""
        return "rules" if self.rule is not None else "network"

    def facts(self) -> dict[str, float]:
        """Return the inputs of the fitted line, by name."""
        brief_foreign = self.foreign and self.reference_length < _BRIEF
        facts = {"references": math.log(max(1, self.references)) / 2, "brief_foreign": float(brief_foreign)}
        if self.rule is not None:
            facts |= {"reference_length": self.reference_length, "answer_length": self.answer_length}
            facts |= dict.fromkeys((*FAMILIES.values(), "gate"), 0.0)
            facts[FAMILIES.get(self.rule, "gate")] = 1.0
            return facts
        reading = self.reading
        assert reading is not None  # the network decided  # noqa: S101
        logit = math.log(_find_odds(reading.probability))
        facts |= {name: reading.measures[place] for name, place in _MEASURES.items()}
        facts |= {"sureness": logit if self.accepts else -logit, "read": float(reading.read)}
        return facts | {f"{one}*{other}": facts[one] * facts[other] for one, other in _PRODUCTS}


def _find_odds(probability: float) -> float:
    sure = min(max(probability, _EDGE), 1 - _EDGE)
    return sure / (1 - sure)


class Line(Struct, frozen=True):
    """A logistic line over facts."""

    bias: float
    weights: dict[str, float]

    def rate(self, facts: Mapping[str, float]) -> float:
        """Return the probability that a verdict with these facts is right."""
        logit = self.bias + sum(weight * facts[name] for name, weight in self.weights.items())
        return 1 / (1 + math.exp(-logit))


class LeftOut(Struct, frozen=True):
    """A group of rows that was left out of the fit: the accuracy of its verdicts, and their mean confidence."""

    group: str
    kind: Literal["human", "written"]
    rows: int
    right: float
    expected: float


class Confidence(Struct, frozen=True):
    """The fitted lines by decider and verdict, and their accuracy on groups that were left out."""

    network: dict[Literal["accept", "reject"], Line]
    rules: dict[Literal["accept", "reject"], Line]
    left_out: tuple[LeftOut, ...]

    def rate(self, evidence: Evidence) -> float:
        """Return the probability that a verdict is right."""
        lines = self.rules if evidence.decider == "rules" else self.network
        line = lines["accept" if evidence.accepts else "reject"]
        return round(line.rate(evidence.facts()), _DIGITS)


def gather_evidence(
    item: Item, *, accepts: bool, rule: str | None, place: int | None, reading: Reading | None = None
) -> Evidence:
    """Gather the evidence for a verdict on an item; `place` is that of the matched reference."""
    reference = item.references[place or 0]
    texts = [split_words(text[:LONGEST_TEXT]) for text in (item.question or "", reference, item.answer)]
    return Evidence(
        accepts=accepts,
        rule=rule,
        references=len(item.references),
        reference_length=math.log1p(len(texts[1])) / 3,
        answer_length=math.log1p(len(texts[2])) / 3,
        foreign=_is_foreign([word for words in texts for word in words]),
        reading=reading,
    )


def _is_foreign(words: Sequence[str]) -> bool:
    """Return whether texts are in another language than English; False for texts of few words."""
    return len(words) >= _FEW_WORDS and sum(
        word in FEATURE_FUNCTION_WORDS for word in words
    ) < _ENGLISH * len(words)


@lru_cache(maxsize=1)
def read_confidence() -> Confidence:
    """Read the fitted lines."""
    return msgspec.json.decode((FITTED / "confidence.json").read_bytes(), type=Confidence)


# Lower confidence on out-of-domain explanations.


class Familiarity(Struct, frozen=True):
    """The words of the training explanations, and how much of a logit is kept where few of them occur.

    From a share of `low` known words down a logit counts `least`, from `high` up in full; references of up to `brief` words are
    facts and keep it, those of `long` and more are explanations.
    """

    words: str
    low: float
    high: float
    least: float
    brief: int
    long: int

    def temper(self, texts: Texts, probability: float) -> float:
        """Return P(match), moved towards one half where the words of an explanation are unknown."""
        length = _ramp(len(texts.reference.split()), self.brief, self.long)
        if not length:
            return probability
        lacking = 1 - _ramp(self.find_share(texts), self.low, self.high)
        odds = _find_odds(probability) ** (1 - length * lacking * (1 - self.least))
        return odds / (1 + odds)

    def find_share(self, texts: Texts) -> float:
        """Return the share of the content words of question and reference that are known; 1 where there are none."""
        content = list_content_words(f"{texts.question or ''} {texts.reference}")
        return len(content & split_vocabulary(self.words)) / len(content) if content else 1.0


def _ramp(value: float, low: float, high: float) -> float:
    """Return where a value lies between low and high: 0 at low and below, 1 at high and above."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


def list_content_words(text: str) -> frozenset[str]:
    """Return the words of a text without numbers and function words."""
    return frozenset(
        word for word in normalise(text).split() if word not in FEATURE_FUNCTION_WORDS and not word.isdigit()
    )
