"""The network that ships with the package: question, reference and answer in, probabilities out."""

from karat.models.embedded.aliases import name_aliases, read_aliases
from karat.models.embedded.confidence import (
    UNSURE,
    Evidence,
    LeftOut,
    Reading,
    gather_evidence,
    name_confidence,
    read_confidence,
)
from karat.models.embedded.network import read_card, read_match, read_texts
from karat.models.embedded.pairs import Texts
from karat.models.embedded.talk import Weighed, name_talk, read_talk

__all__ = [
    "UNSURE",
    "Evidence",
    "LeftOut",
    "Reading",
    "Texts",
    "Weighed",
    "gather_evidence",
    "name_aliases",
    "name_confidence",
    "name_talk",
    "read_aliases",
    "read_card",
    "read_confidence",
    "read_match",
    "read_talk",
    "read_texts",
]
