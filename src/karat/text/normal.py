"""Clean, fold, normalise and stem text; find the words of an answer and where a phrase stands among them."""

import re
import unicodedata
from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Literal, TypeAlias, TypeVar

from msgspec import Struct

from karat.text.lexicon import CHOICE_WORDS, TURN_WORDS, any_case, word_set

_IGNORABLE = (
    "\u00ad\u034f\u0600-\u0605\u061c\u06dd\u070f\u0890\u0891\u08e2\u115f\u1160\u17b4\u17b5\u180b-\u180f"
    "\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb"
    "\U000110bd\U000110cd\U00013430-\U0001343f\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff"
)
_CONTROLS = "\x00-\x08\x0e-\x1f\x7f-\x84\x86-\x9f"
# A lone surrogate cannot be written as UTF-8: it shows nothing and breaks whoever sends it on.
_INVISIBLE = re.compile(f"[{_CONTROLS}{_IGNORABLE}\ud800-\udfff]+")
_LINE_BREAK = re.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SUSPECT = re.compile(f"[\x0b-\r\x85\u2028\u2029{_CONTROLS}{_IGNORABLE}\ud800-\udfff]")
_SUSPECT_ASCII = re.compile("[\x00-\x08\x0b-\x1f\x7f]")


def strip_invisible(text: str) -> str:
    """Remove characters that show nothing, and make every line break a newline."""
    if text.isascii():
        if text.isprintable() or _SUSPECT_ASCII.search(text) is None:
            return text
    elif _SUSPECT.search(text) is None:
        return text
    return _LINE_BREAK.sub("\n", _INVISIBLE.sub("", text))


def clean(text: str) -> str:
    """Remove invisible characters and bring equivalent characters to one form (NFKC)."""
    visible = strip_invisible(text)
    if visible.isascii():
        return visible
    return unicodedata.normalize("NFKC", visible)


# Folding: letters and signs in one plain form, case kept.

_SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_VULGAR = re.compile("[¼-¾⅐-⅞↉]")
_MARKS = re.compile("[™℠®©]")
_SPELLED_OUT = re.compile("[⁰¹²³⁴⁵⁶⁷⁸⁹¼-¾⅐-⅞↉™℠®©]")
_BEYOND_ASCII = re.compile(r"[^\x00-\x7f]+")
_PLAIN_SIGNS = (
    dict.fromkeys("‐‑‒–—―−﹣－", "-") | dict.fromkeys("‘’‚‛′ʼʹ＇", "'") | {"\u2044": "/", "•": " | "}
)
LONGEST_TEXT = 4000
"""The longest text, in characters, that most rules read and that caches keep."""
_ResultT = TypeVar("_ResultT")


def remember_short(
    texts: int, longest: int = LONGEST_TEXT
) -> Callable[[Callable[[str], _ResultT]], Callable[[str], _ResultT]]:
    """Cache a function of one text, except for long texts: several rules read the same text."""

    def decorate(read: Callable[[str], _ResultT]) -> Callable[[str], _ResultT]:
        known = lru_cache(maxsize=texts)(read)

        @wraps(read)
        def look_up(text: str) -> _ResultT:
            return known(text) if len(text) <= longest else read(text)

        return look_up

    return decorate


@remember_short(1024, 2000)
def fold(text: str) -> str:
    """Return the text in NFKC with Latin accents off, dashes and quotes plain, and other punctuation as spaces."""
    visible = strip_invisible(text)
    if visible.isascii():
        return visible
    if _SPELLED_OUT.search(visible) is not None:
        visible = _SUPERSCRIPT.sub(_spell_superscript, _VULGAR.sub(r" \g<0>", _MARKS.sub(" ", visible)))
    return _BEYOND_ASCII.sub(
        lambda run: "".join(map(_fold_character, run[0])), unicodedata.normalize("NFKC", visible)
    )


def _spell_superscript(match: re.Match[str]) -> str:
    return "^" + unicodedata.normalize("NFKC", match[0]).replace("\u2212", "-")


@lru_cache(maxsize=8192)
def _fold_character(character: str) -> str:
    if character in _PLAIN_SIGNS:
        return _PLAIN_SIGNS[character]
    kind = unicodedata.category(character)
    if kind[0] == "L":
        return _fold_letter(character)
    if kind[0] in "PZC" or "\u0300" <= character <= "\u036f":
        return "" if kind == "Mn" else " "
    return f" {character} " if kind[0] == "S" else character


def _fold_letter(letter: str) -> str:
    """Spell a Latin letter in ASCII; leave every other script alone."""
    if not unicodedata.name(letter, "").startswith("LATIN"):
        return letter
    from anyascii import anyascii  # loads tables that plain ASCII text never needs

    spelled = anyascii(letter)
    return spelled if spelled.isalpha() else letter


# The comparison form.

_LETTER = r"a-zA-Z\x80-\U0010ffff"
_TOKEN = re.compile(
    rf"""
      [{_LETTER}][{_LETTER}\d]*(?:_[{_LETTER}\d]+)*(?:\+{{1,2}}(?!\w)|\#(?!\w))?   # a word; C++, C#, A+
    | (?:(?<![\w.)\]%-])-)?\d+(?:[.,:/-]\d+)*[{_LETTER}]*                      # a number, with its minus sign
    | (?<=\d)[ ]-[ ](?=\d)                                                     # a subtraction
    | [$%<>=+^&]
    | (?<=[^\W_])\*(?=[^\W_]) | (?<=[^\W_])[ ]\*[ ](?=[^\W_])                                # a product, not emphasis
    """,
    re.VERBOSE,
)
# The lookbehinds follow a literal character, by which a search finds its places fast.
_BLOOD = any_case(r"(?<![\w])(ab|[a-z])-(?![\w-])")
_OPEN_DASH = re.compile(r"-(?![\w-])")
_POINT = re.compile(r"\.(?<![\w.]\.)(?=\d)")
_GROUP = re.compile(r",\d{3}")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])")
_INITIAL = re.compile(r"\.(?<=[a-zA-Z]\.)(?<![a-zA-Z\d][a-zA-Z]\.)\s?(?=[a-zA-Z](?![a-zA-Z\d']))")
_APOSTROPHE = re.compile(r"['`](?<!\d.)")
_SPELLINGS = {"&": "and", "percent": "%", "pct": "%", " - ": "-", " * ": "*"}
_DROPPED = frozenset({"the", "an"})
_ARTICLES = _DROPPED | {"a"}
# After these words a lone "a" is a name, not an article: vitamin A, hepatitis A, plan A.
_LABELLED = word_set(
    "vitamin hepatitis influenza type group class grade plan team side option answer choice point section part "
    "appendix category level model series list schedule table figure exhibit serie blood title"
)


class Token(Struct, frozen=True, gc=False):
    """A word of the comparison form and where it stands in the folded text."""

    form: str
    start: int
    end: int


@remember_short(4096, 2000)
def normalise(text: str) -> str:
    """Return the comparison form: case, accents, punctuation and articles do not count; values and signs do."""
    found: list[str] = _TOKEN.findall(_lower(smooth(fold(text))))
    forms = [_SPELLINGS.get(form, form) for form in found]
    if not forms:
        cleaned = clean(text)  # signs alone stay as they are where NFKC would turn them into letters
        return " ".join((strip_invisible(text) if any(map(str.isalnum, cleaned)) else cleaned).split())
    return " ".join(
        forms if _ARTICLES.isdisjoint(forms) else [forms[place] for place in _keep_without_articles(forms)]
    )


def smooth(folded: str) -> str:
    """Remove separators inside thousands and initials, and apostrophes."""
    if _GROUP.search(folded):
        folded = _THOUSANDS.sub(lambda match: match[0].replace(",", ""), folded)
    if "." in folded:
        folded = _POINT.sub("0.", _INITIAL.sub("", folded))
    if _OPEN_DASH.search(folded):
        folded = _BLOOD.sub(r"\1_minus", folded)
    return _APOSTROPHE.sub("", folded) if "'" in folded or "`" in folded else folded


def tokenise(smoothed: str) -> list[Token]:
    """Return the words of `normalise` with their places in folded and smoothed text."""
    found = [
        Token(_SPELLINGS.get(form := _lower(match[0]), form), *match.span())
        for match in _TOKEN.finditer(smoothed)
    ]
    kept = _keep_without_articles([token.form for token in found])
    return [found[place] for place in kept]


def _lower(text: str) -> str:
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text.casefold())


def _keep_without_articles(forms: list[str]) -> list[int]:
    if _ARTICLES.isdisjoint(forms):
        return list(range(len(forms)))
    # A factor is no article: without it the sign of its product would stand alone.
    places = [
        place
        for place, form in enumerate(forms)
        if form not in _DROPPED or "*" in (forms[place - 1] if place else "", *forms[place + 1 : place + 2])
    ]
    if not places:
        return list(range(len(forms)))
    if "a" not in forms:
        return places
    kept = list[int]()
    for place in places:
        if forms[place] != "a" or _is_letter_name(
            _find_next_word(forms, place), forms[kept[-1]] if kept else ""
        ):
            kept.append(place)
    return kept


def _find_next_word(forms: list[str], place: int) -> str:
    """Return the next word that is no "the" or "an"; a sign stands for the end."""
    return next((forms[each] for each in range(place + 1, len(forms)) if forms[each] not in _DROPPED), "+")


def _is_letter_name(following: str, before: str) -> bool:
    """Return whether an "a" is a name: at the end, before a sign, or after a word that takes a letter."""
    return not following[0].isalnum() or before in _LABELLED


# Sentences and clauses.

SENTENCE_END = re.compile(r"[.!?;…](?=\s)|[\n。！？；]")
CLAUSE_END = re.compile(rf"{SENTENCE_END.pattern}|[:,](?=\s)|[：，、]")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text; lines and what a semicolon ends count as such."""
    return [part for part in map(str.strip, SENTENCE_END.split(text)) if part]


def split_clauses(text: str) -> list[str]:
    """Return the parts of a text between sentence ends, colons and commas."""
    return [part for part in map(str.strip, CLAUSE_END.split(text)) if part]


# The stemmer: "was written by" and "who wrote" share a stem.

_IRREGULAR_FORMS = """
write wrote written author; sing sang sung song; win won winner; make made; build built; hold held; lead led; find found; give gave given; take took taken; speak spoke spoken;
begin began begun; grow grew grown; draw drew drawn; know knew known; throw threw thrown; fly flew flown; see saw seen; say said; tell told; sell sold; buy bought;
bring brought; teach taught; catch caught; fight fought; think thought; seek sought; lose lost; leave left; keep kept; sleep slept; feel felt; meet met; mean meant;
send sent; spend spent; lend lent; bend bent; break broke broken; choose chose chosen; steal stole stolen; wear wore worn; swear swore sworn; bear bore borne born;
drive drove driven; ride rode ridden; rise rose risen; shoot shot; fall fell fallen; eat ate eaten; beat beaten; hide hid hidden; bite bit bitten; swim swam swum;
run ran; come came; become became; drink drank drunk; sink sank sunk; ring rang rung; shrink shrank shrunk; spring sprang sprung; stand stood; understand understood;
hear heard; lay laid; lie lain; pay paid; strike struck; stick stuck; dig dug; hang hung; swing swung; spin spun; bind bound; wind wound; get got gotten; forget forgot
forgotten; go went gone; do did done; freeze froze frozen; wake woke woken; slay slew slain; breed bred; feed fed; bleed bled; shine shone; light lit; live life; die
died dies dying dead death; high height tall; long length; deep depth; wide width; heavy weight weigh weighs weighed; old age aged; far distance; marry married; bury buried; carry carried; study studied
"""
_BASES = {
    form: forms[0]
    for forms in (line.split() for line in _IRREGULAR_FORMS.replace("\n", " ").split(";"))
    for form in forms
}

_ENDINGS = (("ing", "ed", "es", "s"), ("er", "or"), ("e",))
_SHORTEST_STEM = 3


@lru_cache(maxsize=16384)
def stem_of(form: str) -> str:
    """Return the stem of a word; forms of an irregular verb have one stem: wrote, written, writer."""
    bare = _BASES.get(form, form)
    for endings in _ENDINGS:
        fitting = (
            each for each in endings if bare.endswith(each) and len(bare) - len(each) >= _SHORTEST_STEM
        )
        bare = bare.removesuffix(next(fitting, ""))
    return bare


# Checks on text that is cut off.


def is_blank(text: str) -> bool:
    """Return whether a text has neither a letter nor a digit."""
    return not any(map(str.isalnum, text))


def loses_reference(references: tuple[str, ...], whole: str, cut: str) -> bool:
    """Return whether the cut text is blank, or lacks a reference that the whole text names."""
    if is_blank(cut):
        return True
    after = f" {normalise(cut)} "
    forms = [f" {normalise(reference)} " for reference in references]
    if any(form in after for form in forms):
        return False
    before = f" {normalise(whole)} "
    return any(form in before for form in forms)


_LEADING_ARTICLE = any_case(r"^the\s+")
_ANSWER_LEAD = re.compile(
    r"^(?:(?:final |correct |my |short )*answer (?:is |would be )?|it is |its |it was |that is |thats |this is |they are )+"
)


def strip_article(text: str) -> str:
    """Return a text without the article that it begins with."""
    return _LEADING_ARTICLE.sub("", text)


def strip_announcement(form: str) -> str:
    """Return a comparison form without the words that announce an answer."""
    return _ANSWER_LEAD.sub("", form)


class Words(Struct, frozen=True):
    """An answer with its words: `forms` in order, `padded` joined between blanks, `known` as a set."""

    text: str
    tokens: tuple[Token, ...]
    forms: tuple[str, ...]
    padded: str
    known: frozenset[str]

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return where in the text some words begin and end."""
        return self.tokens[start].start, self.tokens[end - 1].end


@remember_short(256)
def read_words(text: str) -> Words:
    """Return the words of an answer with their places."""
    smoothed = smooth(fold(text))
    tokens = tuple(tokenise(smoothed))
    forms = tuple([token.form for token in tokens])
    return Words(smoothed, tokens, forms, f" {' '.join(forms)} ", frozenset(forms))


def find_mentions(words: tuple[str, ...], answer: Words) -> list[int]:
    """Return the places at which these words stand in an answer."""
    found, wanted, place, last = list[int](), f" {' '.join(words)} ", 0, 0
    while (start := answer.padded.find(wanted, last + bool(found))) >= 0:
        place += answer.padded.count(" ", last, start)
        found.append(place)
        last = start
    return found


Connective: TypeAlias = Literal["choice", "turn", "plain"]
_IF_NOT_REACH = 4


def classify_connective(answer: Words, place: int) -> Connective:
    """Return whether a word offers a choice, turns to another answer, or neither; "May" is a month, and "if" alone offers nothing."""
    form = answer.forms[place]
    if form == "if":
        return "choice" if "not" in answer.forms[place + 1 : place + _IF_NOT_REACH] else "plain"
    if form == "may" and answer.text[answer.tokens[place].start] == "M":
        return "plain"
    return "choice" if form in CHOICE_WORDS else "turn" if form in TURN_WORDS else "plain"
