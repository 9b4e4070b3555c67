"""Yes and no: the word with which an answer or a reference begins."""

import re
from functools import lru_cache

from karat.text.fold import fold
from karat.text.normalise import normalise
from karat.text.stems import stem_of
from karat.text.vocabulary import list_words

_ASKS = re.compile(
    r"^\W*(?:(?:so|and|but|then|in \w+|as of \w+|according to [^,]{1,60}),?\s+)?(?:is|are|was|were|do|does|did|can|could|will|would|has|have|had|should|may|must|might|am)\b",
    re.IGNORECASE,
)
_ALTERNATIVE = re.compile(
    r"\bor\b|\bwhich\b|\bwhat\b|\bhow\b|\bwhy\b|(?:\band|\bif so|,)\s(?:who|whom|when|where)\b", re.IGNORECASE
)
_NEGATED = re.compile(
    r"\b(?:not|no|never|none|nobody|nothing|cannot|(?:ca|is|are|was|were|do|does|did|wo|would|could|should|must|has|have|had)nt)\b|n't\b",
    re.IGNORECASE,
)
# Behind the question what to do in some case: "Is it healthy, by its quick ratio? If that does not apply, explain why."
_CONDITION = re.compile(
    r"(?<=\?)\s+(?:(?:if|(?:please )?(?:explain|justify))\b[^?]*$|if (?:so|not|yes|no)\b.*$)", re.IGNORECASE
)
POLAR = frozenset({"yes", "no", "true", "false"})
"""The references that are a yes or a no."""
_YES = frozenset(
    {
        "yes",
        "true",
        "yeah",
        "yep",
        "yup",
        "of course",
        "certainly",
        "absolutely",
        "definitely",
        "indeed",
    }
)
_NO = frozenset(
    {
        "no",
        "false",
        "nope",
        "nah",
        "not at all",
        "of course not",
        "certainly not",
        "absolutely not",
        "definitely not",
        "never",
        "incorrect",
    }
)
# "No Time to Die" and "True Grit" say neither; "No. 5" is a number.
_SAYS = re.compile(
    rf"\W*(?P<word>{'|'.join(sorted(_YES | _NO, key=len, reverse=True))})\b(?!\.?\s*\d)\s*(?:[,.;:!]|$|\n| - | — )(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CONCLUDES = re.compile(
    r"(?:^|[\n.,;])[*#_\s]{0,8}(?:in conclusion|conclusion|bottom line|in short|in summary|overall|final answer|so|thus|therefore)\b[*_\s]{0,8}[:,]?[*_\s]{0,8}(?=(?:yes|no)\b)",
    re.IGNORECASE,
)
_TURNS = re.compile(
    r"\b(?:but|however|although|though|yes|no|true|false|maybe|perhaps|depends|not sure|or|unless|except)\b",
    re.IGNORECASE,
)
_TURNS_BACK = re.compile(
    r"\b(?:but|however|although|though|maybe|perhaps|depends|not sure|unless|except|wait|yet|or rather)\b",
    re.IGNORECASE,
)
_ASSURES = re.compile(r"^(?:of course|certainly|indeed|surely|clearly),?\s+", re.IGNORECASE)
_NEGATORS = frozenset(
    list_words(
        "not no never cannot cant isnt arent wasnt werent dont doesnt didnt wont wouldnt couldnt shouldnt mustnt hasnt havent hadnt aint neither"
    )
)
_HELD = frozenset(
    list_words(
        "it he she they this that these those there is are was were do does did has have had the a an indeed"
    )
)
# Each verb that helps others, by itself and with "not" in it.
_HELPERS = {
    form: helper
    for helper, forms in (
        ("do", "do does did dont doesnt didnt"), ("is", "is are am isnt arent"), ("was", "was were wasnt werent"), ("has", "has have hasnt havent"), ("had", "had hadnt"), ("can", "can cannot cant"),
        ("could", "could couldnt"), ("will", "will wont"), ("would", "would wouldnt"), ("should", "should shouldnt"), ("may", "may"), ("must", "must mustnt"), ("might", "might"), ("be", "be been being"),
    )
    for form in list_words(forms)
}  # fmt: skip
_POINTING = frozenset(list_words("it he she they this that these those i you we"))
_SHARING = frozenset(list_words("than and or only both most all every each some any"))
_STOP = re.compile(r"[.!?](?=\s|$)|\n")
_SENTENCE = re.compile(r"[.;!?\n]\s*\S")
_LONGEST = 400


def asks_polar(question: str) -> bool:
    """Tell whether a question wants a yes or a no: one that offers nothing else to choose, and is not negated itself."""
    question = _CONDITION.sub("", question)
    return _ASKS.match(question) is not None and not (
        _ALTERNATIVE.search(question) or _NEGATED.search(question)
    )


@lru_cache(maxsize=16384)
def tell_word(text: str) -> bool | None:
    """Return the yes or no with which a text begins."""
    says = _SAYS.match(fold(text[:_LONGEST]))
    return None if says is None else says["word"].lower() in _YES


def tell_polarity(answer: str) -> bool | None:
    """Return the yes or no with which an answer begins, where what follows does not turn round."""
    says = _SAYS.match(fold(answer)) if len(answer) <= _LONGEST else None
    return None if says is None or _TURNS.search(says["rest"]) else says["word"].lower() in _YES


def is_word_alone(answer: str) -> bool:
    """Tell whether an answer is a yes or a no and nothing else."""
    return normalise(answer) in _YES | _NO


def tell_concluded(answer: str) -> bool | None:
    """Return the yes or no with which an answer begins or to which it comes at its end; None where these differ, or such a sentence turns round."""
    folded = fold(answer[:_LONGEST])
    begun, ended = _SAYS.match(folded), None
    folded = folded if len(answer) <= _LONGEST else fold(answer[-_LONGEST:])
    for found in _CONCLUDES.finditer(folded):
        ended = _SAYS.match(folded, found.end())
    said = {_read_word(says) for says in (begun, ended) if says is not None}
    return said.pop() if len(said) == 1 else None


def _read_word(says: re.Match[str]) -> bool | None:
    return None if _TURNS_BACK.search(_first_sentence(says)) else says["word"].lower() in _YES


def _first_sentence(says: re.Match[str]) -> str:
    return _STOP.split(says["rest"].lstrip(), maxsplit=1)[0]


def denies_itself(question: str, answer: str) -> bool:
    """Tell whether what follows a yes or a no in its sentence may say the opposite: "Yes, it is not", "No, of course it is"."""
    says = _SAYS.match(fold(answer[:_LONGEST]))
    if says is None:
        return False
    rest, yes = _first_sentence(says), says["word"].lower() in _YES
    if yes:
        return is_negated(rest)
    return _SAYS.match(rest) is not None or tell_restated(question, _ASSURES.sub("", rest)) is True


def is_negated(text: str) -> bool:
    """Tell whether a text has a word that denies."""
    return _NEGATED.search(fold(text)) is not None


def restates(question: str, answer: str) -> bool:
    """Tell whether behind its yes or no an answer only says the question again, in its order, with a negation or without one as the word wants it: "No, it does not."."""
    says = _SAYS.match(fold(answer)) if len(answer) <= _LONGEST else None
    if says is None:
        return False
    rest = normalise(says["rest"]).split()
    negated = any(form in _NEGATORS for form in rest)
    if rest and negated is (says["word"].lower() in _YES):
        return False
    # A subsequence of the question: each word is looked for behind the one before it.
    asked = iter([stem_of(form) for form in normalise(question).split()])
    return all(stem_of(form) in asked for form in rest if form not in _NEGATORS and form not in _HELD)


def tell_restated(question: str, answer: str) -> bool | None:
    """Return the yes or no of an answer that is the question as a statement, all of its words in their order, with a negation or without one: "It is not legal."."""
    said = fold(answer.strip())
    if not asks_polar(question) or len(said) > _LONGEST or _TURNS.search(said) or _SENTENCE.search(said):
        return None
    wanted, given = normalise(question).split(), normalise(said).split()
    negators = sum(form in _NEGATORS for form in given)
    if not given or negators > 1 or _list_helpers(wanted) != _list_helpers(given):
        return None
    if len(_POINTING.intersection(wanted)) > 1:
        return None  # who is taller than whom
    said_again = _list_content(wanted) == _list_content(given) or _stands_for(wanted, given)
    return negators == 0 if said_again else None


def _stands_for(wanted: list[str], given: list[str]) -> bool:
    """Tell whether a statement about "it" takes the question up, with its helping verb and perhaps the words behind what it is about: "Did it rain?" "It did."."""
    helper = next((form for form in given if form in _HELPERS), "")
    if given[0] not in _POINTING or _HELPERS.get(helper) != _HELPERS.get(wanted[0]):
        return False
    content = _list_content(given)
    if content and not _SHARING.isdisjoint(wanted):
        return False  # of which of two, or of how many, it is said
    return content == _list_content(wanted)[1 : 1 + len(content)]


def _list_content(forms: list[str]) -> list[str]:
    """Return the stems of words but for those that stand elsewhere in a question than in a statement."""
    return [
        stem_of(form)
        for form in forms
        if form not in _NEGATORS and form not in _HELD and form not in _HELPERS
    ]


def _list_helpers(forms: list[str]) -> set[str]:
    """Return the verbs that say in which time, and whether it may or must be; "does" says neither."""
    return {_HELPERS[form] for form in forms if form in _HELPERS} - {"do"}


def tell_agreed(question: str, references: tuple[str, ...], answer: str) -> bool | None:
    """Tell whether the yes or no to which an answer comes is that of all references; None where there is none, or another thing is asked for."""
    wanted = find_wanted(question, references)
    said = tell_concluded(answer) if wanted is not None else None
    return None if said is None else said is wanted


def find_wanted(question: str, references: tuple[str, ...]) -> bool | None:
    """Return the yes or no with which all references to a yes-or-no question begin."""
    words = {tell_word(reference) for reference in references}
    return words.pop() if len(words) == 1 and asks_polar(question) else None
