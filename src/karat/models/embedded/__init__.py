"""The network that ships with the package: question, reference and answer in, probabilities out."""

from karat.models.embedded.aliases import name_aliases, read_aliases
from karat.models.embedded.network import Reading, read_card, read_match, read_texts
from karat.models.embedded.pairs import Texts
from karat.models.embedded.talk import Weighed, name_talk, read_talk

__all__ = [
    "Reading",
    "Texts",
    "Weighed",
    "name_aliases",
    "name_talk",
    "read_aliases",
    "read_card",
    "read_match",
    "read_talk",
    "read_texts",
]
