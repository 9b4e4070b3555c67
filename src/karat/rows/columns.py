"""Find which column holds the question, the reference, the answer, the id, the system and the label."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Final, TypeAlias

from msgspec import Struct, structs

from karat.core.errors import Phrase, UsageError, option
from karat.core.messages import list_names, one_line, quote

COMMON_NAMES: Final[Mapping[str, frozenset[str]]] = {
    "question": frozenset({"question", "input", "query", "prompt"}),
    "reference": frozenset(
        {
            "reference",
            "references",
            "answer_key",
            "ground_truth",
            "expected",
            "target",
            "ideal",
            "gold",
            "correct_answer",
            "true_answer",
        }
    ),
    "answer": frozenset(
        {
            "answer",
            "prediction",
            "output",
            "response",
            "output_text",
            "predicted_answer",
            "model_answer",
            "completion",
        }
    ),
    "id": frozenset({"id"}),
    "system": frozenset({"system"}),
    "label": frozenset({"label"}),
}
NEEDED: Final = ("reference", "answer")
NESTS: Final = ("item", "sample")
_Pool: TypeAlias = Sequence[tuple[str, str]]  # columns that play no part yet, each with its name simplified


class Columns(Struct, frozen=True):
    """Which column plays which part; a dotted path ("item.input") reaches into nested rows."""

    reference: str
    answer: str
    question: str | None = None
    id: str | None = None
    system: str | None = None
    label: str | None = None

    def describe(self) -> str:
        """The parts that are played and by which columns, for printing."""
        columns = structs.asdict(self)
        played = {part: columns[part] for part in COMMON_NAMES if columns[part] is not None}
        return _join(played, ", ")


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


def find_columns(names: Sequence[str], chosen: Mapping[str, str], *, remedy: str | None = None) -> Columns:
    """The chosen columns, and for every other part the one column with a common name; an empty choice is none.

    Who takes no `--columns` names another remedy.
    """
    found = {part: _find_chosen(names, part, column) for part, column in chosen.items()}
    if "answer" in found and found["answer"] == found.get("reference"):
        raise UsageError(
            option("columns"), f" takes {quote(found['answer'])} for both the reference and the answer"
        )
    pool = [(name, _simplify(name)) for name in names if name not in found.values()]
    candidates = {part: _find_candidates(pool, part) for part in COMMON_NAMES if part not in found}
    unclear = {part: options for part, options in candidates.items() if len(options) > 1}
    missing = [part for part in NEEDED if not (part in found or candidates[part])]
    if unclear:
        raise _refuse_choice(unclear, missing, found, remedy)
    if missing:
        raise _refuse_gap(missing, names, pool, found, remedy)
    sole = {part: options[0] for part, options in candidates.items() if options}
    return Columns(**{part: column for part, column in (found | sole).items() if column})


def names_several(path: str) -> bool:
    """Whether a column is called `references`, so that a list in it is meant as one."""
    return _simplify(path.rpartition(".")[2]) == "references"


def _refuse_part(part: str, column: str) -> None:
    if part not in COMMON_NAMES:
        parts = ", ".join(COMMON_NAMES)
        raise UsageError(option("columns"), f" knows no part {quote(part)}; the parts are {parts}")
    if part in NEEDED and not column:
        raise UsageError(option("columns"), f" names no column for the {part}, which every row needs")


def _find_chosen(names: Sequence[str], part: str, column: str) -> str:
    _refuse_part(part, column)
    if not column or column in names:
        return column
    alike = [name for name in names if name and _simplify(name) == _simplify(column)]
    if len(alike) == 1:
        return alike[0]
    raise UsageError(f"no column {quote(column)} for the {part}; the columns are {list_names(names)}")


def _find_candidates(pool: _Pool, part: str) -> list[str]:
    """Columns with a common name for the part: the flat ones, else those inside `item` and `sample`."""
    common = COMMON_NAMES[part]
    flat = [name for name, simple in pool if simple in common]
    return flat or [name for name, _ in pool if _strip_nest(name) in common]


def _strip_nest(name: str) -> str:
    nest, _, inner = name.partition(".")
    return _simplify(inner) if nest in NESTS else ""


def _simplify(name: str) -> str:
    return re.sub(r"[ -]", "_", name.strip().casefold())


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
    first, *others = sorted(options, key=lambda name: _simplify(name.rpartition(".")[2]) != "answer")
    readings = [{"reference": first, "answer": other} for other in others]
    return [*readings, {"reference": others[0], "answer": first}]


def _refuse_gap(
    missing: Sequence[str],
    names: Sequence[str],
    pool: _Pool,
    found: Mapping[str, str],
    remedy: str | None,
) -> UsageError:
    likely = _find_candidates(pool, "answer") if "answer" in found else []
    choice = _suggest({**found, **dict.fromkeys(missing, likely[0] if likely else "NAME")})
    told = f"no column is {_list_parts(missing)}; the columns are {list_names(names)}; "
    return UsageError(told, remedy) if remedy is not None else UsageError(told, "say which one with ", choice)


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
