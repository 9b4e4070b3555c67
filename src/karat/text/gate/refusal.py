"""Recognise answers that decline to answer."""

import re
from functools import lru_cache

from karat.text.lexicon import word_set
from karat.text.normal import normalise, split_clauses, split_sentences

_I = r"(?:(?:sorry|apologies|unfortunately|honestly|well|as ai(?: language)? model|as an ai(?: language)? model|i am sorry|im sorry|i apologi[sz]e|i am afraid|im afraid)(?: but| that)? )*"
_CANNOT = r"(?:(?:i|we) (?:(?:really |honestly |just |simply |currently |unfortunately )*(?:do not|dont|cannot|cant|can not|could not|couldnt|am not able to|am unable to|was unable to|was not able to|wont|will not|did not|didnt))|im (?:unable|not able) to)"
_DO = r"(?:know|answer|help|say|tell|determine|find|provide|assist|respond|comply|remember|recall|understand|give|complete|fulfill|confirm|access|have)"
_OBJECT = (
    r"(?: (?:you|with|that|this|it|question|answer|to|for|any|an|enough|sufficient|information|info|about|on|in|of|request|what|how|is|"
    r"are|right|correct|know|me|your|at|moment|time|all|specific|real|access|data|because|due|lack|context|need|more|have|sure|"
    r"certain|certainty|based|given|provided|available|definitive|definite|clear|reliable|answers|result|results|from|search|topic|subject|"
    r"idea|clue|opinion|knowledge|regarding|or|relevant|exact|single|and|details|material|page|sorry|i|dont|do|not|really|just))*"
)
_ENGLISH = re.compile(
    rf"{_I}(?:{_CANNOT} {_DO}{_OBJECT}"
    rf"|(?:i have|ive got|have|ive) no (?:idea|clue|answer|information|knowledge|opinion){_OBJECT}"
    rf"|(?:i am|im|i|am) (?:not (?:really |quite |entirely |completely )?(?:sure|certain)|unsure|uncertain){_OBJECT}"
    rf"|no (?:idea|clue|answer|comment|response|reply|submission|answer (?:found|available|given|provided|possible)|information (?:available|found|provided|given)|(?:relevant )?(?:result|results|data|match)(?: found| available)?)"
    rf"|(?:n/?a|n a|idk|dunno|dont know|do not know|not sure|not known|not available|not applicable|not found|not provided|not specified|"
    rf"not enough information|insufficient (?:information|data|context)|unanswerable|unsure|no clue|beats me|pass|skip|skipped|null|nil answer|undefined answer|"
    rf"(?:answer |it |this )?(?:is )?(?:not known|unknown to me)|cannot answer|cant answer|unable to (?:answer|determine|find|help|assist|provide){_OBJECT}|"
    rf"cannot (?:be )?(?:answered|determined)(?: from (?:the )?(?:given |provided )?(?:text|context|information|passage))?|"
    rf"question (?:cannot|cant) be answered{_OBJECT}|(?:there is|theres) (?:no|not enough) (?:answer|information){_OBJECT}|(?:your|my) guess is as good as mine)"
    rf"|sorry|im sorry|i am sorry|i apologi[sz]e|apologies|unfortunately|as ai(?: language)? model)"
)
_TEXTS = r"(?:context|contexts|documents?|passages?|texts?|articles?|excerpts?|snippets?|search results?|results|sources?|filings?|reports?|tables?|data|records?|information|materials?|statements?|balance sheet|knowledge base|pages?|transcripts?|content)"
_GIVEN = r"(?:(?:provided|given|retrieved|above|available|supplied|attached|current|relevant|financial|following) )*"
_OPEN = re.compile(
    rf"{_I}(?:(?:as ai(?: language)? model )?(?:(?:i|we) (?:do not|dont|cannot|cant|could not|couldnt|am unable to|am not able to|was unable to|were unable to|did not|didnt)|im (?:unable|not able) to) "
    r"(?:have (?:access|information|enough|any|specific|real|current|up to date|data|knowledge|details|context|ability|sufficient)|find|locate|see|identify|calculate|compute|verify|confirm|"
    r"provide|answer|determine|predict|access)"
    rf"|(?:based on |from |according to )?(?:the |this |these |your )?{_GIVEN}{_TEXTS}(?: (?:excerpts?|provided|given|supplied|i (?:was given|have|received)|you (?:provided|gave|shared)|available|above))* (?:does not|doesnt|do not|dont|did not|didnt) (?:contain|include|mention|provide|specify|state|have|give|say|show|report|disclose|indicate|cover|address|list)"
    rf"|(?:there is|theres|there was|there were|there are) (?:no|not enough|insufficient|not sufficient|not any) (?:\w+ )?(?:information|data|mention|details?|context|evidence|figures?)"
    rf"|(?:based on (?:the |this )?{_GIVEN}{_TEXTS}(?: provided| given| available)? )?(?:it is|its|it was|it isnt) (?:not )?(?:possible|impossible|clear|unclear) (?:to (?:determine|calculate|say|tell|answer|compute|know|find|give)|from (?:the |this )?{_GIVEN}{_TEXTS})"
    rf"|(?:(?:this |that |the )?(?:exact |specific )?(?:answer|information|figure|value|number|amount|question|detail)|this|that|it) (?:is not|isnt|was not|wasnt|cannot be|cant be|could not be) (?:\w+ )?(?:stated|mentioned|specified|provided|included|given|available|disclosed|found|determined|answered|calculated|reported) (?:in|from|by|based on|using)"
    rf"|no (?:\w+ )?(?:information|data|mention|details?|figures?) (?:about|on|regarding|of|for|concerning)[^.]* (?:is|was|are|were|could be|can be)? ?(?:provided|available|found|given|included|mentioned)"
    rf"|not (?:mentioned|stated|specified|provided|disclosed|reported|given|available|found) (?:in|by) (?:the |this )?{_GIVEN}{_TEXTS})\b"
)
_FILLER = re.compile(
    r"(?:please|can you|could you|would you|if you|feel free|let me know|is there|do you have|i hope|hope this|thank you|thanks|"
    r"i recommend|i suggest|i would (?:recommend|suggest)|you (?:can|may|could|might|should)(?: want| try| wish)?|it (?:is|would be) (?:best|recommended)|"
    r"my knowledge|my training|my (?:data|information)|i (?:am|was) (?:only|just|ai|an ai|programmed|trained|designed)|im just|more context|additional context)\b"
)
_TURNS = re.compile(
    r"\b(?:but|however|although|though|guess|maybe|perhaps|possibly|probably|think|believe|except|likely|apart|other than|based on|is that|known|until|since|which makes|which means|making|therefore|thus)\b|[\d]"
)
# A year or a quarter is no answer, nor is the name of a source.
_DATED = re.compile(
    rf"\b(?:(?:fy|fiscal year )?(?:19|20)\d\d|fy\d\d|q[1-4]|[1-4]q\d\d|based on (?:the |this )?{_GIVEN}{_TEXTS})\b"
)
_OTHERS = """
我不知道|不知道|我不清楚|不清楚|无法回答|我无法回答|我无法回答这个问题|我不能回答这个问题|无可奉告|没有答案|抱歉|对不起|我不确定|不确定|抱歉我不知道|对不起我不知道|抱歉我无法回答|
わかりません|分かりません|分からない|わからない|知りません|知らない|答えられません|お答えできません|回答できません|申し訳ありません|すみません|すみませんわかりません|不明です|
no sé|no lo sé|yo no sé|no tengo idea|ni idea|no puedo responder|no puedo responder a eso|no puedo responder a esa pregunta|no puedo responder esta pregunta|lo siento|lo siento no lo sé|sin respuesta|no estoy seguro|
no estoy segura|no tengo información|no hay respuesta|
ich weiß nicht|ich weiß es nicht|weiß nicht|weiß ich nicht|keine Ahnung|ich habe keine Ahnung|das kann ich nicht beantworten|ich kann das nicht beantworten|ich kann diese Frage nicht beantworten|keine Antwort|
es tut mir leid|tut mir leid|leider weiß ich es nicht|ich bin mir nicht sicher|ich bin nicht sicher|keine Angabe|k. A.|
je ne sais pas|je sais pas|aucune idée|je n'en ai aucune idée|je n'ai aucune idée|je ne peux pas répondre|je ne peux pas répondre à cette question|désolé|désolée|je suis désolé|pas de réponse|sans réponse|je ne suis pas sûr|
não sei|eu não sei|não faço ideia|não tenho ideia|não posso responder|não posso responder a essa pergunta|não consigo responder|desculpe|sinto muito|sem resposta|não tenho certeza|
non lo so|non so|non ne ho idea|nessuna idea|non posso rispondere|non posso rispondere a questa domanda|mi dispiace|nessuna risposta|non sono sicuro|
모르겠습니다|몰라요|모릅니다|저는 모릅니다|잘 모르겠습니다|모르겠어요|답변할 수 없습니다|대답할 수 없습니다|죄송합니다|죄송합니다 모르겠습니다|답 없음|
لا أعرف|لا أعلم|لا أدري|ليس لدي فكرة|لا يمكنني الإجابة|آسف|عذرا لا أعرف|
मुझे नहीं पता|पता नहीं|मैं नहीं जानता|मैं उत्तर नहीं दे सकता|क्षमा करें|
bilmiyorum|hiçbir fikrim yok|fikrim yok|cevap veremem|üzgünüm|emin değilim|
nie wiem|nie mam pojęcia|nie mogę odpowiedzieć|przykro mi|nie jestem pewien|nie jestem pewna|brak odpowiedzi|
ik weet het niet|weet ik niet|geen idee|ik heb geen idee|ik kan dat niet beantwoorden|ik weet het niet zeker|geen antwoord|
jag vet inte|jeg ved det ikke|jeg vet ikke|ingen aning|ingen anelse|det vet jag inte|
не знаю|я не знаю|понятия не имею|не могу ответить|я не могу ответить|я не могу ответить на этот вопрос|извините|простите|нет ответа|без ответа|я не уверен|не уверен|к сожалению я не знаю
"""
_LIKE = re.compile(
    r"\b(?:unknown|not known|unanswerable|no answer|no one knows|nobody knows|none|nothing|not enough|insufficient|cannot|cant|can not|do not|dont|does not|doesnt|"
    r"not|unsure|uncertain|undetermined|unclear|n/?a|no|never|pass|null|nil|sorry|refuse[sd]?|unable|unfortunately|skip)\b"
)
_LONGEST = 600


@lru_cache(maxsize=1)
def _refusals() -> frozenset[str]:
    return frozenset(normalise(line) for line in _OTHERS.replace("\n", "").split("|"))


def list_refusal_starts() -> frozenset[str]:
    """Return the words that refusals in other languages than English can begin with."""
    return frozenset(form.split(" ", 1)[0] for form in _refusals())


# Every English refusal has one of these words. They rule out most answers quickly.
REFUSAL_HINTS = word_set(
    "not no cannot cant dont couldnt wont didnt doesnt isnt wasnt sorry apologies apologise apologize unfortunately unable n/a na n idk dunno "
    "unsure uncertain unclear impossible unanswerable unknown insufficient beats pass skip skipped null nil undefined guess ai"
)


def is_refusal(text: str) -> bool:
    """Return whether a text declines to answer, and no part of it answers."""
    if len(text) > _LONGEST:
        return False
    whole = normalise(text)
    if text.isascii() and REFUSAL_HINTS.isdisjoint(whole.split()) and whole not in _refusals():
        return False
    if _declines(whole):
        return True
    parts = [part for part in map(normalise, split_clauses(text)) if part]
    if parts and all(map(_declines, parts)):
        return True
    sentences = [part for part in map(normalise, split_sentences(text)) if part]
    return bool(sentences) and _declines_openly(sentences)


def _declines(form: str) -> bool:
    return form in _refusals() or _ENGLISH.fullmatch(form) is not None


def _declines_openly(sentences: list[str]) -> bool:
    """Return whether the first sentence declines with an explanation, and the others only add to it."""
    if not (_OPEN.match(sentences[0]) or (_declines(sentences[0]) and len(sentences) > 1)):
        return False
    apart = all(_declines(each) or _OPEN.match(each) or _FILLER.match(each) for each in sentences[1:])
    said = [_DATED.sub("", each) for each in sentences if not _declines(each)]
    return apart and not any(map(_TURNS.search, said))


def resembles_refusal(reference: str) -> bool:
    """Return whether a reference says that there is no answer."""
    form = normalise(reference)
    return _declines(form) or _LIKE.search(form) is not None
