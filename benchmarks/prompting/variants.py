"""What is compared: a prompt, and how many items share it."""

import re
from pathlib import Path
from typing import NamedTuple

from load import read_prompts

from karat.core.errors import UsageError
from karat.core.types import ProtocolName
from karat.judges import read_prompt_file
from karat.protocols.promptfile import builtin_wording, read_prompt
from karat.protocols.wording import Wording

SHIPPED = "shipped"
_SEATING = re.compile(r"(?P<size>[1-9]\d?)(?:x(?P<passes>[2-9]))?|(?P<auto>auto)")


class Seating(NamedTuple):
    """How many items share a prompt, None where the run's own batch check finds out, and in how many permuted passes."""

    size: int | None = 1
    passes: int = 1

    @property
    def name(self) -> str:
        """As it is written on the command line: 8, 8x3, auto."""
        return (
            "auto" if self.size is None else f"{self.size}" + (f"x{self.passes}" if self.passes > 1 else "")
        )

    def describe(self) -> str:
        """As it is written in a table."""
        if self.size is None:
            return "auto"
        return f"{self.size}, --permute {self.passes}" if self.passes > 1 else str(self.size)


def parse_seating(text: str) -> Seating:
    """Read 8, 8x3 (three permuted passes) or auto."""
    found = _SEATING.fullmatch(text)
    if found is None or (found["size"] == "1" and found["passes"]):
        raise UsageError(f"--sizes {text}: a number of items such as 8, permuted passes such as 8x3, or auto")
    return Seating(None if found["auto"] else int(found["size"]), int(found["passes"] or 1))


class Variant(NamedTuple):
    """A wording under a name, and its seating."""

    name: str
    wording: Wording
    seating: Seating

    def __str__(self) -> str:
        return f"{self.name} at {self.seating.describe()}"


def find_wording(prompt: str, protocol: ProtocolName) -> tuple[str, Wording]:
    """Find a prompt by its name on the command line: `shipped`, a name in benchmarks/data/prompts.jsonl.gz, or a file."""
    if prompt == SHIPPED:
        return SHIPPED, builtin_wording(protocol)
    kept = read_prompts().get((protocol, prompt))
    if kept is not None:
        return prompt, read_prompt(kept, f"{prompt}.txt", protocol).wording
    wording = read_prompt_file(prompt, protocol).wording
    if wording.protocol != protocol:
        raise UsageError(f"{prompt} is for {wording.protocol}, not for {protocol}")
    return Path(prompt).stem, wording


def name_versions(protocol: ProtocolName) -> dict[str, str]:
    """Return the name of each version of a wording; the one that ships is marked."""
    names: dict[str, str] = {}
    for (kept_for, name), text in read_prompts().items():
        if kept_for == protocol:
            names.setdefault(read_prompt(text, f"{name}.txt", protocol).wording.version, name)
    shipped = builtin_wording(protocol).version
    names[shipped] = f"{names[shipped]} (shipped)" if shipped in names else SHIPPED
    return names
