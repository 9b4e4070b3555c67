"""How alike a reference and an answer are, in numbers that the embedded judge reads."""

from karat.likeness.aliases import Aliases
from karat.likeness.around import ASKED, MENTION, NAMED, read_around
from karat.likeness.choosing import choose_references
from karat.likeness.features import NAMES, measure, split_words
from karat.likeness.passages import attend, split_sentences
from karat.likeness.telling import list_telling

__all__ = [
    "ASKED",
    "MENTION",
    "NAMED",
    "NAMES",
    "Aliases",
    "attend",
    "choose_references",
    "list_telling",
    "measure",
    "read_around",
    "split_sentences",
    "split_words",
]
