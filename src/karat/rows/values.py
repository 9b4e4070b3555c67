"""Decide by the values of the first rows which of several columns plays a part."""

import re
from collections.abc import Mapping, Sequence
from typing import Any, Final

from karat.core.errors import UsageError, option
from karat.core.messages import quote
from karat.rows.cells import read_text
from karat.rows.columns import Candidates
from karat.rows.names import SURE_ANSWERS, simplify

Values = Mapping[str, Sequence[Any]]
"""For each column or dotted path its values in the first rows, None where a row lacks it."""
_VERDICT: Final = re.compile(
    r"(?:(?:partially |mostly |in|not )?(?:correct|accurate|right)(?: answer)?|wrong|true|false|yes|no|pass(?:ed)?|fail(?:ed)?"
    r"|good|bad|ok|refusal|unknown|n/?a|[cipn]|-?\d+(?:\.\d+)?)",
    re.IGNORECASE,
)
_LETTER: Final = re.compile(r"\(?[A-J][).]?", re.IGNORECASE)
_CHOICES: Final = frozenset({"choices", "options", "endings", "answerchoices", "answeroptions"})
_FEW: Final = 3


def settle_by_values(candidates: Candidates, values: Values) -> None:
    """Leave of several candidates the one that the values allow, where they leave no doubt."""
    _drop_objects(candidates, values)
    _settle_question(candidates, values)
    _settle_answer(candidates, values)
    _settle_label(candidates, values)


def refuse_letters(reference: str, values: Values) -> None:
    """Refuse a reference that is the letter of one of the row's choices: texts would be compared with letters."""
    choices = next((name for name in values if simplify(name.rpartition(".")[2]) in _CHOICES), None)
    texts = _read_texts(values.get(reference, ()))
    if choices is not None and texts and all(_LETTER.fullmatch(text) for text in texts):
        raise UsageError(
            f"{quote(reference)} holds the letter of one of {quote(choices)}, not its text; put the text of the right "
            "choice in a column of its own, or compare with the letters by ",
            option("columns"),
            f" reference={reference}",
        )


def _drop_objects(candidates: Candidates, values: Values) -> None:
    """Leave out columns that hold objects in every row."""
    for part, names in candidates.items():
        candidates[part] = [name for name in names if not _holds_objects(values.get(name, ()))]


def _holds_objects(found: Sequence[Any]) -> bool:
    present = [value for value in found if value is not None]
    return bool(present) and all(isinstance(value, dict) and "role" not in value for value in present)


def _settle_question(candidates: Candidates, values: Values) -> None:
    """Of two questions take the one that the other only wraps in more text."""
    names = candidates.get("question", [])
    for name in names:
        others = [other for other in names if other != name]
        if others and all(_wraps(values, other, name) for other in others):
            candidates["question"] = [name]
            return


def _wraps(values: Values, outer: str, inner: str) -> bool:
    """Check whether each text of a column stands within that of another, and is not empty."""
    pairs = list(
        zip(map(read_text, values.get(outer, ())), map(read_text, values.get(inner, ())), strict=False)
    )
    return bool(pairs) and all(text and around and text.strip() and text in around for around, text in pairs)


def _settle_answer(candidates: Candidates, values: Values) -> None:
    """Take `answer` for the reference where another column can only be the model's."""
    names = candidates.get("answer", [])
    own = [name for name in names if simplify(name.rpartition(".")[2]) == "answer"]
    others = [name for name in names if name not in own]
    if len(own) != 1 or len(others) != 1 or candidates.get("reference", [""]):
        return
    lists = any(isinstance(value, list) for value in values.get(own[0], ()))
    sure = simplify(others[0].rpartition(".")[2]) in SURE_ANSWERS
    if lists or sure or not _is_cut_out(values, others[0], own[0]):
        candidates["reference"], candidates["answer"] = own, others


def _is_cut_out(values: Values, output: str, answer: str) -> bool:
    """Check whether the answer may have been taken out of the output: it stands there in every row."""
    pairs = zip(map(read_text, values.get(output, ())), map(read_text, values.get(answer, ())), strict=False)
    return all(text is None or around is None or text.strip() in around for around, text in pairs)


def _settle_label(candidates: Candidates, values: Values) -> None:
    """Take `label` for the reference where nothing else can be, and its texts are no verdicts."""
    names = candidates.get("label", [])
    if len(names) != 1 or candidates.get("reference", [""]) or len(candidates.get("answer", [])) > 1:
        return
    texts = _read_texts(values.get(names[0], ()))
    verdicts = sum(_VERDICT.fullmatch(text.strip()) is not None for text in texts)
    several = len(set(texts)) >= _FEW and 2 * len(set(texts)) > len(texts)
    if several and 2 * verdicts < len(texts):
        candidates["reference"], candidates["label"] = names, []


def _read_texts(found: Sequence[Any]) -> list[str]:
    texts = (read_text(value) for value in found)
    return [text for text in texts if text and text.strip()]
