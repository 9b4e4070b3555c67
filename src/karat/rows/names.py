"""The table of names by which a column's part is found, also within nested values."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Final, TypeAlias

Role: TypeAlias = tuple[str, int]
"""A part, and how far the name is from saying so: 0 for a column, 1 within a neutral object, 2 within a speaking one."""
NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    "question": (
        "question", "input", "query", "prompt", "inputs", "user_input", "user_question", "user_query", "problem",
        "question_text", "query_text", "input_text", "input_question",
    ),
    "reference": (
        "reference", "references", "answer_key", "ground_truth", "ground_truths", "expected", "target", "targets",
        "ideal", "gold", "correct_answer", "correct_answers", "true_answer", "expected_output", "expected_outputs",
        "expected_answer", "expected_answers", "expected_response", "gold_answer", "gold_answers", "golden_answer",
        "golden_answers", "gold_label", "reference_answer", "reference_answers", "reference_output",
        "reference_outputs", "reference_response", "target_answer", "correct_response", "ideal_answer", "best_answer",
        "true_answers", "ground_truth_answer",
    ),
    "answer": (
        "answer", "prediction", "output", "response", "output_text", "predicted_answer", "model_answer", "completion",
        "predictions", "outputs", "actual_output", "actual_outputs", "actual_answer", "model_output", "model_response",
        "model_prediction", "prediction_text", "predicted", "predicted_text", "predicted_output", "generated_answer",
        "generated_text", "generated_output", "generation", "candidate_answer", "llm_answer", "llm_response",
        "llm_output", "response_text", "completion_text",
    ),
    "id": ("id",),
    "system": ("system",),
    "label": ("label",),
}  # fmt: skip
SURE_ANSWERS: Final = frozenset(
    re.sub("_", "", name)
    for name in ("prediction", "predictions", "prediction_text", "predicted", "predicted_text", "predicted_answer",
                 "predicted_output", "model_prediction")
)  # fmt: skip
"""Names that no reference has."""
NEUTRAL: Final = frozenset(
    {"item", "sample", "row", "doc", "record", "example", "vars", "fields", "testcase", "case", "entry"}
)
"""Objects whose names say what they hold."""
NESTS: Final[Mapping[str, tuple[str, ...]]] = {
    "question": ("input", "inputs", "question", "query", "prompt", "request"),
    "reference": (
        "expected", "expected_output", "expected_outputs", "reference", "references", "reference_output",
        "reference_outputs", "target", "ground_truth", "gold", "ideal", "expectations",
    ),
    "answer": ("output", "outputs", "response", "actual_output", "actual_outputs", "prediction", "completion"),
}  # fmt: skip
"""Objects that say themselves which part they hold."""
_PLAIN: Final = ("text", "value", "content")
_DEEPEST: Final = 3


@lru_cache(maxsize=10_000)
def simplify(name: str) -> str:
    """Return a name without case, spaces, hyphens and underscores."""
    return re.sub(r"[\s_-]", "", name.casefold())


def _table(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(map(simplify, names))


COMMON_NAMES: Final = {part: _table(names) for part, names in NAMES.items()}
_PART_OF: Final = {name: part for part, names in COMMON_NAMES.items() for name in names}
_NEST_OF: Final = {name: part for part, names in NESTS.items() for name in _table(names)}
INNER_NAMES: Final = {
    "question": COMMON_NAMES["question"] | _table(_PLAIN),
    "reference": COMMON_NAMES["reference"] | COMMON_NAMES["answer"] | _table(_PLAIN),
    "answer": COMMON_NAMES["answer"] | _table(_PLAIN),
}
"""Names within an object that says itself which part it holds."""


def is_nest(name: str) -> bool:
    """Check whether a column's objects are looked into."""
    simple = simplify(name)
    return simple in NEUTRAL or simple in _NEST_OF


def find_role(path: str) -> Role | None:
    """Return which part a column or dotted path plays by its names."""
    *outer, last = (simplify(name) for name in path.split("."))
    speaking = next((_NEST_OF[name] for name in outer if name in _NEST_OF), None)
    if len(outer) > _DEEPEST or any(name not in NEUTRAL and name not in _NEST_OF for name in outer):
        return None
    if speaking is not None:
        return (speaking, 2) if last in INNER_NAMES[speaking] else None
    part = _PART_OF.get(last)
    return None if part is None else (part, 1 if outer else 0)
