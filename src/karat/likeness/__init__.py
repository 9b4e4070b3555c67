"""How alike a reference and an answer are, in numbers that the embedded judge reads."""

from karat.likeness.choosing import choose_references
from karat.likeness.features import NAMES, measure
from karat.likeness.passages import attend, split_sentences

__all__ = ["NAMES", "attend", "choose_references", "measure", "split_sentences"]
