"""Whether talk commits to the reference that it holds, told by the phrases around the mention.

A network of the size that ships does not learn to read talk (training/LOG.md, "Talk"). Phrases in which every name is only "a name" do
better: they were weighed on wordings of many authors, and each author's were told by the weights of the others first.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from importlib.resources import files
from itertools import takewhile
from math import exp

import msgspec
from msgspec import Struct

from karat.likeness import ASKED, MENTION, NAMED, read_around

_FILE = files("karat.models.embedded") / "weights" / "talk.json"
_LONGEST, _LEAST = 3, 3
_EDGES = "BEGIN", "END"


class Weighed(Struct, frozen=True):
    """How likely talk commits to the reference that it mentions, and whether it is nothing but talk: some known words, and none that tells of the question."""

    share: float
    idle: bool


class Talk(Struct, frozen=True):
    """Known words, and what each phrase adds to the logit of a commitment."""

    words: str
    phrases: dict[str, float]
    bias: float

    def knows(self, word: str) -> bool:
        """Tell whether a word stands in the talk that was learnt from."""
        return word in _split(self.words)

    def weigh(self, question: str | None, references: Sequence[str], answer: str) -> Weighed | None:
        """Weigh what an answer says around a mention of a reference; None where it mentions none, or says too much."""
        around = read_around(question, references, answer, _split(self.words))
        if around is None:
            return None
        logit = self.bias + sum(self.phrases.get(phrase, 0.0) for phrase in set(list_phrases(around)))
        known = sum(word.isalpha() and word.islower() for word in around)
        return Weighed(1 / (1 + exp(-logit)), known >= _LEAST and ASKED not in around)


def list_phrases(around: tuple[str, ...]) -> Iterator[str]:
    """Name the phrases of up to three words, the words before and behind the first mention, and what is named last."""
    edged = (_EDGES[0], *around, _EDGES[1])
    for size in range(1, _LONGEST + 1):
        for start in range(len(edged) - size + 1):
            yield " ".join(edged[start : start + size])
    before = len(tuple(takewhile(lambda word: word != MENTION, around)))
    for place, word in enumerate(around):
        if word not in (MENTION, NAMED):
            yield f"{'<' if place < before else '>'}{word}"
    last = next((word for word in reversed(around) if word in (MENTION, NAMED)), "")
    yield f"LAST {last}"


@lru_cache(maxsize=1)
def read_talk() -> Talk:
    """Read the weights of phrases on first use."""
    return msgspec.json.decode(_FILE.read_bytes(), type=Talk)


@lru_cache(maxsize=1)
def name_talk() -> str:
    """Return the hash of the weights: with others it is another judge."""
    return sha256(_FILE.read_bytes()).hexdigest()


@lru_cache(maxsize=4)
def _split(words: str) -> frozenset[str]:
    return frozenset(words.split())
