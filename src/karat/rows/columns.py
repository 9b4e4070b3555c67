"""Which column plays which part."""

import re
import shlex
from collections.abc import Mapping, Sequence
from typing import Final

from msgspec import Struct, structs

from karat.core.errors import UsageError
from karat.rows.wording import list_names, one_line, quote

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
NESTS: Final = ("item", "sample")


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
    """`question=q,answer=out` as a mapping; a comma divides only where another `part=` follows."""
    chosen: dict[str, str] = {}
    for pair in re.split(r",(?=\s*\w+\s*=)", text) if text.strip() else []:
        part, equals, column = (piece.strip() for piece in pair.partition("="))
        if not (part and equals and column):
            raise UsageError(f"--columns takes pairs like question=q,answer=out, not {quote(pair)}")
        _refuse_unknown_part(part)
        if part in chosen:
            raise UsageError(f"--columns names the {part} twice: {list_names([chosen[part], column])}")
        chosen[part] = column
    return chosen


def find_columns(names: Sequence[str], chosen: Mapping[str, str]) -> Columns:
    """The chosen columns, and for every other part the one column with a common name for it."""
    found = {part: _find_chosen(names, part, column) for part, column in chosen.items()}
    if "answer" in found and found["answer"] == found.get("reference"):
        raise UsageError(f"--columns takes {quote(found['answer'])} for both the reference and the answer")
    pool = [name for name in names if name not in found.values()]
    candidates = {part: _find_candidates(pool, part) for part in COMMON_NAMES if part not in found}
    for part, options in candidates.items():
        if len(options) > 1:
            raise UsageError(one_line(_describe_choice(part, options, candidates, found)))
    for part in ("reference", "answer"):
        if not (part in found or candidates[part]):
            raise UsageError(one_line(_describe_gap(part, names, pool, found)))
    return Columns(**found, **{part: options[0] for part, options in candidates.items() if options})


def _refuse_unknown_part(part: str) -> None:
    if part not in COMMON_NAMES:
        parts = ", ".join(COMMON_NAMES)
        raise UsageError(f"--columns knows no part {quote(part)}; the parts are {parts}")


def _find_chosen(names: Sequence[str], part: str, column: str) -> str:
    _refuse_unknown_part(part)
    if column in names:
        return column
    alike = [name for name in names if _simplify(name) == _simplify(column)]
    if len(alike) == 1:
        return alike[0]
    raise UsageError(f"no column {quote(column)} for the {part}; the columns are {list_names(names)}")


def _find_candidates(pool: Sequence[str], part: str) -> list[str]:
    """Columns with a common name for the part: the flat ones, else those inside `item` and `sample`."""
    common = COMMON_NAMES[part]
    flat = [name for name in pool if _simplify(name) in common]
    return flat or [name for name in pool if _strip_nest(name) in common]


def _strip_nest(name: str) -> str:
    nest, _, inner = name.partition(".")
    return _simplify(inner) if nest in NESTS else ""


def _simplify(name: str) -> str:
    return re.sub(r"[ -]", "_", name.strip().casefold())


def _describe_choice(
    part: str, options: list[str], candidates: Mapping[str, list[str]], found: Mapping[str, str]
) -> str:
    """Which columns compete for a part, with every `--columns` that would settle it."""
    no_reference = part == "answer" and not candidates.get("reference", found.get("reference"))
    readings = _pair_readings(options) if no_reference else [{part: option} for option in options]
    ways = " or ".join(_suggest({**found, **reading}) for reading in readings)
    gap = " and no column is the reference" if no_reference else ""
    return f"the {part} could be any of {list_names(options)}{gap}; choose with {ways}"


def _pair_readings(options: list[str]) -> list[dict[str, str]]:
    """The readings in which one of the would-be answers is the reference: first of all the one called `answer`."""
    first, *others = sorted(options, key=lambda name: _simplify(name.rpartition(".")[2]) != "answer")
    readings = [{"reference": first, "answer": other} for other in others]
    return [*readings, {"reference": others[0], "answer": first}]


def _describe_gap(part: str, names: Sequence[str], pool: Sequence[str], found: Mapping[str, str]) -> str:
    likely = _find_candidates(pool, "answer") if "answer" in found else []
    remedy = _suggest({**found, part: likely[0] if likely else "NAME"})
    return f"no column is the {part}; the columns are {list_names(names)}; say which one with {remedy}"


def _suggest(chosen: Mapping[str, str]) -> str:
    return f"--columns {shlex.quote(_join(chosen, ','))}"


def _join(columns: Mapping[str, str], comma: str) -> str:
    return comma.join(f"{part}={column}" for part, column in columns.items())
