"""Arguments of the library are checked against the signatures of its functions."""

import asyncio
import inspect
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import karat
from karat import Options

ITEMS = [
    {
        "id": str(n),
        "question": f"q{n}",
        "reference": "five",
        "answer": "56"[n % 2],
        "label": n % 2,
        "system": "ab"[n % 2],
    }
    for n in range(4)
]
WRONG: list[Any] = [object(), b"x", {1: 2}, "\0", 10**30, float("nan"), [None]]
CALLS: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {  # every public function, called as it should be
    "judge": (("q", "five", "5"), {"judge": "rules"}),
    "grade": ((ITEMS,), {"judge": "rules"}),
    "agrade": ((ITEMS,), {"judge": "rules"}),
    "audit_judge": (("rules",), {"families": ["hedge"], "limit": 1}),
    "aaudit_judge": (("rules",), {"families": ["hedge"], "limit": 1}),
    "agree": ((1,), {"store": "k.db"}),
    "compare": ((1,), {"by": "system", "store": "k.db"}),
    "add_labels": ((1, [{"id": "1", "label": 1}]), {"store": "k.db"}),
    "plan_labels": ((1,), {"store": "k.db", "n": 1}),
    "need_labels": ((1,), {"store": "k.db", "width": 0.3}),
    "write_report": ((1,), {"store": "k.db"}),
}


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    karat.grade(ITEMS, judge="rules", store="k.db")


def spoil(
    function: Callable[..., Any], values: tuple[Any, ...], named: dict[str, Any]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments of a call with one of them wrong, for each of them."""
    for place, parameter in enumerate(inspect.signature(function).parameters.values()):
        for wrong in WRONG:
            if parameter.kind is parameter.VAR_KEYWORD:
                yield from ((values, {**named, option: wrong}) for option in Options.__annotations__)
            elif parameter.kind is parameter.VAR_POSITIONAL:
                yield (wrong,), named
            elif place < len(values):
                yield (*values[:place], wrong, *values[place + 1 :]), named
            else:
                yield values, {**named, parameter.name: wrong}


def test_every_public_function_is_called_here() -> None:
    assert set(CALLS) == {name for name in karat.__all__ if inspect.isfunction(getattr(karat, name))}


@pytest.mark.usefixtures("store")
@pytest.mark.parametrize("name", sorted(set(CALLS) - {"agrade", "aaudit_judge"}))
def test_wrong_argument_is_always_a_usage_error(name: str) -> None:
    """It is refused with a message on one line, or it is of use after all."""
    function, complaints = getattr(karat, name), list[str]()
    for values, named in spoil(function, *CALLS[name]):
        try:
            function(*values, **named)
        except karat.KaratError as error:
            complaints.append(str(error))
    assert len(complaints) > len(WRONG)
    assert not [line for line in complaints if "\n" in line]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"budget": "5"}, "budget must be a number or None, not '5'"),
        ({"judge": 1}, "judge must be text, not 1"),
        ({"items": None}, "items must be a list or another iterable, not None"),
        ({"items": 3}, "items must be a list or another iterable, not 3"),
        ({"items": "q"}, "items must be a list of rows"),
        ({"items": ITEMS[0]}, "items must be a list of rows"),
        (
            {"items": (one for one in [7])},
            "item 1 must be a tuple (question, reference or references, answer)",
        ),
        ({"items": [{1: 2}]}, "item 1: no column is the reference or the answer"),
        ({"items": [ITEMS[0], None]}, "item 2 must be a tuple (question, reference or references, answer)"),
        ({"protocol": 3}, "protocol must be 'match', 'equivalence', 'keypoints' or None, not 3"),
        ({"store": 5}, "store must be text, a path or None, not 5"),
        ({"columns": {"question": "q"}}, "unknown option 'columns'"),
        ({"labels": "labels.csv"}, "unknown option 'labels'"),
        ({"passing": 9}, "passing must be at most 5, not 9"),
        ({"passing": True}, "passing must be a whole number, not True"),
        ({"logprobs": 1}, "logprobs must be True or False, not 1"),
        ({"panel": ["rules", 2]}, "panel must be text, a list of text or None, not ['rules', 2]"),
        ({"panel": []}, "panel names no judge"),
        ({"store": ""}, "store is empty; name a file, or leave it out"),
        ({"timeout": None}, "timeout must be a number, not None"),
    ],
)
def test_a_wrong_argument_is_named_with_what_is_wanted(arguments: dict[str, Any], message: str) -> None:
    judge = {} if "panel" in arguments else {"judge": "rules"}
    call: dict[str, Any] = {"items": ITEMS, **judge, **arguments}
    with pytest.raises(karat.UsageError, match=f"^{re.escape(message)}"):
        karat.grade(**call)
    if "items" not in arguments:
        with pytest.raises(karat.UsageError, match=f"^{re.escape(message)}"):
            asyncio.run(karat.agrade(**call))


@pytest.mark.usefixtures("store")
def test_labels_that_are_not_mappings_are_named_by_number() -> None:
    labels: Any = [{"id": "1", "label": 1}, "2"]
    with pytest.raises(
        karat.UsageError, match="label 2 must be a mapping with id, label and author, not '2'"
    ):
        karat.add_labels(1, labels, store="k.db")


def test_numbers_and_sequences_of_other_libraries_are_taken() -> None:
    import numpy as np

    items: Any = np.array(ITEMS, dtype=object)
    assert len(karat.grade(items, judge="rules")) == len(ITEMS)

    passing: Any = np.int64(3)
    assert karat.grade(ITEMS, judge="rules", passing=passing, abstain=None).summary.judged
