"""Answers that report something of what they name: nobody speaks, nothing is doubted, and there are figures or words that talk about answers does not have."""

import re

from karat.core.types import Item
from karat.models.embedded import read_talk
from karat.text import strip_invisible

_RULER = re.compile(r"\b(?P<name>[A-Z][a-z]{2,}) I\b")
_SPEAKS = re.compile(
    r"\b(?:[Mm]e|[Mm]y|[Mm]ine|[Mm]yself|[Ww]e|us|[Oo]ur|[Yy]ou|[Yy]our|[Ll]et's|[Ss]ome|[Ss]omeone|[Ss]omebody|[Ee]veryone|[Ee]verybody|[Aa]nyone|[Aa]nybody|[Nn]obody|[Pp]eople|[Ff]olks|[Ff]riends?|[Tt]eachers?)\b"
    r"|\bI\b|\?"
)
_DOUBTS = re.compile(
    r"\b(?:not|no|never|nor|neither|none|but|though|although|however|while|whereas|instead|rather|or|either|whether|maybe|perhaps|likely|probably|possibly|could|might|(?-i:may)|would|should|if|unless|"
    r"wrong|incorrect|false|mistak\w*|confus\w*|mix\w*|myth|doubt\w*|guess\w*|answer\w*|say|says|said|claim\w*|believ\w*|think|thought|question|correct\w*|right|sure|certain\w*|actually|really|sorry|"
    r"wait|except|unlike|than|versus|vs|other|another|also|between|rival\w*|compar\w*|so-called|supposed\w*|alleged\w*)\b|n['’]t\b",
    re.IGNORECASE,
)
_MARKED = re.compile(r"[<>\[\]{}|~\n]")
_FIGURE = re.compile(r"\d[\d,.]*")
_LEAST = 2
_WORD = re.compile(r"(?<![\w'’-])[a-z][a-z'’-]{2,}")


def is_report(item: Item) -> bool:
    """Tell whether an answer reports, rather than talks of an answer."""
    text = strip_invisible(item.answer)
    for reference in sorted(filter(None, item.references), key=len, reverse=True):
        text = text.replace(reference, "X")
    text = _RULER.sub(r"\g<name>", text)
    if _MARKED.search(text) or _SPEAKS.search(text) or _DOUBTS.search(text):
        return False
    told = {word for word in _WORD.findall(text) if not read_talk().knows(word)}
    return len(told.union(_FIGURE.findall(text))) >= _LEAST
