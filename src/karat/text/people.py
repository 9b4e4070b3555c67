"""Names of people in another form: "Bobby Kennedy" beside "Robert Kennedy", "R. B. Bennett" beside the whole name.

No first name may be left out: John Adams is not John Quincy Adams.
"""

import re

from karat.text.asked import asks_person
from karat.text.vocabulary import list_words

_NAME = re.compile(r"[A-Z][\w'’-]*\.?")
_NAMES = range(2, 6)
_INITIALS = 3
_REACH = 60
# Up to four names before the last one, each closed by a blank or a point.
_GIVEN = re.compile(r"(?<![\w'’.-])(?:[A-Z][\w'’-]{0,30}(?:\.\s?|\s)){1,4}$")
_TITLES = frozenset(
    list_words(
        "sir dame lord lady dr mr mrs ms miss president king queen prince princess saint st general captain professor prof pope"
    )
)
_ENDINGS = frozenset(list_words("jr sr ii iii iv"))
_GROUPS = frozenset(
    list_words(
        "party league club university company corporation street road avenue river lake mountain mountains mount island islands city county state states kingdom republic bank school college church "
        "museum park hall team band cup prize award act war battle the of and north south east west new los las san santa house bridge castle palace tower airport station sea ocean bay"
    )
)
# A short form and what it is short for.
_SHORT = """
abe abraham; al albert alan alfred; alex alexander; andy andrew; art arthur; barney barnaby bernard; bart bartholomew; becky rebecca; ben benjamin; bert albert herbert robert; beth elizabeth; betty elizabeth;
bill william; billy william; bob robert; bobby robert; brad bradley; cathy catherine; charlie charles; chris christopher; chuck charles; cindy cynthia; dan daniel; danny daniel; dave david; deb deborah; debbie deborah;
dick richard; don donald; doug douglas; drew andrew; ed edward edwin; eddie edward edwin; fred frederick alfred; freddie frederick; gabe gabriel; gene eugene; gerry gerald; greg gregory; gus augustus; hal harold henry; hank henry; harry harold henry;
jack john; jackie jacqueline; jake jacob; jeff jeffrey geoffrey; jen jennifer; jenny jennifer; jerry gerald jerome; jess jessica; jim james; jimmy james; joe joseph; joey joseph; johnny john; jon jonathan; josh joshua; kate katherine catherine; kathy katherine;
ken kenneth; kenny kenneth; larry lawrence laurence; len leonard; lenny leonard; leo leonard; liz elizabeth; lizzie elizabeth; lou louis; maggie margaret; matt matthew; max maximilian; meg margaret; mel melvin; mickey michael; mike michael; mitch mitchell;
nate nathan nathaniel; ned edward; nick nicholas; pam pamela; pat patrick; peggy margaret; pete peter; phil philip phillip; ray raymond; reggie reginald; rich richard; rick richard; ricky richard; rob robert; robbie robert; ron ronald; ronnie ronald;
sam samuel; stan stanley; steve stephen steven; stevie stephen; sue susan; susie susan; ted edward theodore; teddy theodore edward; terry terence; theo theodore; tim timothy; tina christina; toby tobias; tom thomas; tommy thomas;
tony anthony; vicky victoria; vince vincent; wally walter; walt walter; wes wesley; will william; willie william; zach zachary
"""
_LONG = {short: frozenset(names) for short, *names in (entry.split() for entry in _SHORT.split(";"))}


def respell_people(reference: str, answer: str, question: str) -> str:
    """Return the answer with the person whom the reference names called as there, where last name and all first names are the same, in short or by initials."""
    names = _read_person(reference)
    if names is None or names[-1] not in answer:
        return answer
    *first, last = names
    wanted, changed = _split(" ".join(first)), answer
    asked = not question or asks_person(question)
    for found in reversed(
        list(re.finditer(rf"(?<=[\s.]){re.escape(last)}(?![\w'’]|-\w|\s(?:Jr|Sr|I{{2,3}}|IV)\b)", answer))
    ):
        start = _find_start(answer, found.start(), wanted, asked=asked)
        if start is not None:
            changed = f"{changed[:start]}{reference.strip(' .')}{changed[found.end() :]}"
    return changed


def _find_start(answer: str, end: int, wanted: list[str], *, asked: bool) -> int | None:
    """Return where the first names before a last name begin, if they are the wanted ones; initials suffice anywhere, other forms where a person is asked for and nothing but a title stands before them."""
    before = _GIVEN.search(answer, max(0, end - _REACH), end)
    if before is None:
        return None
    given, start = list[str](), before.end()
    parts = list(re.finditer(r"[A-Z][\w'’-]*", before[0]))
    while parts and len(given) < len(wanted):
        part = parts.pop()
        given = _split(part[0]) + given
        start = before.start() + part.start()
    if len(given) != len(wanted) or not all(map(_is_first, given, wanted)):
        return None
    if all(len(name) == 1 for name in given):
        return start
    return start if asked and all(part[0].lower() in _TITLES for part in parts) else None


def _read_person(reference: str) -> list[str] | None:
    """Return first, middle and last names where a text is a person's name."""
    names = reference.strip(" .").split()
    while names and names[0].lower().strip(".") in _TITLES:
        names = names[1:]
    if len(names) not in _NAMES or not all(map(_NAME.fullmatch, names)):
        return None
    lowered = {name.lower().strip(".") for name in names}
    return names if _GROUPS.isdisjoint(lowered) and _ENDINGS.isdisjoint(lowered) else None


def _split(names: str) -> list[str]:
    """Return names and initials one by one; "AG" is two of them."""
    return [
        part
        for name in re.findall(r"[A-Z][\w'’-]*", names)
        for part in (name if name.isupper() and len(name) <= _INITIALS else [name])
    ]


def _is_first(given: str, wanted: str) -> bool:
    """Tell whether one first name is the other, its short form, or its initial."""
    one, other = given.lower().strip("."), wanted.lower().strip(".")
    if one == other or other in _LONG.get(one, ()) or one in _LONG.get(other, ()):
        return True
    return 1 in (len(one), len(other)) and one[0] == other[0]
