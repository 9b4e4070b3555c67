"""The lexicon: every word list that several rules read. Lists named FEATURE_… feed the network's features and stay as they are until it is trained anew."""

import re
from collections.abc import Iterable, Sequence


def list_words(text: str) -> tuple[str, ...]:
    """Return the words of a text in order."""
    return tuple(text.split())


def word_set(text: str) -> frozenset[str]:
    """Return the words of a text as a set."""
    return frozenset(text.split())


def any_case(pattern: str) -> re.Pattern[str]:
    """Compile a regular expression that ignores case."""
    return re.compile(pattern, re.IGNORECASE)


def any_of(words: Iterable[str]) -> str:
    """Return a regular expression for one of these words, the longest first."""
    return "|".join(sorted(map(re.escape, words), key=lambda word: (-len(word), word)))


# Verbs that carry no meaning of their own.

COPULAS = word_set("is are was were")
DO_FORMS = word_set("do does did")
AUXILIARIES = COPULAS | DO_FORMS | word_set("am be been being has have had")
MODALS = word_set("can could will would shall should may might must")
_INFINITE = word_set("be been being")
YES_NO_OPENING = any_case(
    r"^\W*(?:(?:so|and|but|then|in \w+|as of \w+|according to [^,]{1,60}),?\s+)?"
    rf"(?:{any_of((AUXILIARIES | MODALS) - _INFINITE)})(?:n['’]t)?\b"
)
"""How a question for a yes or a no begins."""


# Words that deny.

NEGATED_AUXILIARIES = word_set(
    "aint arent cannot cant couldnt didnt doesnt dont hadnt hasnt havent isnt mightnt mustnt neednt shant shouldnt wasnt werent wont wouldnt"
)
NEGATIONS = NEGATED_AUXILIARIES | word_set("not no never none nobody noone nowhere neither nor nope")
# Accents are off, as in folded text.
FOREIGN_NEGATIONS = word_set(
    "nicht kein keine keiner keinen keinem keines nein nie niemals weder ohne ausser "  # German
    "pas jamais aucun aucune sauf sans "  # French
    "nunca jamas tampoco ningun ninguna ninguno excepto "  # Spanish
    "non nessun nessuno nessuna senza tranne "  # Italian
    "nao nem nenhum nenhuma sem exceto "  # Portuguese
    "niet geen nooit zonder behalve "  # Dutch
    "ikke inte nej ni sin "  # Danish, Norwegian, Swedish; Spanish once more
    "не нет ни никогда без кроме"  # Russian
)
# Chinese and Japanese write no spaces: these are looked for anywhere in the sentence.
NEGATING_SIGNS = (
    "不", "没", "沒", "非", "无", "無", "未", "别", "別", "除", "否", "ない", "ません", "いいえ", "違", "なく", "以外",
    "✗", "✘", "❌", "🚫", "✖",
)  # fmt: skip


# What a question asks for, by its words.

_ASKS_PERSON = any_case(
    r"\b(?:who|whom|whose|actor|actress|author|writer|poet|novelist|painter|artist|sculptor|composer|musician|singer|player|footballer|"
    r"president|minister|politician|leader|founder|philosopher|physicist|chemist|mathematician|explorer|king|queen|emperor|general|scientist|inventor|director|character)\b"
)
_ASKS_WHEN = any_case(
    r"\b(?:when|years?|decades?|century|centuries|era|(?:what|which|historical|time) period|dates?|dated?)\b"
)
_ASKS_TIME = any_case(r"\b(?:what time|which time|what hour|when|o['’]?clock)\b")


def asks_person(question: str) -> bool:
    """Return whether somebody is asked for."""
    return _ASKS_PERSON.search(question) is not None


def asks_when(question: str) -> bool:
    """Return whether a date or a period is asked for."""
    return _ASKS_WHEN.search(question) is not None


def asks_time(question: str) -> bool:
    """Return whether a time of day may be asked for."""
    return _ASKS_TIME.search(question) is not None


# Rises and falls.

RISING = r"increas\w*|ros?e|risen?|rising|gr[eo]w\w*|up|gain\w*"
FALLING = r"decreas\w*|f[ae]ll(?:en|ing|s)?|drop\w*|declin\w*|lost|down|cut|shr[aiu]nk\w*"
"""Words that are said of the figure beside them; "more" and "lower" are said of much else."""
_RISING = rf"{RISING}|higher|more"
_FALLING = rf"{FALLING}|loss(?:es)?|negative|lower\w*|less|fewer"
RISE_OR_FALL = any_case(rf"\b(?:{_RISING}|{_FALLING})\b")
RISE = any_case(rf"\b(?:{_RISING}|widen\w*|expand\w*)\b")
FALL = any_case(rf"\b(?:{_FALLING}|narrow\w*|contract(?:ed|s|ing|ion)|deficit|minus)\b")
CHANGE = any_case(r"\b(?:chang\w*|differ\w*|var(?:y|ied|iance|iation))\b")


FUNCTION_WORDS = word_set(
    "is was are were be been being has have had does did do in on at of to for from by with as and that which who whom whose when "
    "where why how what it its this these those there a an the can will would should may must s name"
)
ASKING_WORDS = word_set("i you we me us my your re about so here one would want")


# Connecting words: they offer a choice, turn to another answer, or only hold a sentence together.

GUESSES = word_set("maybe perhaps possibly conceivably potentially")
"""Adverbs that offer something as one of several possibilities."""
HEDGES = GUESSES | word_set(
    "probably likely presumably supposedly apparently allegedly reportedly arguably purportedly ostensibly seemingly plausibly hypothetically"
)
"""Adverbs that leave open whether a statement holds."""
CHOICE_WORDS = HEDGES | word_set(
    "or either possible possibility possibilities probable might may could guess guesses "
    "guessing think believe believes suppose suspect assume lean leaning whether versus vs alternatively alternative alternatives option options "
    "candidate candidates contender contenders plausible chance chances pick choose choice choices whichever unless else otherwise failing depends depending disagree "
    "disagrees differ differs debated unsure uncertain undecided decide forget remember recall toss torn some others other equally 50/50"
)
CONTRASTS = word_set("but however although though yet")
COMPARING = word_set("but while whereas versus vs against compared")
"""Words between two things that are set against each other."""
TURN_WORDS = word_set(
    "but no nope wait actually correction corrected meant mean edit oops sorry scratch however yet instead finally ultimately revised revise turns turned "
    "wrong false incorrect mistaken truth reality fact used hold hmm oh hang strike"
)
_PLAIN_WORDS = FUNCTION_WORDS | word_set(
    "am cannot cant dont they them he she i my we our you your his her their answer answers answered answering correct right true also well too both so then again one "
    "two three any all not here such like first second third last final finally thought thoughts tell told hard difficult easy yes even very quite etc names named call called "
    "word sight seems seem looks looked look means following list best good top response solution let me see im id ill gotta got say says said saying claim claims claimed "
    "claiming idea notion belief theory story people everyone everybody someone anyone many most way mind popular common usual just simply certainly surely definitely "
    "really clearly obviously actual real thing things case about none neither nor never nobody than without though although between if rather nothing anything everything long often sometimes still now = ii iii iv"
)
_CONCEDING_WORDS = word_set("although though while whereas whilst")
_THINKING_WORDS = word_set("think believe believes suppose assume some others other")


def is_connecting(form: str) -> bool:
    """Return whether a word connects answers and is none itself."""
    return form in _PLAIN_WORDS or form in CHOICE_WORDS or form in TURN_WORDS


def is_concession(forms: Sequence[str]) -> bool:
    """Return whether words leave another answer to others: "although many think of", but not "although it may be"."""
    given = frozenset(forms)
    return not _CONCEDING_WORDS.isdisjoint(given) and (given & CHOICE_WORDS) <= _THINKING_WORDS


SMALL_WORDS = word_set(
    "a an the this that these those it its there here i im id ill ive we weve well us me my our you your yours youre he she they them their "
    "is are was were be been being am do does did doing done have has had having can could will would shall should may might must "
    "not no dont doesnt didnt cant cannot couldnt wont wouldnt isnt arent nor to of in on at by for from with about into onto upon as "
    "and or but if then than so such which who whom whose what when where why how all any some each every both very really quite just "
    "only also too now first second last next again still already ever once before after above below through over under out up down "
    "please lets let s one ones thing things way someone somebody anyone else something anything"
)
ANSWERING_WORDS = word_set(
    "answer answers answered answering question questions asked ask asks asking reply response respond solution solutions solve solving "
    "explanation explain explaining reason reasoning reasons thought thoughts think thinking analysis analyse analyze consider considering "
    "problem task topic subject matter request query prompt know knows knowing known understand understood understanding wonder wondering "
    "look looking looked see find finding found figure determine work walk go going get give given giving provide provided providing tell "
    "telling say says saying said show help helping helped assist discuss address start begin beginning proceed step steps detail details "
    "detailed follow follows following correct correctly right rightly true good great fair interesting important obvious obviously clear "
    "clearly sure certainly course glad happy want wants wanted like need needs order word words short brief summary conclusion final "
    "finally result textbook reference expected same exactly okay ok yes hello hi thank thanks hope context information carefully together"
)
REFUSAL_WORDS = word_set(
    "sorry apologies apologise apologize unfortunately afraid unable knowledge beyond rather idea clue comment unsure uncertain certain "
    "verify language model ai information access decline refuse skip pass unknown impossible"
)
EMPTY_WORDS = SMALL_WORDS | ANSWERING_WORDS | REFUSAL_WORDS

FEATURE_FUNCTION_WORDS = word_set(
    "a an the is was are were be been being am has have had having does did do doing done in on at of to for from by with as and "
    "or but that which who whom whose when where why how what it its he she they them his her their this these those there here "
    "can could will would shall should may might must into onto about than then so also such some any all each i we you your "
    "my our s t if because while during after before between through over under again only own same too very just not no nor"
)


# Numbers, months, titles and parts of names.

SMALL_NUMBERS = list_words(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen "
    "twenty thirty forty fifty sixty seventy eighty ninety"
)
ORDINALS = list_words(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth "
    "seventeenth eighteenth nineteenth twentieth"
)
ROMAN_NUMERALS = list_words("i ii iii iv v vi vii viii ix x xi xii xiii xiv xv xvi xvii xviii xix xx")
MONTHS = list_words("january february march april may june july august september october november december")
ROUGHLY = word_set("about around approximately approx roughly circa")
SHORT_TITLES = word_set("mr mrs ms dr st sgt gen col capt lt prof rev hon pres gov sen")
ABBREVIATIONS = SHORT_TITLES | word_set("jr sr no vs mt ft inc co")
"""What a full stop may follow inside a sentence."""
PARTICLES = word_set("van von der den de la le da di du del della bin ibn al el")
SELF = word_set("i im id ive ill")
