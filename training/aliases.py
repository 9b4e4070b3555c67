"""Build the table of other names that the embedded judge uses, from training/data/aliases.txt.

make aliases, or python -m training.aliases --target src/karat/embedded/weights/aliases.txt

A line of the list has the names of one thing, separated by "|". A name behind "=" counts only where it is the whole answer. Lines that
share two names are joined. A name that then belongs to two things is ambiguous, and is left out.
"""

import argparse
import sys
from pathlib import Path

from karat.embedded.aliases import ACRONYM, MARKS, PROPER, WHOLE
from karat.text.normal import normalise
from training.texts import read_aliases

LONGEST_ACRONYM = 6


def read_things() -> list[dict[str, str]]:
    """Return for each thing its names in the form in which they are compared, with their marks."""
    return [dict(_mark(name.strip()) for name in line.split("|")) for line in read_aliases()]


def _mark(name: str) -> tuple[str, str]:
    """Return the form of a name, and its marks: a name must begin with a capital where it does here, an acronym must have all of them."""
    whole = WHOLE if name.startswith(WHOLE) else ""
    text = name.removeprefix(WHOLE).removeprefix("the ").removeprefix("The ")
    if text.isupper() and text.isalpha() and len(text) <= LONGEST_ACRONYM:
        return normalise(text), whole + ACRONYM
    return normalise(text), whole + (PROPER if text[:1].isupper() else "")


def unite(things: list[dict[str, str]]) -> list[dict[str, str]]:
    """Join things that share two names; a name counts inside an answer only where all lines say so."""
    united: list[dict[str, str]] = []
    places: dict[str, list[int]] = {}
    for names in things:
        shared = [place for form in names for place in places.get(form, ())]
        place = next((each for each in shared if shared.count(each) > 1), len(united))
        if place == len(united):
            united.append({})
        for form, mark in names.items():
            if not form:
                continue
            if form not in united[place]:
                places.setdefault(form, []).append(place)
            known = united[place].get(form, mark)
            united[place][form] = mark if WHOLE in mark else known
    return [{form: mark for form, mark in names.items() if len(places[form]) == 1} for names in united]


def has_distinct_names(names: dict[str, str]) -> bool:
    """Check that some name is not a part of another: "Hubble" is a part of "Edwin Hubble", and less specific."""
    words = [set(form.split()) for form in names]
    return any(not one <= other and not other <= one for one in words for other in words)


def build(target: Path) -> None:
    """Write the table."""
    things = [names for names in unite(read_things()) if has_distinct_names(names)]
    lines = ["|".join(mark + form for form, mark in names.items()) for names in things]
    assert not any(form[:1] in MARKS for names in things for form in names)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(things)} things with {sum(map(len, things))} names")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    asked.add_argument("--target", type=Path, required=True)
    given = asked.parse_args()
    if not given.target.parent.is_dir():
        sys.exit(f"{given.target.parent} is not a folder: --target takes the file to write")
    build(given.target)
