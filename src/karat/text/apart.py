"""A mention that is joined to its verb: "Florida's not right" holds "Florida"."""

import re

from karat.text.containment import holds_any
from karat.text.forms import Reference, Words, read_words

# Behind what a name has stands a noun: "Florida's coast".
_IS = re.compile(
    r"(?<=\w)['’]s(?=\s+(?:not?|never|hardly|nowhere|wrong|incorrect|false|right|correct|out|off|in|on|the|an?|my|your|our|what|who|where|it|one|just|only|also|definitely|certainly|clearly|probably|possibly|likely|been|being)\b)",
    re.IGNORECASE,
)


def read_apart(references: list[Reference], answer: str) -> Words:
    """Read the words of an answer, with "is" written out where no reference would be mentioned otherwise."""
    words = read_words(answer)
    if not _IS.search(answer) or holds_any(references, words):
        return words
    apart = read_words(_IS.sub(" is", answer))
    return apart if holds_any(references, apart) else words
