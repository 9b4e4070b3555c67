"""Tokens of chat templates, labels of roles, the question said again, and turns that a model made up after its own."""

import re

from karat.text.delivery.losing import is_blank
from karat.text.normalise import normalise

_FINAL_CHANNEL = re.compile(
    r"<\|channel\|>\s*final\s*(?:<\|constrain\|>\s*\w+\s*)?<\|message\|>|^analysis.*?assistantfinal(?=\S)",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"<[|｜][^|｜<>\n]{1,40}[|｜]>|</?s>|</?(?:bos|eos|pad|unk|turn|sep|(?:end|start)_(?:of_)?(?:turn|utterance|code|action|text|answer))>|\[/?INST\]|<</?SYS>>|"
    r"\[(?:EOS|BOS|SEP|CLS|PAD|END|DONE|STOP)\]|\[(?:No |Continue to Use )?(?:Retrieval|Evidence)\]|\[(?:Ir)?relevant\]|\[(?:Fully|Partially) supported\]|\[No support[^\]\n]*\]|\[Utility:\d\]",
    re.IGNORECASE,
)
_SPEAKS = re.compile(r"assistant|chatbot|model|/INST|begin_of_solution", re.IGNORECASE)
_ASKS = re.compile(r"user|human|system|SYS>>|\[INST|tool|ipython", re.IGNORECASE)
_HEADER = re.compile(
    r"^\s*(?:(?P<speaks>assistant|model|gpt|bot|chatbot)|user|human|system|tool)[ \t]*:?[ \t]*(?:\n|$)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>\n]{1,60}>")
_ROLE = re.compile(
    r"^[\s*_#>\[(]*(?:assistant|ai(?: assistant)?|a\.i\.|bot|chat ?bot|agent|model|system|gpt|llm|response|reply|output|completion|a)[\s*_\])]*(?:[(\[][^()\[\]\n]{1,30}[)\]]\s*)?(?::|\n)[\s*_]*(?=\S)",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"^(?:\[\w{2,10}\]|\d{4}-\d\d-\d\d|\d\d:\d\d|(?:INFO|DEBUG|LOG)\b)[^\n]{0,120}?\b(?:answer|output|response|result|prediction)\s*[:=]\s*(?=\S)",
    re.IGNORECASE,
)
# Who speaks after a question: a label of one to three words, or a heading.
_REPLY = re.compile(
    r"[\s?\"'”*_)\]|>-]*(?:(?:^|(?<=[\s\n]))(?:#{1,6}[ ]*)?[*_]*(?:[A-Z][\w.]*(?:[ ][A-Z0-9][\w.]*){0,2}|assistant|model|a)[*_]*(?:[ ]\([^()\n]{1,30}\))?[*_]*:)[*_\s]*(?=\S)"
)
_TURN = re.compile(
    r"(?:^|\n)[ \t]*[#*_>\[(-]*[ \t]*(?:q(?:uestion|uery)?(?:[ \t]*#?\d+)?|human|user|instruction|input|problem(?:[ \t]*\d+)?|student|customer|client|next (?:question|card|up)|follow-?up question|prompt)[ \t]*[*_\])]*[ \t]*[:.](?=\s|$)[\s*_]*(?P<asked>[^\n]*)",
    re.IGNORECASE,
)
_OTHER_TEXT = re.compile(
    r"\n\s*(?:[#*_>-]*[ \t]*(?:exercise|problem|example|task|lesson|passage|context|document|article|title|category|copyright|trivia\b[^\n]*|more fun facts)[ \t]*[#\d©]*[ \t]*(?:[:.\n]|\([^)]*\)|all rights)|(?:import|from|def|class|function|#include|public|const|let|var)[ ][\w.<{(]|\\(?:end|documentclass|begin|section)\{|<(?:html|!doctype)|In \[\d+\]:|>>> ?)",
    re.IGNORECASE,
)


def find_final_channel(text: str) -> str:
    """Return what a reply says in its final channel, where it has channels."""
    found = list(_FINAL_CHANNEL.finditer(text)) if "assistantfinal" in text or "<|channel|>" in text else []
    return text[found[-1].end() :] if found else text


def strip_tokens(question: str, text: str) -> str:
    """Return what is said first between the tokens of a chat template by who is no asker, and is not the question."""
    tokens = list(_TOKEN.finditer(text)) if "<" in text or "[" in text else []
    if not tokens:
        return text
    asked, speaks = normalise(question), None
    pieces = [text[: tokens[0].start()]]
    ends = [*(each.start() for each in tokens[1:]), len(text)]
    for token, piece in zip(
        [None, *tokens],
        [*pieces, *(text[token.end() : end] for token, end in zip(tokens, ends, strict=True))],
        strict=True,
    ):
        if token is not None:
            speaks = True if _SPEAKS.search(token[0]) else False if _ASKS.search(token[0]) else speaks
        header = _HEADER.match(piece) if token is not None else None
        speaks = speaks if header is None else header["speaks"] is not None
        said = piece[header.end() if header else 0 :].strip()
        blank = is_blank(_TAG.sub(" ", said))
        if not blank and speaks is not False and not (asked and normalise(said).endswith(asked)):
            return said
    return text


def strip_role(text: str) -> str:
    """Return the text without the label of who speaks, or what a log puts before it."""
    found = _ROLE.match(text) or _LOGGED.match(text)
    return text[found.end() :] if found else text


def cut_asked(question: str, text: str) -> str:
    """Return the reply of a transcript, which begins behind the question and a label of who replies."""
    place = text.find(question.strip()) if question.strip() else -1
    found = _REPLY.match(text, place + len(question.strip())) if place >= 0 else None
    return text[found.end() :] if found else text


def cut_next_turn(question: str, text: str) -> str:
    """Return what stands before a turn that is made up after the answer: another question with its answer, which is none to this one, or another text."""
    for found in _TURN.finditer(text):
        before = text[: found.start()]
        if is_blank(before) or _is_lead(before):
            continue
        asked, rest = normalise(found["asked"]), text[found.end() :]
        if asked == normalise(question) and len(normalise(rest).split()) > 1:
            continue
        text = before.rstrip(" \n\t-=#*_")
        break
    other = _OTHER_TEXT.search(text)
    before = text[: other.start()].rstrip(" \n\t-=#*_") if other else ""
    return text if is_blank(before) or before.endswith(":") else before


def _is_lead(before: str) -> bool:
    """Tell whether what stands before a question only announces it."""
    return before.rstrip().endswith(":") and "\n" not in before.strip()
