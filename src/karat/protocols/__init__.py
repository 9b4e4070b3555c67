"""The three protocols by name."""

from karat.protocols.equivalence import EQUIVALENCE
from karat.protocols.keypoints import KEYPOINTS
from karat.protocols.match import MATCH
from karat.protocols.protocol import LEVELS, Aligned, Misaligned, Protocol, Reading

PROTOCOLS: dict[str, Protocol] = {protocol.name: protocol for protocol in (MATCH, EQUIVALENCE, KEYPOINTS)}

__all__ = ["LEVELS", "PROTOCOLS", "Aligned", "Misaligned", "Protocol", "Reading"]
