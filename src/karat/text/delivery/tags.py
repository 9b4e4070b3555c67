"""Tags around an answer."""

import re

from karat.text.delivery.losing import is_blank, retracts

_NAMES = r"final_?answer|answer|ans|short_answer"
_LOOSE_NAMES = rf"{_NAMES}|final|response|result|output|solution|reply"
_TAG = re.compile(
    rf"<(?P<name>{_NAMES})(?:\s[^<>]{{0,80}})?>(?P<inner>.*?)</(?P=name)>", re.IGNORECASE | re.DOTALL
)
_WHOLE = re.compile(
    rf"^\s{{0,4}}(?:<[^<>]{{1,80}}>\s{{0,4}}){{0,4}}<(?P<name>{_LOOSE_NAMES})(?:\s[^<>]{{0,80}})?>(?P<inner>.*?)</(?P=name)>",
    re.IGNORECASE | re.DOTALL,
)
_OPEN = re.compile(rf"^\s{{0,4}}<(?:{_NAMES})>(?P<inner>[^<>]+)$", re.IGNORECASE)
_NODE = re.compile(r"<[^<>]*>")


def find_tagged(text: str) -> str:
    """Return what stands in the innermost tag for an answer, where there is one and nothing beside it takes it back; else all of it."""
    while "<" in text:
        found = (
            list(_TAG.finditer(text))
            or [each for each in (_WHOLE.match(text), _OPEN.match(text)) if each][:1]
        )
        held = {each["inner"].strip() for each in found}
        if len(held) != 1 or is_blank(*held):
            break
        if retracts(text[found[-1].end() :]) or text[: found[0].start()].rstrip().endswith(
            ("not", "n't", "never")
        ):
            break
        text = held.pop()
    return text


def find_node(text: str) -> str:
    """Return the one text that a document of tags holds."""
    if not (text.startswith("<") and text.rstrip().endswith(">")):
        return text
    nodes = [node.strip() for node in _NODE.split(text) if not is_blank(node)]
    return nodes[0] if len(nodes) == 1 else text
