"""How alike a reference and an answer are, in numbers that the embedded judge reads."""

from karat.likeness.choosing import choose_references
from karat.likeness.features import NAMES, measure
from karat.likeness.passages import shorten, split_sentences

__all__ = ["NAMES", "choose_references", "measure", "shorten", "split_sentences"]
