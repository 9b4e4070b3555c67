"""Other names of things, from our own list and from WordNet's synonyms: the table that the judge looks names up in.

WordNet 3.0 (Debian's package wordnet-base, licence beside the table) tells which phrases mean one thing. Taken are nouns and adverbs in their
first sense, where a phrase has at most two: of words with many senses a synonym says little.
"""

import argparse
import re
import sys
from collections import Counter
from pathlib import Path

from karat.likeness.aliases import WHOLE
from karat.text.normalise import normalise

OWN = Path(__file__).parent / "alias_lists"
KINDS = ("noun", "adj", "verb", "adv")
TAKEN = ("noun", "adv")
MOST_SENSES = 2
SHORTEST = 3
REGISTER = ";u"
"""WordNet's pointer to how a word is used: slang, slurs and trade names carry it."""


def read_own(folder: Path) -> list[list[str]]:
    """Read our own lists, a line for each thing."""
    lines = [
        line
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [
        [_form(name.strip()) for name in line.split("|")]
        for line in lines
        if line and not line.startswith("#")
    ]


def _form(name: str) -> str:
    mark = WHOLE if name.startswith(WHOLE) else ""
    return mark + normalise(name.removeprefix(WHOLE))


def read_wordnet(folder: Path) -> list[list[str]]:
    """Read the synonyms of WordNet that are one in sense."""
    senses: Counter[str] = Counter()
    first: dict[tuple[str, str], str] = {}
    for kind in KINDS:
        for fields in _read_lines(folder / f"index.{kind}"):
            count = int(fields[2])
            senses[fields[0]] += count
            first[kind, fields[0]] = fields[-count]
    found: list[list[str]] = []
    for kind in TAKEN:
        for fields in _read_lines(folder / f"data.{kind}"):
            size = int(fields[3], 16)
            lemmas = [re.sub(r"\(\w+\)$", "", each) for each in fields[4 : 4 + 2 * size : 2]]
            pointers = fields[5 + 2 * size :: 4]
            if REGISTER in pointers:
                continue
            clear = [
                each for each in lemmas
                if first.get((kind, each.lower())) == fields[0] and senses[each.lower()] <= MOST_SENSES
            ]  # fmt: skip
            found.append([normalise(each.replace("_", " ")) for each in clear])
    return [[form for form in forms if len(form) >= SHORTEST] for forms in found]


def _read_lines(path: Path) -> list[list[str]]:
    """Return the fields of each line but for the licence, which is indented, and what is explained behind a bar."""
    lines = path.read_text(encoding="latin-1").splitlines()
    return [line.partition("|")[0].split() for line in lines if not line.startswith(" ")]


def tells(forms: list[str]) -> bool:
    """Tell whether some name is not a part of another: "Hubble" is one of "Edwin Hubble" and says less."""
    words = [set(form.removeprefix(WHOLE).split()) for form in forms]
    return any(not one <= other and not other <= one for one in words for other in words)


def unite(forms: list[str]) -> list[str]:
    """Return each name once, for whole answers only where nothing else was said of it."""
    marks: dict[str, str] = {}
    for form in forms:
        bare = form.removeprefix(WHOLE)
        if bare:
            marks[bare] = "" if bare == form else marks.get(bare, WHOLE)
    return [mark + bare for bare, mark in marks.items()]


def build(own: Path, wordnet: Path, target: Path) -> None:
    """Write the table, our own names first."""
    sets = [unite(forms) for forms in [*read_own(own), *read_wordnet(wordnet)]]
    lines = list(dict.fromkeys("|".join(forms) for forms in sets if len(forms) > 1 and tells(forms)))
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(lines)} things with {sum(line.count('|') + 1 for line in lines)} names")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--wordnet", type=Path, required=True, help="folder of WordNet's data files")
    asked.add_argument("--target", type=Path, required=True)
    given = asked.parse_args()
    if not (given.wordnet / "index.noun").exists():
        sys.exit(
            f"{given.wordnet} holds no index.noun: install Debian's wordnet-base, or say where WordNet 3.0 is with --wordnet"
        )
    build(OWN, given.wordnet, given.target)
