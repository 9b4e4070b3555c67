"""How sure the judge may be of explanations: what was fitted on those of a few subjects says less about others.

Sets that were left out of training showed it: facts are judged as surely where nothing of the kind was seen, explanations are not
(training/LOG.md, "Unfamiliar explanations"). So where few words of a question and a longer reference were met in training, P(match)
moves towards even; the verdict stays.
"""

from functools import lru_cache

from msgspec import Struct

from karat.likeness import list_telling
from karat.models.embedded.pairs import Texts

_EDGE = 1e-6


class Familiar(Struct, frozen=True):
    """The words of the explanations that were learnt from, and how much of a logit is kept where they are few.

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
        """Return P(match) as sure as the texts allow."""
        length = _climb(len(texts.reference.split()), self.brief, self.long)
        if not length:
            return probability
        lacking = 1 - _climb(self.find_share(texts), self.low, self.high)
        sure = min(max(probability, _EDGE), 1 - _EDGE)
        odds = (sure / (1 - sure)) ** (1 - length * lacking * (1 - self.least))
        return odds / (1 + odds)

    def find_share(self, texts: Texts) -> float:
        """Return the share of the telling words of question and reference that are known; 1 where there are none."""
        told = list_telling(f"{texts.question or ''} {texts.reference}")
        return len(told & _split(self.words)) / len(told) if told else 1.0


def _climb(value: float, low: float, high: float) -> float:
    """Return how far a value has come from low to high, between 0 and 1."""
    return min(max((value - low) / (high - low), 0.0), 1.0)


@lru_cache(maxsize=4)
def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())
