"""Names of people in another form: "Bobby Kennedy" beside "Robert Kennedy", "Marie Brown" beside "Marie Van Brittan Brown", "R. B. Bennett" beside the whole name."""

import re

from karat.text.vocabulary import list_words

_NAME = re.compile(r"[A-Z][\w'’-]*\.?")
_NAMES = range(2, 6)
_INITIALS = 3
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
abe abraham; al albert alan alfred; alex alexander alexandra; andy andrew; art arthur; barney barnaby bernard; bart bartholomew; becky rebecca; ben benjamin; bert albert herbert robert; beth elizabeth; betty elizabeth;
bill william; billy william; bob robert; bobby robert; brad bradley; cathy catherine; charlie charles; chris christopher christine; chuck charles; cindy cynthia; dan daniel; danny daniel; dave david; deb deborah; debbie deborah;
dick richard; don donald; doug douglas; drew andrew; ed edward edwin; eddie edward edwin; fred frederick alfred; freddie frederick; gabe gabriel; gene eugene; gerry gerald; greg gregory; gus augustus; hal harold henry; hank henry; harry harold henry;
jack john; jackie jacqueline; jake jacob; jeff jeffrey geoffrey; jen jennifer; jenny jennifer; jerry gerald jerome; jess jessica; jim james; jimmy james; joe joseph; joey joseph; johnny john; jon jonathan; josh joshua; kate katherine catherine; kathy katherine;
ken kenneth; kenny kenneth; larry lawrence laurence; len leonard; lenny leonard; leo leonard; liz elizabeth; lizzie elizabeth; lou louis; maggie margaret; matt matthew; max maximilian; meg margaret; mel melvin; mick michael; mickey michael; mike michael; mitch mitchell;
molly mary; nate nathan nathaniel; ned edward; nick nicholas; pam pamela; pat patrick patricia; peggy margaret; pete peter; phil philip phillip; ray raymond; reggie reginald; rich richard; rick richard; ricky richard; rob robert; robbie robert; ron ronald; ronnie ronald;
sam samuel samantha; sandy alexander sandra; stan stanley; steve stephen steven; stevie stephen; sue susan; susie susan; ted edward theodore; teddy theodore edward; terry terence; theo theodore; tim timothy; tina christina; toby tobias; tom thomas; tommy thomas;
tony anthony; vicky victoria; vince vincent; wally walter; walt walter; wes wesley; will william; willie william; zach zachary
"""
_LONG = {short: frozenset(names) for short, *names in (entry.split() for entry in _SHORT.split(";"))}


def respell_people(reference: str, answer: str) -> str:
    """Return the answer with the person whom the reference names called as there, where first and last name are the same."""
    names = _read_person(reference)
    if names is None:
        return answer
    *given, last = names
    wanted = _split(" ".join(given))

    def write(found: re.Match[str]) -> str:
        return reference.strip(" .") if _is_called(_split(found["given"]), wanted) else found[0]

    pattern = rf"(?<![\w'’.-])(?P<given>(?:[A-Z][\w'’-]*\.?\s?){{1,4}}?)(?<=[\s.]){re.escape(last)}(?![\w'’]|-\w|\s(?:Jr|Sr|I{{2,3}}|IV)\b)"
    return re.sub(pattern, write, answer)


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


def _is_called(given: list[str], wanted: list[str]) -> bool:
    """Tell whether first names are the same or short for each other, and middle names too, unless they are left out."""
    if not given or not _is_first(given[0], wanted[0]):
        return False
    if len(given) == 1:
        return len(wanted) == 1 or len(given[0]) > 1
    return len(given) == len(wanted) and all(map(_is_first, given[1:], wanted[1:]))


def _is_first(given: str, wanted: str) -> bool:
    """Tell whether one first name is the other, its short form, or its initial."""
    one, other = given.lower().strip("."), wanted.lower().strip(".")
    if one == other or other in _LONG.get(one, ()) or one in _LONG.get(other, ()):
        return True
    return 1 in (len(one), len(other)) and one[0] == other[0]
