"""Names in different forms: names inside longer names, numbered things, rulers and people."""

import re
from collections.abc import Sequence
from fractions import Fraction

from msgspec import Struct

from karat.text.lexicon import ROMAN_NUMERALS, SMALL_NUMBERS, any_case, asks_person, word_set
from karat.text.values.numbers import ORDINAL_WORDS, read_digits, read_number_words, read_ordinal

_PLACE_BEFORE = word_set(
    "New North South East West Northern Southern Eastern Western Upper Lower Great Greater Little San Santa Saint St Los Las El "
    "Fort Port Mount Cape"
)
_NAME_PREFIXES = word_set(
    "vice deputy assistant acting former ex step half grand anti non pre post pseudo quasi fake mini co sub under counter semi"
)
_AFTERNAME_WORDS = word_set(
    "is was are were be been being has have had does did do in on at of to for from by with as and that which who whom "
    "whose when where while because since during after before until also then so it its he she they this these those "
    "can will would should may must if not only into onto about around between among through under over per via "
    "located born founded released published made based known called named plus including there here"
)
_NAME_SUFFIXES = frozenset(("jr", "sr", *ROMAN_NUMERALS[:16]))
_SHORT_ANSWER = 8
_BESIDE = word_set("near outside beside opposite like unlike alongside behind versus toward towards")
_AWAY = any_case(
    r"\b(?:north|south|east|west|outside|similar|close|next|related|opposite|adjacent|prior|compared|due|republic)[ ](?:of|to)$"
)
_RELATION_LINKS = word_set("of to from with for taught beat met married against over under than")
_COPULAS = word_set("is was are were be been has had did does")
# "The city of Paris" is Paris; "the mayor of Paris" is not.
KIND_WORDS = word_set(
    "city town village state province kingdom island county country land type kind form name god king queen lot piece made"
)


def is_only_related(forms: tuple[str, ...], start: int, end: int, ours: frozenset[str]) -> bool:
    """Return whether an answer names something that stands in a relation to the mention, not the mention itself."""
    before = forms[:start]
    if not before:
        return False
    if before[-1] in _BESIDE - ours or _AWAY.search(" ".join(before[-2:])):
        return True
    if len(forms) > _SHORT_ANSWER or not _COPULAS.isdisjoint(forms) or len(before) < 2:  # noqa: PLR2004  # a head and its link
        return False
    return before[-1] in _RELATION_LINKS and before[-2] not in KIND_WORDS | ours and end == len(forms)


def is_part_of_name(
    before: str, after: str, gap_before: str, gap_after: str, *, count: int, ours: frozenset[str]
) -> bool:
    """Return whether a mention may be a piece of a different name, by its neighbours in the answer.

    `before` and `after` are the neighbouring words as written, `gap_*` what separates them from the mention, `count`
    the words of the answer and `ours` the words that the question already used.
    """
    if (
        gap_before in (" ", "-")
        and before.lower() not in ours
        and (before in _PLACE_BEFORE or before.lower() in _NAME_PREFIXES)
    ):
        return True
    if not after or gap_after not in (" ", "-") or after.lower() in ours:
        return False
    if after.lower() in _NAME_SUFFIXES or (after[:1].isupper() and after.lower() not in _AFTERNAME_WORDS):
        return True
    return count <= _SHORT_ANSWER and after.lower() not in _AFTERNAME_WORDS and after[:1].isalpha()


# Phrases that differ in their numbers: "season six" is "Season 6", "Henry V" is not "Henry VI".

# "X" alone is a letter more often than a ten.
_ROMAN_WORDS = {word: value for value, word in enumerate(ROMAN_NUMERALS, 1) if word != "x"}


_VERSIONED = word_set(
    "version v release python java php ruby perl node go rust ios macos android windows ubuntu debian fedora firmware django react angular postgresql mysql section chapter article figure table clause paragraph"
)
"""What has versions or sections, whose parts are no decimals."""


class _Count(Struct, frozen=True):
    value: Fraction
    ordinal: bool | None
    """Whether it is a place in an order; Roman numbers may be."""


def compare_numbered(one: Sequence[str], other: Sequence[str]) -> bool | None:
    """Return whether two phrases that differ in their numbers alone have the same ones; None where they differ otherwise, or not at all."""
    if len(one) != len(other):
        return None
    apart = [place for place, word in enumerate(one) if word != other[place]]
    if not apart or len(apart) == len(one):  # a number alone is a quantity
        return None
    found = list[bool]()
    for place in apart:
        if not _VERSIONED.isdisjoint(one[:place]) and _are_sections(one[place], other[place]):
            found.append(False)
            continue
        ours, theirs = _read_count(one, place), _read_count(other, place)
        if ours is None or theirs is None or {ours.ordinal, theirs.ordinal} == {True, False}:
            return None
        found.append(ours.value == theirs.value)
    return all(found)


def _are_sections(one: str, other: str) -> bool:
    """Return whether two numbers in a name are different parts of one whole: version 3.10 is not version 3.1."""
    (first, dot, part), (second, stop, piece) = one.partition("."), other.partition(".")
    return bool(dot and stop) and first == second and part != piece and part.isdigit() and piece.isdigit()


def _read_count(words: Sequence[str], place: int) -> _Count | None:
    """Return the value of a number of one word; "no one" is none."""
    word = words[place]
    if word in _ROMAN_WORDS:
        return _Count(Fraction(_ROMAN_WORDS[word]), None)
    if word == "one" and place and words[place - 1] == "no":
        return None
    number = read_digits(word) or read_number_words(word) or read_ordinal(word)
    return None if number is None else _Count(number.value, number.ordinal)


# Numbered things: "the eighth season" is "Season 8".

_NUMBERED_NOUNS = "season|series|chapter|article|amendment|quarter|grade|round|volume|edition|floor|week|episode|act|scene|level|phase|stage|verse"
_COUNT_WORDS = "|".join(SMALL_NUMBERS[1:21])
_ORDINAL = rf"\d{{1,3}}(?:st|nd|rd|th)|{ORDINAL_WORDS}"
# "Season I" counts only at the end: "the season I liked" has no number.
_ROMAN_PATTERN = (
    r"i(?=\s*(?:[.,;:!?)]|$))|ii|iii|iv|vi{0,3}|ix|xi{0,3}|xiv|xvi{0,3}|xix|xxi{0,3}|xxiv|xxvi{0,2}"
)
_NUMBERED_THING = re.compile(
    rf"(?<![\w-])(?:the\s)?(?:(?P<noun>{_NUMBERED_NOUNS})\s(?:no\.?\s|number\s)?(?P<count>\d{{1,3}}(?![\d.,]\d|\w)|(?:{_COUNT_WORDS})\b|(?:{_ROMAN_PATTERN})\b)|(?P<place>{_ORDINAL})\s(?P<placed>{_NUMBERED_NOUNS})\b)(?!-|\s(?:{_COUNT_WORDS}|hundred|thousand)\b)",
    re.IGNORECASE | re.ASCII,
)
_ORDINAL_ALONE = re.compile(rf"\W*(?:the\s+)?(?P<place>{_ORDINAL})\W*", re.IGNORECASE | re.ASCII)
_ASKS_NUMBERED = any_case(
    rf"\b(?:what|which)\s(?:is (?:the )?(?:final|last|latest) )?(?P<noun>{_NUMBERED_NOUNS})\b"
)


def respell_counted(reference: str, answer: str, question: str) -> str:
    """Return the answer with numbered things written as the reference writes them: "the eighth season" becomes "Season 8". An ordinal alone counts the thing that the question asks for."""
    wanted = _NUMBERED_THING.fullmatch(reference.strip(" ."))
    alone = _ORDINAL_ALONE.fullmatch(reference)
    if wanted is None and alone is None:
        return answer
    noun = _name_thing(wanted) if wanted else _find_asked_noun(question)
    if noun is None:
        return answer
    value = _value_of_thing(wanted) if wanted else _read_place(alone["place"] if alone else "")
    bare = _ORDINAL_ALONE.fullmatch(answer)
    if wanted and bare and _find_asked_noun(question) == noun:
        return reference if _read_place(bare["place"]) == value else answer

    def write(found: re.Match[str]) -> str:
        number = _value_of_thing(found)
        if number is None or _name_thing(found) != noun:
            return found[0]
        if number == value:
            return reference.strip(" .")
        ordinal = alone is not None or (wanted is not None and wanted["place"] is not None)
        return f"{number}{_ordinal_ending(number)} {noun}" if ordinal else f"{noun} {number}"

    return _NUMBERED_THING.sub(write, answer)


def _name_thing(found: re.Match[str]) -> str:
    return (found["noun"] or found["placed"]).lower()


def _value_of_thing(found: re.Match[str]) -> int | None:
    return _read_place(found["place"] or found["count"])


def _read_place(text: str) -> int | None:
    """Return the value of a number in digits, words or Roman letters, or of a place in an order."""
    number = read_digits(text) or read_number_words(text) or read_ordinal(text)
    if number is not None:
        return int(number.value)
    return _read_roman(text.upper()) if _ROMAN_LETTERS.keys() >= set(text.upper()) else None


def _find_asked_noun(question: str) -> str | None:
    """Return the noun of a numbered thing that a question asks for, as in "which season"."""
    asked = _ASKS_NUMBERED.search(question)
    return asked["noun"].lower() if asked else None


def _ordinal_ending(number: int) -> str:
    if 10 <= number % 100 <= 20:  # noqa: PLR2004 - eleventh to thirteenth
        return "th"
    return {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")


# Rulers: "James the First" is "James I", and "Henry VII" is not "Henry VIII".

_ROMAN_LETTERS = {"I": 1, "V": 5, "X": 10, "L": 50}
# "Henry I think" is no Henry the First.
_REGNAL_ROMAN = r"(?=[IVXL])(?:XL|L?X{0,3})(?:IX|IV|V?I{0,3})(?!\w|['’](?!s\b)|(?<=\sI)\s+(?:think|guess|believe|suppose|mean|am|was|would|know|say))"
_REGNAL_NAME = re.compile(rf"(?<![\w'’-])(?P<name>[A-Z][\w'’-]+)\s(?P<roman>{_REGNAL_ROMAN})")
_SEVERAL_REALMS = re.compile(rf"\s(?:{_REGNAL_ROMAN})(?:\sof\s[A-Z]|\s(?:and|&)\s(?:{_REGNAL_ROMAN}))")
_ANY_ORDINAL = re.compile(rf"\b(?:\d{{1,2}}(?:st|nd|rd|th)?|(?i:{ORDINAL_WORDS}))\b")


def respell_regnal(reference: str, answer: str) -> str:
    """Return the answer with the reference's ruler written as there: "James the First" becomes "James I"."""
    wanted = _REGNAL_NAME.search(reference)
    if wanted is None or wanted["name"] not in answer:
        return answer

    def write(found: re.Match[str]) -> str:
        same = _read_place(found["place"]) == _read_roman(wanted["roman"])
        return f"{wanted['name']} {wanted['roman']}" if same else found[0]

    return _build_ordinal_pattern(wanted["name"]).sub(write, answer)


def has_other_regnal_number(reference: str, answer: str) -> bool:
    """Return whether an answer has the ruler's name of the reference only with other numbers; False where the reference names several, or the ruler has numbers in several realms."""
    several = list(_REGNAL_NAME.finditer(reference))
    if len(several) != 1 or several[0]["name"] not in answer:
        return False
    name, value = several[0]["name"], _read_roman(several[0]["roman"])
    given = [
        *(_read_roman(found["roman"]) for found in _REGNAL_NAME.finditer(answer) if found["name"] == name),
        *(_read_place(found["place"]) for found in _build_ordinal_pattern(name).finditer(answer)),
    ]
    if not given or None in given or value in given or _SEVERAL_REALMS.search(answer):
        return False
    return not any(_read_place(found[0]) == value for found in _ANY_ORDINAL.finditer(answer))


def _build_ordinal_pattern(name: str) -> re.Pattern[str]:
    return re.compile(
        rf"(?<![\w'’-]){re.escape(name)},?\s(?:the\s)?(?P<place>\d{{1,2}}(?:st|nd|rd|th)|(?i:{ORDINAL_WORDS}))(?!\w|\s(?!of\b)[A-Za-z]*(?:year|time|term|season|day|son|daughter|child|wife|king|president)\b)"
    )


def _read_roman(text: str) -> int:
    values = [_ROMAN_LETTERS[letter] for letter in text]
    return sum(-one if one < max(values[at:]) else one for at, one in enumerate(values))


# People: "Bobby Kennedy" is "Robert Kennedy", "R. B. Bennett" the whole name.

NAME_WORD = re.compile(r"[A-Z][\w'’-]*\.?")
_NAME_COUNTS = range(2, 6)
_INITIALS = 3
_GIVEN_REACH = 60
# Up to four names before the last one, each closed by a blank or a point.
_GIVEN_NAMES = re.compile(r"(?<![\w'’.-])(?:[A-Z][\w'’-]{0,30}(?:\.\s?|\s)){1,4}$")
_PERSON_TITLES = word_set(
    "sir dame lord lady dr mr mrs ms miss president king queen prince princess saint st general captain professor prof pope"
)
_NAME_ENDINGS = word_set("jr sr ii iii iv")
_NOT_PERSON_WORDS = word_set(
    "party league club university company corporation street road avenue river lake mountain mountains mount island islands city county state states kingdom republic bank school college church "
    "museum park hall team band cup prize award act war battle the of and north south east west new los las san santa house bridge castle palace tower airport station sea ocean bay"
)
# A short form and what it is short for.
_NICKNAMES = """
abe abraham; al albert alan alfred; alex alexander; andy andrew; art arthur; barney barnaby bernard; bart bartholomew; becky rebecca; ben benjamin; bert albert herbert robert; beth elizabeth; betty elizabeth;
bill william; billy william; bob robert; bobby robert; brad bradley; cathy catherine; charlie charles; chris christopher; chuck charles; cindy cynthia; dan daniel; danny daniel; dave david; deb deborah; debbie deborah;
dick richard; don donald; doug douglas; drew andrew; ed edward edwin; eddie edward edwin; fred frederick alfred; freddie frederick; gabe gabriel; gene eugene; gerry gerald; greg gregory; gus augustus; hal harold henry; hank henry; harry harold henry;
jack john; jackie jacqueline; jake jacob; jeff jeffrey geoffrey; jen jennifer; jenny jennifer; jerry gerald jerome; jess jessica; jim james; jimmy james; joe joseph; joey joseph; johnny john; jon jonathan; josh joshua; kate katherine catherine; kathy katherine;
ken kenneth; kenny kenneth; larry lawrence laurence; len leonard; lenny leonard; leo leonard; liz elizabeth; lizzie elizabeth; lou louis; maggie margaret; matt matthew; max maximilian; meg margaret; mel melvin; mickey michael; mike michael; mitch mitchell;
nate nathan nathaniel; ned edward; nick nicholas; pam pamela; pat patrick; peggy margaret; pete peter; phil philip phillip; ray raymond; reggie reginald; rich richard; rick richard; ricky richard; rob robert; robbie robert; ron ronald; ronnie ronald;
sam samuel; stan stanley; steve stephen steven; stevie stephen; sue susan; susie susan; ted edward theodore; teddy theodore edward; terry terence; theo theodore; tim timothy; tina christina; toby tobias; tom thomas; tommy thomas;
tony anthony; vicky victoria; vince vincent; wally walter; walt walter; wes wesley; will william; willie william; zach zachary
"""
_FULL_NAMES = {
    short: frozenset(names) for short, *names in (entry.split() for entry in _NICKNAMES.split(";"))
}


def respell_people(reference: str, answer: str, question: str) -> str:
    """Return the answer with the reference's person written as there, where the last name and all first names match, also as short forms or initials."""
    names = _read_person(reference)
    if names is None or names[-1] not in answer:
        return answer
    *first, last = names
    wanted, changed = _split_names(" ".join(first)), answer
    asked = not question or asks_person(question)
    for found in reversed(
        list(re.finditer(rf"(?<=[\s.]){re.escape(last)}(?![\w'’]|-\w|\s(?:Jr|Sr|I{{2,3}}|IV)\b)", answer))
    ):
        start = _find_given_start(answer, found.start(), wanted, asked=asked)
        if start is not None:
            changed = f"{changed[:start]}{reference.strip(' .')}{changed[found.end() :]}"
    return changed


def _find_given_start(answer: str, end: int, wanted: list[str], *, asked: bool) -> int | None:
    """Return where the first names before a last name begin, if they match the wanted ones.

    Initials always match; short forms match only where a person is asked for and nothing but a title comes before them.
    """
    before = _GIVEN_NAMES.search(answer, max(0, end - _GIVEN_REACH), end)
    if before is None:
        return None
    given, start = list[str](), before.end()
    parts = list(re.finditer(r"[A-Z][\w'’-]*", before[0]))
    while parts and len(given) < len(wanted):
        part = parts.pop()
        given = _split_names(part[0]) + given
        start = before.start() + part.start()
    if len(given) != len(wanted) or not all(map(_is_same_first_name, given, wanted)):
        return None
    if all(len(name) == 1 for name in given):
        return start
    return start if asked and all(part[0].lower() in _PERSON_TITLES for part in parts) else None


def _read_person(reference: str) -> list[str] | None:
    """Return first, middle and last names where a text is a person's name."""
    names = reference.strip(" .").split()
    while names and names[0].lower().strip(".") in _PERSON_TITLES:
        names = names[1:]
    if len(names) not in _NAME_COUNTS or not all(map(NAME_WORD.fullmatch, names)):
        return None
    lowered = {name.lower().strip(".") for name in names}
    return names if _NOT_PERSON_WORDS.isdisjoint(lowered) and _NAME_ENDINGS.isdisjoint(lowered) else None


def _split_names(names: str) -> list[str]:
    """Return names and initials one by one; "AG" is two of them."""
    return [
        part
        for name in re.findall(r"[A-Z][\w'’-]*", names)
        for part in (name if name.isupper() and len(name) <= _INITIALS else [name])
    ]


def _is_same_first_name(given: str, wanted: str) -> bool:
    """Return whether one first name is the other, its short form, or its initial."""
    one, other = given.lower().strip("."), wanted.lower().strip(".")
    if one == other or other in _FULL_NAMES.get(one, ()) or one in _FULL_NAMES.get(other, ()):
        return True
    return 1 in (len(one), len(other)) and one[0] == other[0]
