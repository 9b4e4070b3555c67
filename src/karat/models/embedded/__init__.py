"""The network that ships with the package: question, reference and answer in, probabilities out."""

from karat.models.embedded.network import Reading, read_card, read_match, read_texts
from karat.models.embedded.pairs import Texts

__all__ = ["Reading", "Texts", "read_card", "read_match", "read_texts"]
