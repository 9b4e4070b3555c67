"""Tokens of chat templates, labels of roles, and turns that a model made up after its own."""

import re

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
_HEADER = re.compile(r"^\s*(?:(?P<speaks>assistant|model|gpt|bot|chatbot)|user|human|system|tool)[ \t]*:?[ \t]*(?:\n|$)", re.IGNORECASE)
_ROLE = re.compile(
    r"^[\s*_#>\[(]*(?:assistant|ai(?: assistant)?|a\.i\.|bot|chat ?bot|agent|model|system|gpt|llm|response|reply|output|completion|a)[\s*_\])]*(?:[(\[][^()\[\]\n]{1,30}[)\]]\s*)?(?::|\n)[\s*_]*(?=\S)",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"^(?:\[\w{2,10}\]|\d{4}-\d\d-\d\d|\d\d:\d\d|(?:INFO|DEBUG|LOG)\b)[^\n]{0,120}?\b(?:answer|output|response|result|prediction)\s*[:=]\s*(?=\S)",
    re.IGNORECASE,
)
_TURN = re.compile(
    r"(?:^|\n)[ \t]*[#*_>\[(]*[ \t]*(?:q(?:uestion|uery)?(?:[ \t]*#?\d+)?|human|user|instruction|input|problem|student|customer|me|you|client|next question|follow-?up question|prompt)[ \t]*[*_\])]*[ \t]*:[\s*_]*(?P<asked>[^\n]*)",
    re.IGNORECASE,
)


def find_final_channel(text: str) -> str:
    """Return what a reply says in its final channel, where it has channels."""
    found = list(_FINAL_CHANNEL.finditer(text)) if "assistantfinal" in text or "<|channel|>" in text else []
    return text[found[-1].end() :] if found else text


def strip_tokens(text: str) -> str:
    """Return what the assistant says first between the tokens of a chat template, or what stands first between them."""
    tokens = list(_TOKEN.finditer(text)) if "<" in text or "[" in text else []
    if not tokens:
        return text
    first, speaks = text[: tokens[0].start()].strip(), None
    for token, end in zip(tokens, [*(each.start() for each in tokens[1:]), len(text)], strict=True):
        speaks = True if _SPEAKS.search(token[0]) else False if _ASKS.search(token[0]) else speaks
        said = text[token.end() : end]
        header = _HEADER.match(said)
        if header:
            speaks, said = header["speaks"] is not None, said[header.end() :]
        if not any(map(str.isalnum, said)):
            continue
        if speaks:
            return said.strip()
        first = first or (said.strip() if speaks is None else "")
    return first or text


def strip_role(text: str) -> str:
    """Return the text without the label of who speaks, or what a log puts before it."""
    found = _ROLE.match(text) or _LOGGED.match(text)
    return text[found.end() :] if found else text


def cut_next_turn(question: str, text: str) -> str:
    """Return what stands before a turn that is made up after the answer: another question with its answer, which is none to this one."""
    for found in _TURN.finditer(text):
        before = text[: found.start()]
        if not normalise(before) or _is_lead(before):
            continue
        asked, rest = normalise(found["asked"]), text[found.end() :]
        if asked == normalise(question) and len(normalise(rest).split()) > 1:
            continue
        return before.rstrip(" \n\t-=#*_")
    return text


def _is_lead(before: str) -> bool:
    """Tell whether what stands before a question only announces it."""
    return before.rstrip().endswith(":") and "\n" not in before.strip()
