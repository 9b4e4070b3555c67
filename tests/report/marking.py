"""Short functions that make scored rows."""

from collections.abc import Sequence

from karat.core.scored_row import Label, ScoredRow


def say(*values: float, scale: str = "yes/no") -> tuple[Label, ...]:
    """Labels of as many people, on levels as 0 to 5."""
    return tuple(
        Label("abcdefgh"[at], value if scale == "yes/no" else value / 5, scale)
        for at, value in enumerate(values)
    )


def mark(
    position: int,
    value: int | None,
    labels: Sequence[Label] = (),
    *,
    question: int | None = None,
    system: str | None = None,
    confidence: float | None = None,
    chance: float | None = None,
    stratum: str | None = None,
    covered: bool | None = None,
    groups: tuple[str, ...] = (),
    top: int = 1,
) -> ScoredRow:
    """A row that is its own question unless one is named; `top` is the highest value of the scale.

    What a plan drew is among the rows that it drew from; other rows are where `covered` says so.
    """
    return ScoredRow(
        position,
        position if question is None else question,
        system,
        value,
        None if value is None else value / top,
        confidence,
        None if value is None else "llm:m",
        tuple(labels),
        chance,
        stratum,
        1 if (chance is not None if covered is None else covered) else None,
        groups,
    )


def crossed(right_yes: int, right_no: int, wrong_yes: int, wrong_no: int) -> list[ScoredRow]:
    """Rows by what people say (right, wrong) and what the judge says (Yes, No)."""
    kinds = [(1, 1)] * right_yes + [(0, 1)] * right_no + [(1, 0)] * wrong_yes + [(0, 0)] * wrong_no
    return [mark(at, value, say(truth)) for at, (value, truth) in enumerate(kinds)]
