"""The embedded judge: rules and a small network that ship with the package."""

from karat.embedded.aliases import hash_aliases, read_aliases
from karat.embedded.confidence import (
    UNSURE,
    Evidence,
    LeftOut,
    Reading,
    gather_evidence,
    hash_confidence,
    read_confidence,
)
from karat.embedded.inputs import Texts
from karat.embedded.network import read_card, read_match, read_texts
from karat.embedded.phrases import Commitment, hash_phrase_weights, read_phrase_weights

__all__ = [
    "UNSURE", "Commitment", "Evidence", "LeftOut", "Reading", "Texts", "gather_evidence", "hash_aliases",
    "hash_confidence", "hash_phrase_weights", "read_aliases", "read_card", "read_confidence", "read_match",
    "read_phrase_weights", "read_texts",
]  # fmt: skip
