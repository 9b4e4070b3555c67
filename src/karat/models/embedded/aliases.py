"""The table of aliases that ships with the network."""

from functools import lru_cache
from hashlib import sha256
from importlib.resources import files

from karat.likeness import Aliases

_FILE = files("karat.models.embedded") / "weights" / "aliases.txt"


@lru_cache(maxsize=1)
def read_aliases() -> Aliases:
    """Read the table on first use."""
    return Aliases(_FILE.read_text(encoding="utf-8"))


@lru_cache(maxsize=1)
def name_aliases() -> str:
    """Return the hash of the table, which is a part of the judge."""
    return sha256(_FILE.read_bytes()).hexdigest()
