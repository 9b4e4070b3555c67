"""Find which column holds the question, the reference, the answer, the id, the system and the label."""

import re
import shlex
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from typing import Final, TypeAlias

from msgspec import Struct, structs

from karat.core.errors import Phrase, UsageError, option
from karat.core.messages import list_names, one_line, quote
from karat.rows.names import COMMON_NAMES, Role, find_role, simplify

Candidates: TypeAlias = dict[str, list[str]]
"""For each part the columns that may play it."""
Settle: TypeAlias = Callable[[Candidates], None]

NEEDED: Final = ("reference", "answer")
PARTS: Final = tuple(COMMON_NAMES)
_MOST_WAYS: Final = 4
_CLOSE: Final = 0.8
_Roles: TypeAlias = Mapping[str, Role]  # columns that play no part yet, each with the part that its name says


class Columns(Struct, frozen=True):
    """Which column plays which part; a dotted path ("item.input") reaches into nested rows."""

    reference: str
    answer: str
    question: str | None = None
    id: str | None = None
    system: str | None = None
    label: str | None = None

    def played(self) -> dict[str, str]:
        """The parts that are played, each with its column."""
        columns = structs.asdict(self)
        return {part: columns[part] for part in PARTS if columns[part]}

    def describe(self) -> str:
        """The parts that are played and by which columns, for printing."""
        return _join(self.played(), ", ")


def parse_columns(text: str) -> dict[str, str]:
    """`question=q,id=` as a mapping, where nothing means no column; a comma divides only before another `part=`."""
    chosen: dict[str, str] = {}
    for pair in re.split(r",(?=\s*\w+\s*=)", text) if text.strip() else []:
        part, equals, column = (piece.strip() for piece in pair.partition("="))
        if not (part and equals):
            raise UsageError(option("columns"), f" takes pairs like question=q,answer=out, not {quote(pair)}")
        _refuse_part(part, column)
        if part in chosen:
            raise UsageError(
                option("columns"), f" names the {part} twice: {list_names([chosen[part], column])}"
            )
        chosen[part] = column
    return chosen


def find_columns(
    names: Sequence[str],
    chosen: Mapping[str, str],
    *,
    remedy: str | None = None,
    settle: Settle | None = None,
    needed: Sequence[str] = NEEDED,
) -> Columns:
    """The chosen columns, and for every other part the one column with a common name; an empty choice is none.

    Where several columns may play a part, `settle` may decide by the values in them. Who takes no `--columns` names
    another remedy. A file of which only one half is needed has no column (an empty name) for the other.
    """
    found = {part: _find_chosen(names, part, column) for part, column in chosen.items()}
    if "answer" in found and found["answer"] == found.get("reference"):
        raise UsageError(
            option("columns"), f" takes {quote(found['answer'])} for both the reference and the answer"
        )
    roles = {name: role for name in names if name not in found.values() and (role := find_role(name))}
    candidates = {part: _find_candidates(roles, part) for part in PARTS if part not in found}
    if settle is not None:
        settle(candidates)
    unclear = {part: options for part, options in candidates.items() if len(options) > 1}
    missing = [part for part in needed if not (part in found or candidates[part])]
    if unclear:
        raise _refuse_choice(unclear, missing, found, remedy)
    if missing:
        raise _refuse_gap(missing, names, roles, found, remedy)
    sole = {part: options[0] for part, options in candidates.items() if options}
    played = {part: column for part, column in (found | sole).items() if column}
    return Columns(**{"reference": "", "answer": ""} | played)


def names_several(path: str) -> bool:
    """Whether a column is called `references`, so that a list in it is meant as one."""
    return simplify(path.rpartition(".")[2]) == "references"


def _refuse_part(part: str, column: str) -> None:
    if part not in PARTS:
        parts = ", ".join(PARTS)
        raise UsageError(option("columns"), f" knows no part {quote(part)}; the parts are {parts}")
    if part in NEEDED and not column:
        raise UsageError(option("columns"), f" names no column for the {part}, which every row needs")


def _find_chosen(names: Sequence[str], part: str, column: str) -> str:
    _refuse_part(part, column)
    if not column or column in names:
        return column
    alike = [name for name in names if name and simplify(name) == simplify(column)]
    if len(alike) == 1:
        return alike[0]
    raise UsageError(f"no column {quote(column)} for the {part}; the columns are {list_names(names)}")


def _find_candidates(roles: _Roles, part: str) -> list[str]:
    """Columns with a common name for the part: the flat ones, else those in nested objects."""
    found = {name: nesting for name, (played, nesting) in roles.items() if played == part}
    return [name for name, nesting in found.items() if nesting == min(found.values())]


def _refuse_choice(
    unclear: Mapping[str, list[str]], missing: Sequence[str], found: Mapping[str, str], remedy: str | None
) -> UsageError:
    """Which columns compete for which parts: with every `--columns` that settles a single part, or one for all."""
    swapped = "answer" in unclear and "reference" in missing
    gaps = {part: "NAME" for part in missing if not (swapped and part == "reference")}
    choices = [
        _pair_readings(options) if swapped and part == "answer" else [{part: option} for option in options]
        for part, options in unclear.items()
    ]
    first = {part: column for ways in choices for part, column in ways[0].items()}
    readings = choices[0] if len(choices) == 1 else [first]
    faults = [f"the {part} could be any of {list_names(options)}" for part, options in unclear.items()]
    faults += [f"no column is {_list_parts(missing)}"] if missing else []
    told = f"{' and '.join(faults)}; "
    if remedy is not None:
        return UsageError(told, remedy)
    choose = f"choose {'with' if len(choices) == 1 else 'for example with'} "
    return UsageError(told, choose, _suggest(*({**found, **reading, **gaps} for reading in readings)))


def _pair_readings(options: list[str]) -> list[dict[str, str]]:
    """The readings in which one of the would-be answers is the reference: first of all the one called `answer`."""
    first, *others = sorted(options, key=lambda name: simplify(name.rpartition(".")[2]) != "answer")
    readings = [{"reference": first, "answer": other} for other in others]
    return [*readings, {"reference": others[0], "answer": first}]


def _refuse_gap(
    missing: Sequence[str],
    names: Sequence[str],
    roles: _Roles,
    found: Mapping[str, str],
    remedy: str | None,
) -> UsageError:
    told = f"no column is {_list_parts(missing)}; the columns are {list_names(names)}; "
    if remedy is not None:
        return UsageError(told, remedy)
    return UsageError(told, "say which one with ", _suggest(*_guess_gap(missing, names, roles, found)))


def _guess_gap(
    missing: Sequence[str], names: Sequence[str], roles: _Roles, found: Mapping[str, str]
) -> list[Mapping[str, str]]:
    """The choices that may be meant: columns whose names only sound like the missing part."""
    given = {part: found[part] for part in found}
    answers = [name for name in names if name not in found.values() and _sounds_like(name, "answer")]
    if "answer" in missing and answers:
        near = _find_near([name for name in names if name not in answers], "reference")
        gap = {"reference": (near or ["NAME"])[0]} if "reference" in missing else {}
        return [{**given, **gap, "answer": name} for name in answers[:_MOST_WAYS]]
    sole = _find_candidates(roles, "answer")
    if missing == ["reference"] and sole and answers:
        return [{**given, "reference": sole[0], "answer": name} for name in answers[:_MOST_WAYS]]
    likely = sole[:1] if "answer" in found else []
    free = [name for name in names if name not in found.values()]
    return [{**given, **{part: (likely or _find_near(free, part) or ["NAME"])[0] for part in missing}}]


def _find_near(names: Sequence[str], part: str) -> list[str]:
    """The names that sound like a part, or are spelled nearly like one of its names."""
    heard = [name for name in names if _sounds_like(name, part)]
    unknown = {simplify(name.rpartition(".")[2]): name for name in names if find_role(name) is None}
    near = [
        unknown[one]
        for common in sorted(COMMON_NAMES[part])
        for one in get_close_matches(common, unknown, n=1, cutoff=_CLOSE)
    ]
    return heard + near


def _sounds_like(name: str, part: str) -> bool:
    """Whether a name that is not in the table ends in one that is: `gpt_answer`, or `runs.0.answer`."""
    last = simplify(name.rpartition(".")[2])
    return find_role(name) is None and any(last.endswith(common) for common in COMMON_NAMES[part])


def _list_parts(parts: Sequence[str]) -> str:
    return " or ".join(f"the {part}" for part in parts)


def _suggest(*ways: Mapping[str, str]) -> Phrase:
    """The option with every way of choosing columns, on one line."""
    choices = [one_line(shlex.quote(_join(chosen, ","))) for chosen in ways]
    asked = option("columns")
    return Phrase(
        " or ".join(f"{asked.command} {choice}" for choice in choices),
        " or ".join(f"{asked.library} {choice}" for choice in choices),
    )


def _join(columns: Mapping[str, str], comma: str) -> str:
    return comma.join(f"{part}={column}" for part, column in columns.items())
