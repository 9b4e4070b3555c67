"""What a system puts around its answer when it delivers it: tokens, reasoning, JSON, sources, notes."""

from karat.text.delivery.unpacking import unpack

__all__ = ["unpack"]
