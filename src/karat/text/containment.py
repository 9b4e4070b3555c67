"""The reference stated whole inside a longer answer."""

from karat.text.compounds import is_asked, is_common, is_compound, may_be_renamed
from karat.text.forms import Reference, Words
from karat.text.hedges import find_doubt, is_in_pair, is_listed, is_passing, is_slashed
from karat.text.names import is_only_related, is_part_of_name
from karat.text.rivals import has_other_name, repeats_frame
from karat.text.roles import is_swapped
from karat.text.vocabulary import list_words

_WEAK = frozenset(
    list_words(
        "yes no true false one two it he she they we i you none all both neither other same different not and or more less "
        "up down left right on off in out good bad high low big small right wrong man woman men women people person"
    )
)
_SHORTEST_NUMBER = 3
_FARTHEST = 60
_MOST_MENTIONS = 50
_SHORT = 4
_FEW_WORDS = 8


def is_provable(reference: Reference, question: frozenset[str]) -> bool:
    """Tell whether finding these words in an answer says anything: they are telling, and not the question's own."""
    return is_telling(reference) and not all(word in question for word in reference.words)


def is_telling(reference: Reference) -> bool:
    """Tell whether the words of a reference are more than ones that stand in any answer."""
    only = reference.form
    if " " in only or not only:
        return bool(only)
    return only not in _WEAK and len(only) >= (_SHORTEST_NUMBER if only[0].isdigit() else 2)


def is_stated(reference: Reference, answer: Words, question: frozenset[str], others: list[Reference]) -> bool:
    """Tell whether the answer asserts the reference: some mention is firm and none is doubted.

    Beside the `others`, which are right as well, the reference may stand in a list.
    """
    firm = False
    mentions = find_mentions(reference.words, answer)
    if len(mentions) > _MOST_MENTIONS:
        return False
    for start in mentions:
        end = start + len(reference.words)
        if not keeps_case(reference, answer, start, end):
            continue
        first, last = answer.tokens[start], answer.tokens[end - 1]
        if find_doubt(answer.text, first.start, last.end, question):
            return False
        if start < _FARTHEST and not _is_elsewhere(reference, answer, start, end, question):
            firm = firm or not is_listed(_hide(others, answer, start), first.start, last.end)
    return firm


def is_turned_round(reference: Reference, answer: Words, asked: tuple[str, ...]) -> bool:
    """Tell whether some mention stands in the place that belongs to the question's own name."""
    size = len(reference.words)
    return any(
        is_swapped(answer.forms, start, start + size, asked)
        for start in find_mentions(reference.words, answer)
    )


def _hide(others: list[Reference], answer: Words, own: int) -> str:
    """Return the answer with the mentions of other references struck out, so that they are no items of a list."""
    if not others:
        return answer.text
    letters = list(answer.text)
    for other in others:
        for start in find_mentions(other.words, answer):
            if not start <= own < start + len(other.words):
                first, last = answer.tokens[start].start, answer.tokens[start + len(other.words) - 1].end
                letters[first:last] = "x" * (last - first)
    return "".join(letters)


def find_mentions(words: tuple[str, ...], answer: Words) -> list[int]:
    """Return the places at which these words stand in an answer."""
    found, place = list[int](), -1
    if words[0] not in answer.known:
        return found
    forms, first, size = answer.forms, words[0], len(words)
    if size > _FEW_WORDS:
        return _find_all(words, forms)
    for _ in range(forms.count(first)):
        place = forms.index(first, place + 1)
        if forms[place : place + size] == words:
            found.append(place)
    return found


def _find_all(words: tuple[str, ...], forms: tuple[str, ...]) -> list[int]:
    """Return where words stand among others by Knuth, Morris and Pratt: no word is looked at again for each place."""
    found, borders, matched = list[int](), _find_borders(words), 0
    for place, form in enumerate(forms, 1):
        while matched and (matched == len(words) or words[matched] != form):
            matched = borders[matched - 1]
        matched += words[matched] == form
        if matched == len(words):
            found.append(place - matched)
    return found


def _find_borders(words: tuple[str, ...]) -> list[int]:
    """Return how many of the first words end at each word again."""
    borders = [0]
    for word in words[1:]:
        matched = borders[-1]
        while matched and words[matched] != word:
            matched = borders[matched - 1]
        borders.append(matched + (words[matched] == word))
    return borders


def list_held(references: list[Reference], answer: Words) -> list[Reference]:
    """Return the references that an answer says whole."""
    said = answer.padded
    return [reference for reference in references if reference.words and reference.padded in said]


def holds_any(references: list[Reference], answer: Words) -> bool:
    """Tell whether an answer says a reference whole."""
    return bool(list_held(references, answer))


def keeps_case(reference: Reference, answer: Words, start: int, end: int) -> bool:
    """Hold a short reference in capitals to its capitals: "US" is not "us"."""
    if end - start > 1 or len(reference.form) > _SHORTEST_NUMBER or not reference.text[:1].isupper():
        return True
    token = answer.tokens[start]
    return not answer.text[token.start : token.end].islower()


def _is_in_compound(
    reference: Reference, answer: Words, start: int, end: int, question: frozenset[str]
) -> bool:
    """Tell whether a common noun stands behind a word that may make another thing of it."""
    tokens, text = answer.tokens, answer.text
    if not start or end - start > 1:
        return False
    mention, before = tokens[start], tokens[start - 1]
    said, word = text[mention.start : mention.end], text[before.start : before.end]
    if not is_common(reference.text, said, question) and not may_be_renamed(said, word, question):
        return False
    # A sentence may repeat the question's word: "mammals produce milk"; in a short answer it names the thing.
    if len(tokens) > _SHORT and is_asked(before.form, question):
        return False
    return is_compound(word, text[before.end : mention.start])


def _is_elsewhere(
    reference: Reference, answer: Words, start: int, end: int, question: frozenset[str]
) -> bool:
    """Tell whether the mention is a piece of another name, or related to the answer, or half of a pair."""
    tokens, text = answer.tokens, answer.text
    first, last = tokens[start], tokens[end - 1]
    if is_only_related(answer.forms, start, end, question) or is_in_pair(
        text, first.start, last.end, len(tokens)
    ):
        return True
    if is_slashed(text, first.start, last.end, len(tokens)) or repeats_frame(text, first.start, last.end):
        return True
    if has_other_name(answer, start, end, question):
        return True
    if is_passing(text, first.start, last.end) or _is_in_compound(reference, answer, start, end, question):
        return True
    before = tokens[start - 1] if start else None
    after = tokens[end] if end < len(tokens) else None
    return is_part_of_name(
        text[before.start : before.end] if before else "",
        text[after.start : after.end] if after else "",
        text[before.end : first.start] if before else "",
        text[last.end : after.start] if after else "",
        count=len(tokens),
        ours=question,
    )
