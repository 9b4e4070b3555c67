"""Tokens of chat templates, labels of roles, the question said again, and turns that a model made up after its own."""

import re

from karat.text.delivery.losing import is_blank, loses, retracts
from karat.text.normalise import normalise

_FINAL_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,4}final\s{0,4}(?:<\|constrain\|>\s{0,4}\w{1,20}\s{0,4})?<\|message\|>|^analysis(?=[A-Z]).*?assistantfinal(?=\S)",
    re.DOTALL,
)
_TOKEN = re.compile(
    r"<[|｜][^|｜<>\n]{1,40}[|｜]>|^\s{0,4}<s>(?!.*</s>\s*[^\s<\[])|</s>(?=\s*(?:$|<|\[))|</?(?:bos|eos|pad|unk|(?:end|start)_(?:of_)?(?:turn|utterance|code|action|text|answer))>|\[/?INST\]|<</?SYS>>|"
    r"^\[TOOL_CALLS\]|\[(?:No )?Retrieval\]|\[(?:Ir)?relevant\]|\[(?:Fully|Partially) supported\]|\[Utility:\d\]"
)
_PAIRED = re.compile(r"\[(?:CLS|SEP|PAD)\]")
_SPEAKS = re.compile(r"assistant|chatbot|model|/INST|begin_of_solution", re.IGNORECASE)
_ASKS = re.compile(r"user|human|system|SYS>>|\[INST|tool|ipython", re.IGNORECASE)
_HEADER = re.compile(
    r"^\s{0,4}(?:(?P<speaks>assistant|model|gpt|bot|chatbot)|user|human|system|tool)[ \t]{0,4}:?[ \t]{0,4}(?:\n|$)",
    re.IGNORECASE,
)
_TAG = re.compile(r"<[^<>\n]{1,60}>")
_ROLE = re.compile(
    r"^[\s*_#>\[(]{0,8}(?:(?:assistant|ai assistant|bot|chat ?bot|agent|model|gpt|llm|response|reply|output|completion)[\s*_\])🤖]{0,6}(?:[(\[][^()\[\]\n]{1,30}[)\]]\s?)?:|(?:assistant|model|#{1,6} ?response:?)\n)[\s*_]{0,6}(?=\S)",
    re.IGNORECASE,
)
_LOGGED = re.compile(
    r"^(?:\[\w{2,10}\]|\d{4}-\d\d-\d\d|\d\d:\d\d|(?:INFO|DEBUG|LOG)\b)[^\n]{0,120}?\b(?:answer|output|response|result|prediction)\s?[:=]\s{0,4}(?=\S)",
    re.IGNORECASE,
)
# Who speaks after a question: a label of one to three words, or a heading.
_REPLY = re.compile(
    r"[\s?\"'”*_)\]|>-]{0,120}(?<=\s)(?:#{1,6}[ ]{0,2})?[*_]{0,2}(?:[A-Z][\w.]{0,20}(?:[ ][A-Z0-9][\w.]{0,20}){0,2}|assistant|model)[*_]{0,2}(?:[ ]\([^()\n]{1,30}\))?[*_]{0,2}:[*_\s]{0,6}(?=\S)"
)
_TURN = re.compile(
    r"\n[ \t]{0,4}(?:#{1,6}[ ]{0,2})?[*_\[(]{0,2}(?:Q|Question|Query|Human|User|Instruction|HUMAN|USER)(?:[ ]?#?\d{1,3})?[*_\])]{0,2}:(?=\s|$)[\s*_]{0,6}(?P<asked>[^\n]*)"
)
_OTHER_TEXT = re.compile(
    r"\n\s{0,4}(?:#{1,6}[ ]{0,2}|[*_]{1,2})?(?:(?:Exercise|Problem|Trivia night|Passage) ?\d{0,3}[:.,\n]|(?:More )?Fun Facts\b|Copyright ©|\\(?:end\{document|documentclass)|In \[\d{1,4}\]:|>>> |You are an AI assistant\b)"
)
_CODE = re.compile(
    r"\n\s{0,4}(?:import \w[\w.]{0,40}(?: as \w{1,20})?\n|from \w[\w.]{0,40} import |def \w{1,40}\(|class \w{1,40}[(:]|#include [<\"])"
)
_OF_CODE = re.compile(r"\b(?:how|write|implement|class|function|code|program|script)\b", re.IGNORECASE)


_LABEL = re.compile(r"^\s{0,4}(?:a|answer)\s?:", re.IGNORECASE)
_ASKED_BACK = re.compile(r"\b(?:are you sure|really|is that)\b", re.IGNORECASE)
_GOES_BACK = re.compile(
    r"\b(?:sorry|apolog\w+|my mistake|i was wrong|you(?:'re| are) right|correction|no, )", re.IGNORECASE
)


def find_final_channel(text: str) -> str:
    """Return what a reply says in its final channel, where it has channels."""
    found = list(_FINAL_CHANNEL.finditer(text)) if "assistantfinal" in text or "<|channel|>" in text else []
    return text[found[-1].end() :] if found else text


def strip_tokens(question: str, text: str) -> str:
    """Return what is said first between the tokens of a chat template by who is no asker, and is not the question; all of it where later turns take it back."""
    pattern = _PAIRED if text.startswith("[CLS]") else _TOKEN
    tokens = list(pattern.finditer(text)) if "<" in text or "[" in text else []
    if not tokens:
        return text
    asked, speaks = normalise(question), None
    ends = [*(each.start() for each in tokens[1:]), len(text)]
    pieces = [(None, text[: tokens[0].start()], tokens[0].start())]
    pieces += [(token[0], text[token.end() : end], end) for token, end in zip(tokens, ends, strict=True)]
    for token, piece, end in pieces:
        if token is not None:
            speaks = True if _SPEAKS.search(token) else False if _ASKS.search(token) else speaks
        header = _HEADER.match(piece) if token is not None else None
        speaks = speaks if header is None else header["speaks"] is not None
        said = piece[header.end() if header else 0 :].strip()
        blank = is_blank(_TAG.sub(" ", said))
        if (
            not blank
            and speaks is not False
            and not (asked and normalise(said[-2 * len(question) - 80 :]).endswith(asked))
        ):
            return text if retracts(text[end:]) else said
    return text


def strip_role(text: str) -> str:
    """Return the text without the label of who speaks, or what a log puts before it."""
    found = _ROLE.match(text) or _LOGGED.match(text)
    return text[found.end() :] if found else text


def cut_asked(question: str, text: str) -> str:
    """Return the reply of a transcript, which begins behind the question and a label of who replies."""
    asked = question.strip()
    place = text.find(asked) if asked else -1
    found = _REPLY.match(text, place + len(asked)) if place >= 0 else None
    return text[found.end() :] if found else text


def cut_next_turn(question: str, references: tuple[str, ...], text: str) -> str:
    """Return what stands before a turn that is made up after the answer: another question with its answer, which is none to this one, or another text."""
    code = [] if _OF_CODE.search(question) else list(_CODE.finditer(text))
    turns = (found for found in _TURN.finditer(text) if _leads_away(question, found, text))
    for found in (*turns, *_OTHER_TEXT.finditer(text), *code):
        before = text[: found.start()].rstrip(" \n\t-=#*_")
        if not before.endswith(":") and not loses(references, text, before):
            return before
    return text


def _leads_away(question: str, turn: re.Match[str], text: str) -> bool:
    """Tell whether a turn asks something else, or the same and nothing more, and what follows does not go back to the answer that was given."""
    if normalise(turn["asked"]) == normalise(question):
        if not is_blank(_LABEL.sub("", text[turn.end() :])):
            return False
    elif _ASKED_BACK.search(turn["asked"]):
        return False
    return _GOES_BACK.search(text, turn.start()) is None
