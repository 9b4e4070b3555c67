"""What a run has spent, on disk before it is spent: a driver that dies forgets nothing."""

import os
from pathlib import Path

import msgspec
from msgspec import Struct

from karat.on_ray.places import is_local, join, read_bytes, write_file

NAME = "_spend.jsonl"


class Spend(Struct, frozen=True):
    """Dollars that were paid, and those that calls under way may still cost at most."""

    usd: float = 0.0
    reserved_usd: float = 0.0
    calls: int = 0

    @property
    def most_usd(self) -> float:
        """What may have been spent, should none of the calls under way be heard of again."""
        return self.usd + self.reserved_usd


class Journal:
    """Appends where things stand; the last whole line counts. On object stores the file is written anew."""

    def __init__(self, folder: str) -> None:
        self._place = join(folder, "_manifests", NAME)
        self._begun = False

    def write(self, spend: Spend) -> None:
        """Where things stand is on disk when this returns."""
        line = msgspec.json.encode(spend) + b"\n"
        if not is_local(self._place):
            with write_file(self._place) as stream:
                stream.write(line)
            return
        with Path(self._place).open("ab") as stream:
            if not self._begun:
                stream.write(b"\n")  # a line that a killed process left half written ends here
            stream.write(line)
            stream.flush()
            os.fsync(stream.fileno())
        self._begun = True


def read_spend(folder: str) -> Spend:
    """Where things stood when the last start of a run ended, however it ended."""
    held = read_bytes(join(folder, "_manifests", NAME)) or b""
    for line in reversed(held.splitlines()):
        try:
            return msgspec.json.decode(line, type=Spend)
        except msgspec.DecodeError:
            continue
    return Spend()
