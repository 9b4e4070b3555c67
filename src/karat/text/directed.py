"""Questions that ask which way something went, and answers that say it in other words: "it fell by 3 %" for "decrease"."""

import re

from karat.text.directions import FALLS, RISES
from karat.text.fold import fold
from karat.text.polarity import is_negated

_ALONE = re.compile(
    r"\W*(?:it |they )?(?:an? |has |have |had )?(?:(?P<up>increas\w*|rose|rise|risen|grew|grow(?:th|n)?|up|gain(?:ed)?|higher)|(?P<down>decreas\w*|fell|fall(?:en)?|drop(?:ped)?|declin\w*|down|lower|shrank))\W*",
    re.IGNORECASE,
)
_LONGEST = 300


def tell_direction(references: tuple[str, ...], answer: str) -> bool | None:
    """Tell whether an answer goes the way that every reference names in a word; None where they name none, or it goes both ways or denies one."""
    found = [_ALONE.fullmatch(reference) for reference in references]
    ways = {each["up"] is not None for each in found if each}
    if None in found or len(ways) != 1 or len(answer) > _LONGEST or is_negated(answer):
        return None
    text = fold(answer)
    rises, falls = RISES.search(text) is not None, FALLS.search(text) is not None
    return None if rises == falls else rises is ways.pop()
