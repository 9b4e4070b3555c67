"""Another name of the reference is read as the reference, where it stands alone and was not what the question asked about."""

from pathlib import Path

from example_lines import Line, check_lines, read_item
from karat.core.types import Item
from karat.embedded import read_aliases
from karat.embedded.aliases import Aliases, strip_marks
from karat.text import normalise

EXAMPLES = Path(__file__).with_name("aliases.jsonl")
LISTS = Path(__file__).parents[2] / "training" / "data" / "aliases.txt"
KNOWN = Aliases(
    "^world war ii|^second world war|*ww2\n^united states|*usa|^america\nscapula|shoulder blade\n12|=dozen\ngold|=^au\n^iceland|^ísland|^island\n^world health organization|*who\n^dwayne johnson|=^rock\n"
)


def renamed(line: Line) -> str:
    return KNOWN.rename(read_item(line)).answer


def test_another_name_is_written_as_the_reference_and_another_thing_stays() -> None:
    check_lines(EXAMPLES, renamed=renamed)


def test_an_answer_that_contains_a_reference_stays() -> None:
    item = Item("Which war?", ("World War I", "World War II"), "World War I, not the Second World War")
    assert KNOWN.rename(item) == item


def test_a_name_of_the_shipped_table_names_one_thing() -> None:
    names = [strip_marks(name) for names in read_aliases().list_things() for name in names]
    assert all(name and name == " ".join(name.split()) for name in names)
    assert len(set(names)) == len(names)


def test_names_of_the_shipped_table_keep_their_capitals() -> None:
    things = {frozenset(names) for names in read_aliases().list_things()}
    assert any({"^iceland", "^island"} <= names for names in things)
    assert any({"trachea", "windpipe"} <= names for names in things)


def test_the_shipped_table_is_made_from_the_lists() -> None:
    lines = LISTS.read_text(encoding="utf-8").splitlines()
    listed = {
        normalise(name.strip().removeprefix("="))
        for line in lines
        if not line.startswith("#")
        for name in line.split("|")
    }
    shipped = {strip_marks(name) for names in read_aliases().list_things() for name in names}
    assert shipped <= listed
    assert len(shipped) > 0.8 * len(listed)
