"""The answer as the argument of a call, or in an object that is written out in some notation."""

import re

from karat.text.delivery.losing import retracts
from karat.text.delivery.objects import ANSWER_KEYS

_FIELDS = re.compile(r"\[\[ ## (?P<name>\w+) ## \]\]\s*(?P<inner>.*?)(?=\[\[ ## |$)", re.DOTALL)
_CALL = re.compile(
    r"(?:^|\n|:)\s*(?:print\()?(?:final_?answer|submit(?:_answer)?|finish|respond|return_answer)\s?(?P<open>[(\[])\s*(?:\w+\s*=\s*)?(?P<quote>[\"']{0,3})(?P<said>[^\n]*?)(?P=quote)\s*[)\]][)\s`;.]*$",
    re.IGNORECASE,
)
_PARAMETERS = re.compile(r"[a-z_]\w*(?:,\s?[a-z_]\w*)+")
"""What a function takes rather than what it was given: `finish(name, age)`."""
_CALLED = re.compile(
    r"\b(?:final_?answer|submit(?:_answer)?|finish|respond|return_answer)\s?[(\[]", re.IGNORECASE
)
_MADE = re.compile(
    r"^\s{0,4}\[?\w{0,30}(?:Message|Response|Prediction|Result|Answer|Output|Block|Finish)\(.*\)\]?\s{0,4}$",
    re.DOTALL,
)
_GIVEN = re.compile(
    r"\b(?P<name>\w+)\s?=\s?(?P<quote>[\"'])(?P<said>(?:\\.|(?!(?P=quote)).)*)(?P=quote)", re.DOTALL
)
_KEYED = re.compile(
    r"(?:^|[\s,{(&\[;|])[\"']?(?P<name>final_?answer|answer|output_text|response|prediction|string_value)[\"']?[ \t]*[:=][ \t]*(?P<quote>[\"'])(?P<said>(?:\\.|(?!(?P=quote)).)+)(?P=quote)(?=\s*(?:[,;})\]\n]|$|\w+\s?[:=]))",
    re.IGNORECASE | re.DOTALL,
)
_NOTATION = re.compile(r"\s*(?:[{\[(<&]|---|\w+(?:[({:\[]|\s?=))")
_BLOCK = re.compile(
    r"(?:^|\n)\s*(?:final_)?answer:[ \t]*[>|][-+]?[ \t]*\n(?P<said>(?:[ \t]+[^\n]+(?:\n|$))+)", re.IGNORECASE
)


def find_called(text: str) -> str | None:
    """Return the answer that a call hands over, or an object that is written out holds."""
    if "[[ ## " in text:
        fields = {
            found["name"].replace("_", "").lower(): found["inner"].strip() for found in _FIELDS.finditer(text)
        }
        return next((fields[key] for key in ("finalanswer", *ANSWER_KEYS) if fields.get(key)), None)
    called = _CALL.search(text) if text.rstrip(" \n`;.")[-1:] in {")", "]"} else None
    if called and (len(_CALLED.findall(text)) > 1 or _is_signature(called)):
        return None
    if called and not re.search(rf"\b{re.escape(called['said'])}\s?=", text):  # the name of what holds it
        return called["said"]
    if _MADE.match(text):
        given = {found["name"].replace("_", "").lower(): found["said"] for found in _GIVEN.finditer(text)}
        return next((given[key] for key in (*ANSWER_KEYS, "content", "text") if given.get(key)), None)
    return None


def _is_signature(called: re.Match[str]) -> bool:
    """Tell whether a call by itself is what a function takes."""
    return (
        called.start() == 0
        and called["open"] == "("
        and not called["quote"]
        and _PARAMETERS.fullmatch(called["said"]) is not None
    )


def find_keyed(text: str) -> str | None:
    """Return the quoted text that a key for an answer has, where the notation is none that is read whole."""
    block = _BLOCK.search(text)
    if block:
        return " ".join(block["said"].split())
    if not _NOTATION.match(text):
        return None
    keys = list(_KEYED.finditer(text))
    if keys and retracts(text[keys[-1].end() :]):
        return None
    keyed = [(found["name"].replace("_", "").lower(), found["said"]) for found in keys]
    for key in ANSWER_KEYS:
        held = list(dict.fromkeys(said for name, said in keyed if name == key))
        if held:
            return held[0] if len(held) == 1 else None
    return next((said for name, said in keyed if name == "stringvalue"), None)
