"""Tags around an answer."""

import re

from karat.text.delivery.losing import is_blank

_TAG = re.compile(
    r"<(?P<name>final_?answer|answer|ans|short_answer|final|response|result|output|solution|reply)(?:\s[^<>]*)?>(?P<inner>.*?)(?:</(?P=name)>|$)|\[(?P<mark>ANSWER|FINAL ANSWER)\](?P<held>.*?)\[/(?P=mark)\]",
    re.IGNORECASE | re.DOTALL,
)
_NODE = re.compile(r"<[^<>]*>")


def find_node(text: str) -> str:
    """Return the one text that a document of tags holds."""
    if not (text.startswith("<") and text.rstrip().endswith(">")):
        return text
    nodes = [node.strip() for node in _NODE.split(text) if not is_blank(node)]
    return nodes[0] if len(nodes) == 1 else text


def find_tagged(text: str) -> str:
    """Return what stands in the innermost tag for an answer, where there is one; else all of it."""
    while "<" in text or "[" in text:
        held = {(found["inner"] or found["held"] or "").strip() for found in _TAG.finditer(text)}
        if len(held) != 1 or is_blank(*held):
            break
        text = held.pop()
    return text
