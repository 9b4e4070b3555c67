"""Other names of things, from the lists in training/alias_lists: the table that the judge looks names up in.

A line of a list has the names of one thing, "|" between them. Behind = stands what counts only where it is the whole answer. Lines that share
two names are of one thing; a name that two things have then tells nothing, and is left out.
"""

import argparse
import sys
from pathlib import Path

from karat.embedded.aliases import ACRONYM, MARKS, PROPER, WHOLE
from karat.text.normal import normalise

LISTS = Path(__file__).parent / "alias_lists"
LONGEST_ACRONYM = 6


def read_lists(folder: Path) -> list[dict[str, str]]:
    """Read the lists: for each thing its names in the form in which they are compared, with their marks."""
    lines = [
        line
        for path in sorted(folder.glob("*.txt"))
        for line in path.read_text(encoding="utf-8").splitlines()
    ]
    return [
        dict(_mark(name.strip()) for name in line.split("|"))
        for line in lines
        if line and not line.startswith("#")
    ]


def _mark(name: str) -> tuple[str, str]:
    """Return the form of a name, and its marks: a name is held to its capitals, one of capitals alone to all of them."""
    whole = WHOLE if name.startswith(WHOLE) else ""
    text = name.removeprefix(WHOLE).removeprefix("the ").removeprefix("The ")
    if text.isupper() and text.isalpha() and len(text) <= LONGEST_ACRONYM:
        return normalise(text), whole + ACRONYM
    return normalise(text), whole + (PROPER if text[:1].isupper() else "")


def unite(things: list[dict[str, str]]) -> list[dict[str, str]]:
    """Join what shares two names, whatever line it stands on; a name counts inside an answer only where all lines say so."""
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


def tells(names: dict[str, str]) -> bool:
    """Tell whether some name is not a part of another: "Hubble" is one of "Edwin Hubble" and says less."""
    words = [set(form.split()) for form in names]
    return any(not one <= other and not other <= one for one in words for other in words)


def build(folder: Path, target: Path) -> None:
    """Write the table."""
    things = [names for names in unite(read_lists(folder)) if tells(names)]
    lines = ["|".join(mark + form for form, mark in names.items()) for names in things]
    assert not any(form[:1] in MARKS for names in things for form in names)
    target.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"{len(things)} things with {sum(map(len, things))} names")


if __name__ == "__main__":
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--target", type=Path, required=True)
    given = asked.parse_args()
    if not given.target.parent.is_dir():
        sys.exit(f"{given.target.parent} is no folder: say with --target where the table is to be written")
    build(LISTS, given.target)
