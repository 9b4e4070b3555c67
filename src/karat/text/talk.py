"""Talk about answering that answers nothing: every word of it is a small word or speaks of the question itself."""

from karat.text.normalise import normalise
from karat.text.vocabulary import list_words

_SMALL = frozenset(
    list_words(
        "a an the this that these those it its there here i im id ill ive we weve well us me my our you your yours youre he she they them their "
        "is are was were be been being am do does did doing done have has had having can could will would shall should may might must "
        "not no dont doesnt didnt cant cannot couldnt wont wouldnt isnt arent nor to of in on at by for from with about into onto upon as "
        "and or but if then than so such which who whom whose what when where why how all any some each every both very really quite just "
        "only also too now first second last next again still already ever once before after above below through over under out up down "
        "please lets let s one ones thing things way someone somebody anyone else something anything"
    )
)
META = frozenset(
    list_words(
        "answer answers answered answering question questions asked ask asks asking reply response respond solution solutions solve solving "
        "explanation explain explaining reason reasoning reasons thought thoughts think thinking analysis analyse analyze consider considering "
        "problem task topic subject matter request query prompt know knows knowing known understand understood understanding wonder wondering "
        "look looking looked see find finding found figure determine work walk go going get give given giving provide provided providing tell "
        "telling say says saying said show help helping helped assist discuss address start begin beginning proceed step steps detail details "
        "detailed follow follows following correct correctly right rightly true good great fair interesting important obvious obviously clear "
        "clearly sure certainly course glad happy want wants wanted like need needs order word words short brief summary conclusion final "
        "finally result textbook reference expected same exactly okay ok yes hello hi thank thanks hope context information carefully together"
    )
)
REFUSING = frozenset(
    list_words(
        "sorry apologies apologise apologize unfortunately afraid unable knowledge beyond rather idea clue comment unsure uncertain certain "
        "verify language model ai information access decline refuse skip pass unknown impossible"
    )
)
EMPTY_WORDS = _SMALL | META | REFUSING
# "It will work" is an answer; without one of these nothing speaks of answering.
_CORE = frozenset(
    list_words(
        "answer answers answered answering question questions asked ask asks asking reply response respond solution explanation explain reasoning "
        "reason topic problem task request query prompt textbook reference comment information knowledge model"
    )
)
_LEAST, _MOST = 3, 30
_LONGEST = 250


def is_talk(text: str) -> bool:
    """Tell whether a text of some words speaks of the question and the answer, and of nothing else."""
    if len(text) > _LONGEST:
        return False
    spoken = False
    words = normalise(text).split()
    if not _LEAST <= len(words) <= _MOST:
        return False
    for word in words:
        if word in _SMALL:
            continue
        if word not in META and word not in REFUSING:
            return False
        spoken = spoken or word in _CORE
    return spoken


def speaks_of_answers(text: str) -> bool:
    """Tell whether a reference itself holds such a word, so that talk may be what is asked for."""
    return not (META | REFUSING).isdisjoint(normalise(text).split())
