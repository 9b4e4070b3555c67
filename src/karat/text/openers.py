"""Words that open an answer and are none."""

import re
from functools import lru_cache

from karat.text.normalise import normalise
from karat.text.vocabulary import list_words

_THING = (
    r"(?:solution|answer|response|reply|explanation|thought process|thinking process|chain of thought|reasoning|reasoning process|"
    r"thinking|thoughts?|analysis|steps?|approach|result|conclusion|calculations?|proof|derivation|working|work|"
    r"step by step solution|step by step explanation|question|problem|task|output|final)"
)
_KIND = r"(?:(?:given|provided|above|my|our|your|final|correct|right|best|short|full|complete|detailed|possible|model|sample|expected|question|problem|this|following|to|of) )*"
_TAIL = (
    r"(?: (?:this|that|it|these|problem|question|task|exercise|equation|about|through|out|down|step|steps|by|at|with|together|"
    r"carefully|answer|solution|to|find|solve|get|into|in|detail|details|our|your|logically|systematically|following|first|now|"
    r"one|time|a|on|for|given|is|and|as|follows|below|using|information|here|smaller|parts|correct|we|need|must|should|will|can))*"
)
_VERB = (
    r"(?:solve|think|work|break|analy[sz]e|figure|look|start|begin|consider|reason|proceed|walk|answer|tackle|examine|"
    r"find|see|calculate|compute|determine|understand|approach|go|do|take|dive|get|evaluate|explain|address|derive)"
)
_ENGLISH = re.compile(
    rf"(?:(?:ok|okay|sure|certainly|alright|well|so|now|first|firstly|great|good|hmm|absolutely|of course) )*"
    rf"(?:(?:here is |heres |this is |below is |i will provide |let me give you )?{_KIND}{_THING}{_TAIL}(?: (?:is|are|is as follows|follows|as follows|below|would be|will be|must be))?"
    rf"|(?:lets|let us|let me|we will|i will|ill|we need to|we can|we should|i need to|we must|i am going to|im going to|in order to|to)(?: (?:now|first|begin|start|carefully|try|by))*(?: to)? {_VERB}(?:ing)?{_TAIL}"
    rf"|(?:based on|given|according to|considering|looking at) {_KIND}(?:information|question|problem|context|text|passage|data|facts){_TAIL}"
    rf"|step (?:1|one|by step)|therefore|thus|hence|in conclusion|to summari[sz]e|in summary|thinking step by step|"
    rf"(?:sure|certainly|absolutely|of course) (?:here it is|here you go|i can help(?: you)?(?: with that)?|i will help(?: you)?(?: with that)?|happy to help)|"
    rf"i (?:can|will|would be happy to|am happy to) (?:help|assist)(?: you)?(?: with (?:that|this))?|"
    rf"good question|great question|that is great question|thats great question|hello|hi|hi there|hey)"
)
_OTHERS = """
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
_FIRST = re.compile(r"^\W+")
_SEGMENT = re.compile(r"[.!?:;\n…。！？：；]+")
_COMMA = re.compile(r"[.!?:;,\n…。！？：；，、]+")
_FILLER = frozenset(list_words("ok okay sure certainly alright well great hmm absolutely first")) | {
    "of course",
    "we need to",
}
_LONGEST = 300


@lru_cache(maxsize=1)
def _openers() -> frozenset[str]:
    return frozenset(normalise(line) for line in _OTHERS.replace("\n", "").split("|"))


@lru_cache(maxsize=1)
def list_opener_starts() -> frozenset[str]:
    """Return the words an opener can begin with, so that most answers are passed at their first word."""
    return frozenset(_ENGLISH_FIRST.split()) | {form.split(" ", 1)[0] for form in _openers()}


def is_opener(text: str) -> bool:
    """Tell whether a text only announces an answer, in any of ten languages."""
    if len(text) > _LONGEST or _FIRST.sub("", normalise(text)).split(" ", 1)[0] not in list_opener_starts():
        return False
    return _all_open(text, _SEGMENT) or _all_open(text, _COMMA)


def _all_open(text: str, separator: re.Pattern[str]) -> bool:
    opened = False
    for piece in separator.split(text):
        form = normalise(piece)
        if not form or not form[0].isalnum() or form in _FILLER:
            continue
        if not (form in _openers() or _ENGLISH.fullmatch(form)):
            return False
        opened = True
    return opened
