"""Reject answers that are empty, an opener, an echo, a refusal or talk about answering, for all protocols and judges."""

import re
import unicodedata
from collections import Counter
from functools import lru_cache

from msgspec import Struct

from karat.core.types import Item
from karat.text.gate.refusal import REFUSAL_HINTS, is_refusal, list_refusal_starts, resembles_refusal
from karat.text.lexicon import (
    ANSWERING_WORDS,
    ASKING_WORDS,
    EMPTY_WORDS,
    FUNCTION_WORDS,
    REFUSAL_WORDS,
    YES_NO_OPENING,
    any_case,
    list_words,
    word_set,
)
from karat.text.normal import LONGEST_TEXT, clean, fold, normalise, split_clauses, split_sentences, stem_of

GATE_VERSION = "13"
"""Increase it when the gate or unwrapping changes, because verdicts of language models depend on both."""


class Ruling(Struct, frozen=True):
    """A decision without a model: whether to accept the answer, by which rule, and for which reference."""

    accept: bool
    name: str
    reason: str
    reference: int | None = None


_FEW_WORDS = 6
_SPEAKS = re.compile(r"[^\W_]")
_MEANT = frozenset({"So", "Sm"})
_NAMES_SIGN = any_case(
    r"\b(?:(?:signs?|symbols?|marks?|operators?|characters?|keys?|arrows?|dots?|stars?)$|punctuation|emojis?|emoticons?|brackets?|parenthes[ie]s|braces?|"
    r"commas?|(?:semi)?colons?|periods?|full stops?|decimal point|ellipsis|plus|minus|slash|dash|hyphen|asterisks?|equals?|percent|hash|ampersand|"
    r"underscore|tilde|caret|pipe|apostrophe|quotes?|quotation|infinity)\b"
)
_OF_TEXTS = frozenset(
    map(
        stem_of,
        list_words(
            "information context document passage text answer question provided given data available yes not"
        ),
    )
)
_POLAR_WORDS = frozenset({"yes", "no", "true", "false", "correct", "incorrect"})
_POLAR_SIGNS = frozenset("+-")
_TALKED_OF = ANSWERING_WORDS | REFUSAL_WORDS


def check_gate(item: Item) -> Ruling | None:
    """Reject an answer without content, unless a reference says the same."""
    name = _classify_junk(item)
    if name is None or _is_wanted(item, name):
        return None
    return Ruling(accept=False, name=name, reason=_REASONS[name])


_REASONS = {
    "empty": "The answer is empty.",
    "punctuation": "The answer has no word, number or symbol.",
    "opener": "The answer only announces an answer.",
    "echo": "The answer only repeats the question.",
    "refusal": "The answer declines to answer.",
    "talk": "The answer is only about answering.",
}


def _classify_junk(item: Item) -> str | None:
    answer = item.answer
    # An answer that begins with an ASCII word is not empty. Some letters of other scripts are invisible.
    if not (answer[:1].isascii() and answer[:1].isalnum()):
        answer = clean(answer)
        if not answer.strip():
            return "empty"
        if _SPEAKS.search(answer) is None and not _has_picture(answer):
            return "punctuation"
    if len(answer) > LONGEST_TEXT:
        return None
    return _classify_empty_talk(item.question or "", answer)


def _has_picture(answer: str) -> bool:
    """Return whether an answer has an emoji or another symbol beyond ASCII, which may be the answer."""
    return any(unicodedata.category(sign) in _MEANT for sign in answer[:LONGEST_TEXT] if not sign.isascii())


def _classify_empty_talk(question: str, answer: str) -> str | None:
    # A text that ends in a colon announces something that is missing.
    if answer.rstrip().endswith((":", "：")) and len(answer.split()) <= _FEW_WORDS:
        return "opener"
    if has_own_content(question, answer):
        return None
    if is_opener(answer):
        return "opener"
    if is_refusal(answer):
        return "refusal"
    if question and is_echo(question, answer):
        return "echo"
    return "talk" if is_empty_talk(answer) else None


def _is_wanted(item: Item, name: str) -> bool:
    """Return whether an answer contains a reference, and so is no junk."""
    given = normalise(item.answer[: LONGEST_TEXT * 2])
    if name == "refusal" and (_shares_word(item) or any(map(resembles_refusal, item.references))):
        return True
    # To repeat the question does not give a reference that is part of it.
    repeated = name == "echo" and given == normalise(item.question or "")
    for reference in item.references:
        form = normalise(reference)
        if form == given or (form and not repeated and _holds_reference(given, form)):
            return True
        if name == "punctuation" and _NAMES_SIGN.search(reference[:LONGEST_TEXT]):
            return True
        if name == "punctuation" and (form in _POLAR_WORDS and not _POLAR_SIGNS.isdisjoint(item.answer)):
            return True
        if name == "talk" and (form in _POLAR_WORDS or not _TALKED_OF.isdisjoint(form.split())):
            return True
    return False


def _shares_word(item: Item) -> bool:
    """Return whether an answer has a content word of a reference that the question lacks: "not stated" may be the right answer."""
    asked, given = (set(map(stem_of, normalise(text).split())) for text in (item.question or "", item.answer))
    wanted = {
        stem_of(form)
        for reference in item.references
        for form in normalise(reference[:LONGEST_TEXT]).split()
        if form not in FUNCTION_WORDS and form.isalpha()
    }
    return not wanted.isdisjoint(given - asked - _OF_TEXTS)


def _holds_reference(given: str, form: str) -> bool:
    """Return whether an answer contains a reference as whole words, in the singular or the plural."""
    stem = form.removesuffix("s")
    if not form.isascii():
        return stem in given
    return any(f" {word} " in f" {given} " for word in (form, stem, f"{stem}s"))


# A fast path: most answers have a content word that the question lacks.

_FIRST_WORD = re.compile(r"\"?(?:the )?\"?([a-z]{2,}(?=[ ,;:!?\n\"-]|\.?$)|\d+(?= [a-z]))")
_WORD = re.compile(r"(?<![^\s(\"])[a-z]{3,}(?=[\s,;:!?)\"]|\.(?:\s|$)|$)")
_RUN = re.compile(r"[a-z0-9]+")
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
# Normalising joins initials and changes these words, so that they cannot be compared before it.
_INITIALS = re.compile(r"\.\s?[a-z](?![a-z\d])")
_CLOSED_UP = re.compile(r"['`]|\.\s?|,")
_RESPELT = frozenset({"percent", "pct", "the", "an"})
_SAYING_NOTHING = FUNCTION_WORDS | ASKING_WORDS | EMPTY_WORDS | _RESPELT


def has_own_content(question: str, answer: str) -> bool:
    """Return whether an answer certainly has content: it is no opener, refusal, echo or talk. False means that this is open."""
    asked, given = fold(question), fold(answer)
    if not (_is_plain_text(given) and _is_plain_text(asked)):
        return False
    lowered = given.lower()
    first = _FIRST_WORD.match(lowered)
    if first is None or first[1] in _list_junk_starts():
        return False
    unclear = _has_refusal_hint(lowered) or _INITIALS.search(lowered)
    return not unclear and _adds_a_word(asked.lower(), lowered)


def _is_plain_text(text: str) -> bool:
    return text.isascii() and (text.isprintable() or not _CONTROL.search(text))


def _has_refusal_hint(answer: str) -> bool:
    """Return whether a word of refusals is in the answer, with or without apostrophes."""
    if not REFUSAL_HINTS.isdisjoint(_RUN.findall(answer)):
        return True
    bare = answer.replace("'", "").replace("`", "")
    return len(bare) < len(answer) and not REFUSAL_HINTS.isdisjoint(_RUN.findall(bare))


@lru_cache(maxsize=1)
def _list_junk_starts() -> frozenset[str]:
    return list_opener_starts() | list_refusal_starts() | _RESPELT


def _adds_a_word(asked: str, answer: str) -> bool:
    """Return whether an answer has a content word that is not in the question in any spelling."""
    closed_up = _CLOSED_UP.sub("", asked)
    words = (found[0] for found in _WORD.finditer(answer))
    return any(word not in _SAYING_NOTHING and word not in asked and word not in closed_up for word in words)


# Openers: texts that announce an answer and stop.

_OPENER_THING = (
    r"(?:solution|answer|response|reply|explanation|thought process|thinking process|chain of thought|reasoning|reasoning process|"
    r"thinking|thoughts?|analysis|steps?|approach|result|conclusion|calculations?|proof|derivation|working|work|"
    r"step by step solution|step by step explanation|question|problem|task|output|final)"
)
_OPENER_KIND = r"(?:(?:given|provided|above|my|our|your|final|correct|right|best|short|full|complete|detailed|possible|model|sample|expected|question|problem|this|following|to|of) )*"
_OPENER_TAIL = (
    r"(?: (?:this|that|it|these|problem|question|task|exercise|equation|about|through|out|down|step|steps|by|at|with|together|"
    r"carefully|answer|solution|to|find|solve|get|into|in|detail|details|our|your|logically|systematically|following|first|now|"
    r"one|time|a|on|for|given|is|and|as|follows|below|using|information|here|smaller|parts|correct|we|need|must|should|will|can))*"
)
_OPENER_VERB = (
    r"(?:solve|think|work|break|analy[sz]e|figure|look|start|begin|consider|reason|proceed|walk|answer|tackle|examine|"
    r"find|see|calculate|compute|determine|understand|approach|go|do|take|dive|get|evaluate|explain|address|derive)"
)
_ENGLISH_OPENER = re.compile(
    rf"(?:(?:ok|okay|sure|certainly|alright|well|so|now|first|firstly|great|good|hmm|absolutely|of course) )*"
    rf"(?:(?:here is |heres |this is |below is |i will provide |let me give you )?{_OPENER_KIND}{_OPENER_THING}{_OPENER_TAIL}(?: (?:is|are|is as follows|follows|as follows|below|would be|will be|must be))?"
    rf"|(?:lets|let us|let me|we will|i will|ill|we need to|we can|we should|i need to|we must|i am going to|im going to|in order to|to)(?: (?:now|first|begin|start|carefully|try|by))*(?: to)? {_OPENER_VERB}(?:ing)?{_OPENER_TAIL}"
    rf"|(?:based on|given|according to|considering|looking at) {_OPENER_KIND}(?:information|question|problem|context|text|passage|data|facts){_OPENER_TAIL}"
    rf"|step (?:1|one|by step)|therefore|thus|hence|in conclusion|to summari[sz]e|in summary|thinking step by step|"
    rf"(?:sure|certainly|absolutely|of course) (?:here it is|here you go|i can help(?: you)?(?: with that)?|i will help(?: you)?(?: with that)?|happy to help)|"
    rf"i (?:can|will|would be happy to|am happy to) (?:help|assist)(?: you)?(?: with (?:that|this))?|"
    rf"good question|great question|that is great question|thats great question|hello|hi|hi there|hey)"
)
_FOREIGN_OPENERS = """
解|解答|解析|答|答案|答案是|答案为|答案如下|正确答案|正确答案是|最终答案|最终答案是|思路|解题思路|解题过程|思考过程|思考|分析|推理|推理过程|过程|解决方案|解法|
首先|让我们一步一步思考|让我们一步步思考|让我们一步一步来|让我们一步一步地解决这个问题|让我们一步步解决这个问题|让我们逐步解决这个问题|让我们逐步思考|我们来一步一步解决这个问题|一步一步思考|
かいせつ|解説|答え|答えは|こたえ|こたえは|回答|回答は|解答は|正解|正解は|最終的な答え|考え方|思考過程|思考プロセス|推論|解き方|解法|まず|まずは|ステップバイステップで考えましょう|
一歩ずつ考えましょう|一歩ずつ解いていきましょう|順を追って考えましょう|段階的に考えましょう|ステップごとに考えてみましょう|この問題を一歩ずつ解きましょう|
respuesta|la respuesta|la respuesta es|respuesta final|la respuesta correcta es|respuesta correcta|solución|la solución|la solución es|explicación|razonamiento|análisis|
proceso de pensamiento|proceso de razonamiento|pensamiento|paso 1|paso a paso|vamos a resolver este problema paso a paso|resolvamos este problema paso a paso|vamos a resolverlo paso a paso|
pensemos paso a paso|vamos a pensar paso a paso|resolvamos paso a paso|primero|resultado|
Lösung|die Lösung|die Lösung ist|die Lösung lautet|Antwort|die Antwort|die Antwort ist|die Antwort lautet|die richtige Antwort ist|endgültige Antwort|Erklärung|Gedankengang|Denkprozess|Überlegung|
Überlegungen|Begründung|Lösungsweg|Analyse|Schritt 1|Schritt für Schritt|lass uns dieses Problem Schritt für Schritt lösen|lassen Sie uns dieses Problem Schritt für Schritt lösen|
lass uns das Problem Schritt für Schritt lösen|lösen wir dieses Problem Schritt für Schritt|denken wir Schritt für Schritt|lass uns Schritt für Schritt denken|zuerst|Ergebnis|
réponse|la réponse|la réponse est|réponse finale|la bonne réponse est|la solution|la solution est|explication|raisonnement|processus de réflexion|processus de pensée|réflexion|démarche|étape 1|étape par étape|
résolvons ce problème étape par étape|réfléchissons étape par étape|pensons étape par étape|procédons étape par étape|tout d'abord|résultat|
resposta|a resposta|a resposta é|resposta final|a resposta correta é|solução|a solução|a solução é|explicação|raciocínio|processo de pensamento|processo de raciocínio|passo 1|passo a passo|
vamos resolver este problema passo a passo|vamos resolver isso passo a passo|vamos pensar passo a passo|pensemos passo a passo|primeiro|
risposta|la risposta|la risposta è|risposta finale|la risposta corretta è|soluzione|la soluzione|la soluzione è|spiegazione|ragionamento|processo di pensiero|analisi|passo dopo passo|
risolviamo questo problema passo dopo passo|risolviamo il problema passo dopo passo|risolviamo questo problema passo per passo|pensiamo passo dopo passo|ragioniamo passo dopo passo|prima di tutto|risultato|
답|답은|정답|정답은|최종 답|최종 답변|풀이|풀이 과정|해설|해답|답변|설명|사고 과정|추론|추론 과정|단계별로 생각해 봅시다|단계별로 생각해봅시다|이 문제를 단계별로 풀어 봅시다|이 문제를 단계별로 풀어봅시다|차근차근 생각해 봅시다|먼저|
ответ|ответом является|окончательный ответ|правильный ответ|решение|объяснение|рассуждение|рассуждения|ход мыслей|мыслительный процесс|анализ|шаг 1|шаг за шагом|пошаговое решение|
давайте решим эту задачу шаг за шагом|давайте решим эту проблему шаг за шагом|давайте подумаем шаг за шагом|решим задачу шаг за шагом|сначала|
resultat|processo|raisonnement étape par étape|
الإجابة|الإجابة هي|الجواب|الجواب هو|الحل|الحل هو|الإجابة الصحيحة هي|التفسير|الخطوة 1|لنحل هذه المسألة خطوة بخطوة|خطوة بخطوة|
उत्तर|उत्तर है|जवाब|समाधान|हल|सही उत्तर|व्याख्या|चरण 1|आइए इसे चरण दर चरण हल करें|
cevap|cevabı|çözüm|doğru cevap|açıklama|adım 1|adım adım|bu problemi adım adım çözelim|
odpowiedź|odpowiedź to|odpowiedź brzmi|rozwiązanie|poprawna odpowiedź|wyjaśnienie|krok 1|krok po kroku|rozwiążmy to krok po kroku|
antwoord|het antwoord|het antwoord is|oplossing|de oplossing is|het juiste antwoord is|uitleg|stap 1|stap voor stap|laten we dit stap voor stap oplossen|
svar|svaret är|svaret er|lösning|løsning|förklaring|forklaring|steg 1
"""
_ENGLISH_FIRST = (
    "ok okay sure certainly alright well so now first firstly great good hmm absolutely of here heres this below i let lets we ill im "
    "in to based given according considering looking step therefore thus hence thinking that thats hello hi hey my our your final "
    "correct right best short full complete detailed possible model sample expected question problem following solution answer "
    "response reply explanation thought thoughts chain reasoning analysis steps approach result conclusion calculation "
    "calculations proof derivation working work task output"
)
_LEADING_SIGNS = re.compile(r"^\W+")
_FILLER_WORDS = word_set("ok okay sure certainly alright well great hmm absolutely first") | {
    "of course",
    "we need to",
}
_LONGEST_OPENER = 300


@lru_cache(maxsize=1)
def _list_openers() -> frozenset[str]:
    return frozenset(normalise(line) for line in _FOREIGN_OPENERS.replace("\n", "").split("|"))


@lru_cache(maxsize=1)
def list_opener_starts() -> frozenset[str]:
    """Return the words that an opener can begin with, which rule out most answers quickly."""
    return frozenset(_ENGLISH_FIRST.split()) | {form.split(" ", 1)[0] for form in _list_openers()}


def is_opener(text: str) -> bool:
    """Return whether a text only announces an answer, in any of the supported languages."""
    form = _LEADING_SIGNS.sub("", normalise(text)) if len(text) <= _LONGEST_OPENER else ""
    if form.split(" ", 1)[0] not in list_opener_starts():
        return False
    return _all_open(split_sentences(text)) or _all_open(split_clauses(text))


def _all_open(pieces: list[str]) -> bool:
    opened = False
    for form in map(normalise, pieces):
        if not form or not form[0].isalnum() or form in _FILLER_WORDS:
            continue
        if not (form in _list_openers() or _ENGLISH_OPENER.fullmatch(form)):
            return False
        opened = True
    return opened


# Echoes of the question.

_OFFERS_CHOICE = any_case(
    r"\b(?:or|either|versus|vs|which of|between|true or false|oder|ou|o|или|还是|または|それとも)\b|还是|それとも|[/:,]"
)
_COVERAGE, _MOST_ADDED, _LEAST_CONTENT, _SHORTEST_QUESTION = 0.8, 100, 2, 4


def is_echo(question: str, answer: str) -> bool:
    """Return whether an answer repeats most of the question and adds nothing.

    In a question that offers a choice or asks for yes or no, the question's own words can be the answer: there only
    the question itself, word for word, is an echo.
    """
    if len(answer) > 2 * len(question) + _MOST_ADDED:
        return False
    asked, given = normalise(question), normalise(answer)
    if not given:
        return False
    if given == asked or given.split() == asked.split() * (len(given.split()) // max(1, len(asked.split()))):
        return True
    if _OFFERS_CHOICE.search(question) or YES_NO_OPENING.match(question):
        return False
    return _adds_nothing(asked.split(), given.split())


def is_question_again(asked: str, given: str) -> bool:
    """Return whether a text is the whole question with only function words and words about asking around it."""
    if len(asked.split()) < _SHORTEST_QUESTION or f" {asked} " not in f" {given} ":
        return False
    return (EMPTY_WORDS | ASKING_WORDS).issuperset(f" {given} ".replace(f" {asked} ", " ", 1).split())


def _adds_nothing(asked: list[str], given: list[str]) -> bool:
    # Words about asking add nothing either: "You asked who …", "the question is who …".
    if not FUNCTION_WORDS.union(asked, ANSWERING_WORDS, ASKING_WORDS).issuperset(given):
        return False
    own = (ANSWERING_WORDS | ASKING_WORDS).difference(asked)
    said = Counter(word for word in given if word not in FUNCTION_WORDS and word not in own)
    content = Counter(word for word in asked if word not in FUNCTION_WORDS)
    # A word that is more frequent than in the question adds something: "the unit of cell theory is the cell".
    if len(content) < _LEAST_CONTENT or not said <= content:
        return False
    return len(said) >= _COVERAGE * len(content)


# Empty talk: only function words and words about answering.

# Talk about answering has one of these words. "It will work" is an answer.
_ANSWERING_CORE = word_set(
    "answer answers answered answering question questions asked ask asks asking reply response respond solution explanation explain reasoning "
    "reason topic problem task request query prompt textbook reference comment information knowledge model"
)
_LEAST_TALK_WORDS, _MOST_TALK_WORDS = 3, 30
_LONGEST_TALK = 250


def is_empty_talk(text: str) -> bool:
    """Return whether a short text is only about the question and the answer."""
    words = normalise(text).split() if len(text) <= _LONGEST_TALK else []
    if not _LEAST_TALK_WORDS <= len(words) <= _MOST_TALK_WORDS or not EMPTY_WORDS.issuperset(words):
        return False
    return not _ANSWERING_CORE.isdisjoint(words)
