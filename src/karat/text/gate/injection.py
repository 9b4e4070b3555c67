"""Find text that seems to be an instruction to the judge."""

import re
from typing import TypeAlias

from karat.core.types import Item
from karat.text.normal import clean, strip_invisible

_THINGS = r"\b[^.\n]{0,40}\b(?:above|previous|prior|before|instruction|rule|item|all|everything|truth)"
_JUDGED = (
    r"\b[^.\n]{0,40}\b(?:as (?:fully )?(?:correct|right|wrong|yes|no)|highest|top|full marks?|maximum)\b"
)
_SAID = r"\b[^.\n]{0,20}\b(?:yes|no|[0-5])\b"
_WHICH = r"\b(?:other|remaining|every|next|following|preceding|these|those|this)\s+(?:\w+\s+)?"
# A word that every match contains, which rules out most texts quickly, and the pattern.
_SIGNS: tuple[tuple[str, re.Pattern[str]], ...] = tuple(
    (needed, re.compile(sign))
    for needed, sign in (
        *((word, rf"\b{word}{_THINGS}") for word in ("ignore", "disregard", "forget", "override")),
        *((word, rf"\b{word}{_JUDGED}") for word in ("mark", "count", "accept", "approve", "reject", "treat", "rate", "score")),
        *((word, rf"\b{word}\b(?!,){_SAID}") for word in ("reply", "respond", "output", "say")),  # "with, say, 3"
        *((word, rf"{_WHICH}{word}\b") for word in ("item", "items", "entry", "entries", "batch", "list")),
        ("answer", r"\banswer[\s_]*\d+\b\s*[\"']?\s*[:=]"),
        ("grad", r"\bgrad(?:ers?|ing)\b"),
        ("grade:", r"\bgrade:"),
        ("judg", r"\bjudg(?:es?|ing)\b[^.\n]{0,30}\b(?:yes|no|correct|mark)"),
        ("ground", r"\bground[- ]truth\b"),
        ("answer", r"\b(?:official|accepted|the) answer key\b|\baccepted answer\b"),
        ("annotator", r"\bannotators?\b"),
        ("reviewer", r"\b(?:previous|earlier|other) reviewers?\b"),
        ("exam", r"\bexam(?:iners?| board| office)\b"),
        ("other judges", r"\bother judges\b"),
        ("full mark", r"\bfull marks?\b"),
        ("best ", r"\bbest (?:possible )?(?:score|mark|value)\b"),
        ("<", r"</?\s*(?:answer|score|predicted|correct|question|system|user|assistant|instruction|item|verdict|provided|start|end)\w*\s*>|<\|[^|]{1,30}\|>"),
        ("[", r"\[/?inst\]|\[(?:begin|end)\b"),
    )
)  # fmt: skip
_ROLES = ("system", "assistant", "human", "user")
# Text that looks like a part of a prompt or of its reply, anywhere in a field.
_LOOK_ALIKES = (
    *((word, re.compile(rf"\b{word}\s*:")) for word in _ROLES),
    ("instruction", re.compile(r"\binstructions?\b")),
    ("verdict", re.compile(r"\bverdicts?\b")),
    ("##", re.compile(r"#{2,}\s")),
    ("{", re.compile(r"\{\s*[\"']")),
    ("```", re.compile(r"```")),
)
# The same for judges that read no prompt: only text that names a turn, a verdict or the batch counts.
_ADDRESSES = (
    *((word, re.compile(rf"(?:^|[\n>\"'}}\].,;–—-])\s*{word}\s*:")) for word in _ROLES),
    # Biology has instructions, and courts have verdicts.
    ("instruction", re.compile(r"\b(?:your|my|these|those|previous|prior|above|new|all|any|following|system|original|earlier|special|important|hidden|secret|grading|user|developer|updated?)\s+instructions?\b|\binstructions?\s*[:=\]>]|\binstructions?\s+(?:above|below|to you|(?:\w+\s+){0,2}(?:to|for) (?:the\s+)?(?:ai|model|judge|assistant|evaluator|llm|rater|marker|system|reader))\b")),
    ("verdict", re.compile(r"\b(?:your|my|final|correct|right|proper|positive|negative|affirmative|favou?rable|expected|previous|official|output|give|return|same)\s+(?:the\s+|a\s+)?verdicts?\b|\bverdicts?\s*[:=\]>]|\bverdicts?\s+(?:positive|negative|yes|no|correct|true|will be|from the panel)\b|\bverdicts?\s+(?:is|should be|must be|was|for)\W+(?:\w+\W+){0,3}?(?:yes|no|correct|right|true|match\w*|pass\w*|accept\w*|positive|[0-5])\b")),
    ("##", re.compile(r"#{2,}\s+(?:answers?|explanations?|items?|batch|corrections?|scores?|verdicts?|repl(?:y|ies)|outputs?|results?|grad\w+|system|user|assistant|human|end|start|question)\b")),
    ("{", re.compile(r"\{\s*[\"'](?:answers?|score|verdict|value|label|grade|result|correct|match|is_\w+|question|ground_truth|provided_answer|item)\b")),
    ("```", re.compile(r"```\s*json")),
)  # fmt: skip
_NATURAL = frozenset({"instruction", "verdict"})
"""Words that an answer may repeat from its question in other phrases."""
# A list of scores from 0 to 5. "2, 3, 5, 7" are primes, and "1, 2, 3" is counting.
_VERDICTS = re.compile(
    r"(?!(?:0\s?,\s?)?1\s?,\s?2\s?,\s?3(?:\s?,\s?4(?:\s?,\s?5)?)?(?![\s,]*\d))(?<![\d.])(?<!\d,)(?<!\d, )[0-5](?:\s?,\s?[0-5]){2,}+(?!\d|\.\d|\s?,\s?\d)"
)
_DISGUISED = re.compile(r"(?<![\w+/])(?=[a-z+/]*\d)[a-z0-9+/]{28,}={0,2}(?![\w+/])")
# Instructions to a judge in other languages, and words that mix Latin and Cyrillic letters.
_FOREIGN_WORDS = (
    "anweisung", "bewerte ", "ignoriere", "ignora ", "ignorez", "ignore las", "instruccion", "istruzioni", "consigne", "calific", "beoordeel", "vurder ", "svaret som", "antwoord als", "uznaj ", "kabul et",
)  # fmt: skip
_FOREIGN_SIGNS = (
    "einträge", "instruç", "忽略", "无视", "無視", "指示", "指令", "判为", "判定", "满分", "満点", "评分", "採点", "正解と", "本批", "其余", "игнорир", "инструкц", "оцени", "засчита", "무시", "지시",
    "채점", "정답으로", "تجاهل", "التعليمات", "bedöm ", "betrakta ", "oceń ", "odpowiedź za", "değerlendir", "cevabı", "सही मान", "उत्तर को", "निर्देश",
)  # fmt: skip
_MIXED = re.compile("[a-z][а-яіјѕ]|[а-яіјѕ][a-z]")
_FOREIGN = _FOREIGN_WORDS + _FOREIGN_SIGNS
_DIGITS = ("0,", "1,", "2,", "3,", "4,", "5,")
_LONG = 28
_LOOKED_AT = 20_000
_HIDDEN = 4


def is_suspicious(item: Item) -> bool:
    """Return whether a field of an item has role labels, instructions, hidden text, or text that looks like a reply or a code fence."""
    return _is_suspicious("\n".join([item.answer[:_LOOKED_AT], _given(item)]), "", _LOOK_ALIKES)


def addresses_judge(item: Item) -> bool:
    """Return whether an answer has instructions to the judge that are neither in the question nor in a reference."""
    return _is_suspicious(item.answer[:_LOOKED_AT], clean(_given(item)).lower(), _ADDRESSES)


def _given(item: Item) -> str:
    return "\n".join([field[:_LOOKED_AT] for field in (item.question or "", *item.references)])


_Signs: TypeAlias = tuple[tuple[str, re.Pattern[str]], ...]


def _is_suspicious(text: str, known: str, looks: _Signs) -> bool:
    if text.isascii():
        return _has_sign(text.lower(), known, looks)
    if len(text) - len(strip_invisible(text)) >= _HIDDEN:
        return True
    shown = clean(text).lower()
    return _has_sign(shown, known, looks) or _is_new(_MIXED, shown, known)


def _has_sign(text: str, known: str, looks: _Signs) -> bool:
    for signs in (_SIGNS, looks):
        for needed, sign in signs:  # a loop, because a generator doubles the time of this check of every item
            if needed in text and not (needed in _NATURAL and needed in known) and _is_new(sign, text, known):
                return True
    for word in _FOREIGN_WORDS if text.isascii() else _FOREIGN:
        if word in text and word not in known:
            return True
    if any(map(text.__contains__, _DIGITS if "," in text else ())) and _is_new(_VERDICTS, text, known):
        return True
    return max(map(len, text.split()), default=0) >= _LONG and _is_new(_DISGUISED, text, known)


def _is_new(sign: re.Pattern[str], text: str, known: str) -> bool:
    """Return whether a text matches a pattern with words that are not in the known text."""
    if not known:
        return sign.search(text) is not None
    return any(found[0] not in known for found in sign.finditer(text))
