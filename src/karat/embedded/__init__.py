"""The embedded judge: rules and a small network that ship with the package."""

from karat.embedded.aliases import read_aliases
from karat.embedded.confidence import UNSURE, Evidence, LeftOut, Reading, gather_evidence, read_confidence
from karat.embedded.inputs import Texts
from karat.embedded.network import read_card, read_match, read_texts
from karat.embedded.phrases import Commitment, hash_fitted, read_phrase_weights

__all__ = [
    "UNSURE", "Commitment", "Evidence", "LeftOut", "Reading", "Texts", "gather_evidence", "hash_fitted", "read_aliases",
    "read_card", "read_confidence", "read_match", "read_phrase_weights", "read_texts",
]  # fmt: skip
