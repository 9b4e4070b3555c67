"""Names with initials: "A. G. Bell" beside "Alexander Graham Bell" is read as the whole name."""

import re

from karat.text.vocabulary import list_words

_INITIALS = re.compile(
    r"(?<![\w.])(?P<letters>(?:[A-Z]\.\s?){1,3}|[A-Z]{2,3}\s)(?P<last>[A-Z][\w'’-]+)(?![\w'’-])"
)
_NAME = re.compile(r"[A-Z][\w'’.-]*")
_NAMES = range(2, 5)
_GROUPS = frozenset(
    list_words(
        "party league club university company corporation street road avenue river lake mountain island city county state states kingdom republic bank school college church museum park hall "
        "team band cup prize award act war battle"
    )
)


def respell_initials(reference: str, answer: str) -> str:
    """Return the answer with a name in initials written out, where they are all those of the reference."""
    names = reference.split()
    if len(names) not in _NAMES or not all(map(_NAME.fullmatch, names)) or names[-1].lower() in _GROUPS:
        return answer
    firsts, last = "".join(name[0] for name in names[:-1]), names[-1]

    def write(found: re.Match[str]) -> str:
        letters = "".join(filter(str.isalpha, found["letters"]))
        return reference if found["last"] == last and letters == firsts else found[0]

    return _INITIALS.sub(write, answer)
