"""Extract the answer from chat templates, reasoning, tags and replies that show their work."""

import re

from karat.text.hedges import may_retract
from karat.text.lexicon import any_case
from karat.text.normal import is_blank, loses_reference, normalise

_FINAL_CHANNEL = re.compile(
    r"<\|channel\|>\s{0,4}final\s{0,4}(?:<\|constrain\|>\s{0,4}\w{1,20}\s{0,4})?<\|message\|>|^analysis(?=[A-Z]).*?assistantfinal(?=\S)",
    re.DOTALL,
)
_TEMPLATE_TOKEN = re.compile(
    r"<[|｜][^|｜<>\n]{1,40}[|｜]>|^\s{0,4}<s>(?!.*</s>\s*[^\s<\[])|</s>(?=\s*(?:$|<|\[))|</?(?:bos|eos|pad|unk|(?:end|start)_(?:of_)?(?:turn|utterance|code|action|text|answer))>|\[/?INST\]|<</?SYS>>|"
    r"^\[TOOL_CALLS\]|\[(?:No )?Retrieval\]|\[(?:Ir)?relevant\]|\[(?:Fully|Partially) supported\]|\[Utility:\d\]"
)
_PAIRED = re.compile(r"\[(?:CLS|SEP|PAD)\]")
_SPEAKS = any_case(r"assistant|chatbot|model|/INST|begin_of_solution")
_ASKS = any_case(r"user|human|system|SYS>>|\[INST|tool|ipython")
_HEADER = any_case(
    r"^\s{0,4}(?:(?P<speaks>assistant|model|gpt|bot|chatbot)|user|human|system|tool)[ \t]{0,4}:?[ \t]{0,4}(?:\n|$)"
)
_TEMPLATE_TAG = re.compile(r"<[^<>\n]{1,60}>")
_ROLE = any_case(
    r"^[\s*_#>\[(]{0,8}(?:(?:assistant|ai assistant|bot|chat ?bot|agent|model|gpt|llm|response|reply|output|completion)[\s*_\])🤖]{0,6}(?:[(\[][^()\[\]\n]{1,30}[)\]]\s?)?:|(?:assistant|model|#{1,6} ?response:?)\n)[\s*_]{0,6}(?=\S)"
)
_LOGGED = any_case(
    r"^(?:\[\w{2,10}\]|\d{4}-\d\d-\d\d|\d\d:\d\d|(?:INFO|DEBUG|LOG)\b)[^\n]{0,120}?\b(?:answer|output|response|result|prediction)\s?[:=]\s{0,4}(?=\S)"
)
# The label of the reply after a question: one to three words, or a heading.
_REPLY = re.compile(
    r"[\s?\"'”*_)\]|>-]{0,120}(?<=\s)(?:#{1,6}[ ]{0,2})?[*_]{0,2}(?:[A-Z][\w.]{0,20}(?:[ ][A-Z0-9][\w.]{0,20}){0,2}|assistant|model)[*_]{0,2}(?:[ ]\([^()\n]{1,30}\))?[*_]{0,2}:[*_\s]{0,6}(?=\S)"
)
_NEXT_TURN = re.compile(
    r"\n[ \t]{0,4}(?:#{1,6}[ ]{0,2})?[*_\[(]{0,2}(?:Q|Question|Query|Human|User|Instruction|HUMAN|USER)(?:[ ]?#?\d{1,3})?[*_\])]{0,2}:(?=\s|$)[\s*_]{0,6}(?P<asked>[^\n]*)"
)
_OTHER_TEXT = re.compile(
    r"\n\s{0,4}(?:#{1,6}[ ]{0,2}|[*_]{1,2})?(?:(?:Exercise|Problem|Trivia night|Passage) ?\d{0,3}[:.,\n]|(?:More )?Fun Facts\b|Copyright ©|\\(?:end\{document|documentclass)|In \[\d{1,4}\]:|>>> |You are an AI assistant\b)"
)
_CODE_START = re.compile(
    r"\n\s{0,4}(?:import \w[\w.]{0,40}(?: as \w{1,20})?\n|from \w[\w.]{0,40} import |def \w{1,40}\(|class \w{1,40}[(:]|#include [<\"])"
)
_OF_CODE = any_case(r"\b(?:how|write|implement|class|function|code|program|script)\b")

_ANSWER_PREFIX = any_case(r"^\s{0,4}(?:a|answer)\s?:")
_ASKED_BACK = any_case(r"\b(?:are you sure|really|is that)\b")
_GOES_BACK = any_case(r"\b(?:sorry|apolog\w+|my mistake|i was wrong|you(?:'re| are) right|correction|no, )")


def find_final_channel(text: str) -> str:
    """Return the final channel of a reply, or all of it if it has no channels."""
    found = list(_FINAL_CHANNEL.finditer(text)) if "assistantfinal" in text or "<|channel|>" in text else []
    return text[found[-1].end() :] if found else text


def strip_tokens(question: str, text: str) -> str:
    """Return the first turn of a chat template that is not from the user and does not repeat the question.

    Return all of the text if later turns may take the answer back.
    """
    pattern = _PAIRED if text.startswith("[CLS]") else _TEMPLATE_TOKEN
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
        blank = is_blank(_TEMPLATE_TAG.sub(" ", said))
        asks = asked and normalise(said[-2 * len(question) - 80 :]).endswith(asked)
        if not (blank or asks or speaks is False):
            return text if may_retract(text[end:]) else said
    return text


def strip_role(text: str) -> str:
    """Return the text without the label of a speaker or the prefix of a log line."""
    found = _ROLE.match(text) or _LOGGED.match(text)
    return text[found.end() :] if found else text


def cut_repeated_question(question: str, text: str) -> str:
    """Return the reply of a transcript: the text after the question and the label of the replying side."""
    asked = question.strip()
    place = text.find(asked) if asked else -1
    found = _REPLY.match(text, place + len(asked)) if place >= 0 else None
    return text[found.end() :] if found else text


def cut_next_turn(question: str, references: tuple[str, ...], text: str) -> str:
    """Return the text before an invented turn after the answer: another question, code or another document."""
    code = [] if _OF_CODE.search(question) else list(_CODE_START.finditer(text))
    turns = (found for found in _NEXT_TURN.finditer(text) if _asks_something_else(question, found, text))
    for found in (*turns, *_OTHER_TEXT.finditer(text), *code):
        before = text[: found.start()].rstrip(" \n\t-=#*_")
        if not before.endswith(":") and not loses_reference(references, text, before):
            return before
    return text


def _asks_something_else(question: str, turn: re.Match[str], text: str) -> bool:
    """Return whether a turn asks another question, or the same without an answer, and the text after it does not correct the answer."""
    if normalise(turn["asked"]) == normalise(question):
        if not is_blank(_ANSWER_PREFIX.sub("", text[turn.end() :])):
            return False
    elif _ASKED_BACK.search(turn["asked"]):
        return False
    return _GOES_BACK.search(text, turn.start()) is None


# Reasoning blocks.

_REASONING_NAMES = (
    r"think(?:ing)?|thoughts?|reason(?:ing)?|analysis|scratch_?pad|reflection|inner_monologue|monologue|cot|chain_of_thought|rationale|"
    r"search(?:_results|_query)?|information|context|documents?|sources?|citations?|references|evidence|quotes|tool_response"
)
_REASONING_START = any_case(
    rf"<(?P<name>{_REASONING_NAMES})(?:\s[^<>]*)?>|◁think▷|\[THINK\]|<\|begin_of_thought\|>"
)
_REASONING_END = any_case(r"</think(?:ing)?>|◁/think▷|\[/THINK\]|<\|end_of_thought\|>")
_REASONING_TIME = any_case(
    r"^[\s>*_#💭🤔🧠]*(?:thought|reasoned|thinking) for [\w ,.]{1,30}(?:seconds?|minutes?|s|m)\b[^\n]*\n+"
)
_FOLDED_REASONING = re.compile(
    r"<details[^<>]{0,80}(?:reason|think)[^<>]{0,80}>.*?</details>|<details[^<>]{0,80}>\s{0,4}<summary>[^<>]{0,80}(?:thought|reason|think)[^<>]{0,80}</summary>.*?</details>",
    re.IGNORECASE | re.DOTALL,
)
_REASONING_CLOSERS = {
    "◁think▷": "◁/think▷",
    "[think]": "[/think]",
    "<|begin_of_thought|>": "<|end_of_thought|>",
}


def strip_reasoning(text: str) -> str:
    """Return the text without blocks of reasoning or sources. Return all of it if nothing else is left."""
    text = _REASONING_TIME.sub("", text)
    if not any(sign in text for sign in ("</", "◁", "[THINK]", "<|begin_of_thought|>", "[think]")):
        return text
    folded = text.rfind("</details>") + len("</details>")
    text = f"{_FOLDED_REASONING.sub('', text[:folded])}{text[folded:]}" if "</details>" in text else text
    kept, place = list[str](), 0
    while found := _REASONING_START.search(text, place):
        closing = f"</{found['name'].lower()}>" if found["name"] else _REASONING_CLOSERS[found[0].lower()]
        closed = any_case(re.escape(closing)).search(text, found.end())
        if closed is None:
            break
        kept.append(text[place : found.start()])
        place = closed.end()
    said = "".join([*kept, text[place:]])
    # If the prompt opens the block, only its end is in the reply.
    ends = list(_REASONING_END.finditer(said))
    said = said[ends[-1].end() :] if ends else said
    return text if is_blank(said) else said.strip()


# Tags around an answer.

_ANSWER_NAMES = r"final_?answer|answer|ans|short_answer"
_LOOSE_ANSWER_NAMES = rf"{_ANSWER_NAMES}|final|response|result|output|solution|reply"
_ANSWER_TAG = re.compile(
    rf"<(?P<name>{_ANSWER_NAMES})(?:\s[^<>]{{0,80}})?>(?P<inner>.*?)</(?P=name)>", re.IGNORECASE | re.DOTALL
)
_WHOLE_ANSWER_TAG = re.compile(
    rf"^\s{{0,4}}(?:<[^<>]{{1,80}}>\s{{0,4}}){{0,4}}<(?P<name>{_LOOSE_ANSWER_NAMES})(?:\s[^<>]{{0,80}})?>(?P<inner>.*?)</(?P=name)>",
    re.IGNORECASE | re.DOTALL,
)
_OPEN_ANSWER_TAG = any_case(rf"^\s{{0,4}}<(?:{_ANSWER_NAMES})>(?P<inner>[^<>]+)$")
_NODE = re.compile(r"<[^<>]*>")


def find_tagged_answer(text: str) -> str:
    """Return the content of the innermost answer tag, or all of the text if there are several or the rest takes the answer back."""
    while "<" in text:
        alone = _WHOLE_ANSWER_TAG.match(text) or _OPEN_ANSWER_TAG.match(text)
        found = list(_ANSWER_TAG.finditer(text)) or ([alone] if alone else [])
        held = {each["inner"].strip() for each in found}
        if len(held) != 1 or is_blank(*held) or may_retract(text[found[-1].end() :]):
            break
        if text[: found[0].start()].rstrip().endswith(("not", "n't", "never")):
            break
        text = held.pop()
    return text


def find_only_node(text: str) -> str:
    """Return the text of an XML or HTML document, if only one node has text."""
    if not (text.startswith("<") and text.rstrip().endswith(">")):
        return text
    nodes = [node.strip() for node in _NODE.split(text) if not is_blank(node)]
    return nodes[0] if len(nodes) == 1 else text


# The marked answer of a reply that shows its work: after "Final answer:", before the explanation.

_EDGE = r"(?:^|\n)[^\w\n]{0,12}"
_STOP = r"[ \t*_]{0,4}(?:[:→]|=>|->|[—–](?=\s)|\n)[*_]{0,3}\s{0,4}(?:[>#]{1,3}\s{0,3})?(?=\S)"
_SO = r"(?:(?:so|thus|therefore|hence|here is|here's|in conclusion)[ ,]{1,2})?(?:(?:the|my|our)[ ])?"
_FINAL_LABEL = any_case(
    rf"{_EDGE}{_SO}(?:final|short|direct|concise|quick|verified|exact|brief|unanimous)[ ](?:answer|response|verdict)(?:[ ](?:is|is as follows|to the question|after \w+))?{_STOP}"
)
_ANSWER_LABEL = any_case(
    rf"{_EDGE}(?:\d{{1,2}}[.)][ ][*_]{{0,2}})?{_SO}(?:correct[ ])?(?:answer|tl;?dr|ans)(?:[ ](?:is(?: as follows)?|to your question(?: is)?))?[ \t*_]{{0,4}}(?:[:→]|=>|->|(?<=[#*_])\n)[*_]{{0,3}}\s{{0,4}}(?:[>#]{{1,3}}\s{{0,3}})?(?=\S)|(?:^|\n)#{{1,6}}[^\w\n]{{0,6}}answer[^\w\n]{{0,4}}\n\s{{0,4}}(?=\S)"
)
_WORK = (
    r"(?:restatement|question|plan|thoughts?(?: \d+)?|thinking|reasoning|rationale|explanation|analysis|step \d+[^:\n]{0,40}|steps?|context|observation(?: \d+)?|action(?: \d+)?(?: input)?|evidence|support|sources?|references?|confidence|check|self-?check|verification|"
    r"justification|details?|background|notes?|status|type|why it matters|how to verify it|key takeaways?|related(?: questions)?|people also ask|you might also ask|follow-?up(?: questions)?|longer answer|supporting (?:evidence|facts?|passages?|quotes?))"
)
_EXPLAINED = r"(?:(?:brief |full |detailed )?explanation|reasoning|rationale|justification|supporting (?:evidence|facts?|passages?|quotes?)|evidence|confidence|self-?check|longer answer|related questions|people also ask|you might also ask|follow-?up questions)"
_SECTION = any_case(rf"\n[#*_> \t📚💡🔍🧠🙋]{{0,8}}{_EXPLAINED}[ \t*_]{{0,4}}(?:[:→]|(?<=[*_])\n|\n(?=\n))")
_HEADED = any_case(rf"\n#{{1,6}}[ ][^\w\n]{{0,4}}{_EXPLAINED}\b[^\n]{{0,30}}\n")
_WHY = any_case(r"\b(?:why|how|explain\w*|explanation|justif\w+|reasons?|reasoning|evidence|describe)\b")
_LABELLED = re.compile(
    r"(?:^|\n)[^\w\n]{0,6}(?:\d{1,2}[.)][ ][*_]{0,2})?(?P<label>[A-Za-z][\w' -]{1,50})[*_]{0,3}[:→]"
)
_LISTED = re.compile(r"(?:^|\n)[ \t]*(?:[-*•]|\d{1,2}[.)])[ ]")
_LAST_SENTENCE = any_case(
    r"(?:^|[.!?\n]\s{1,3})(?:(?:so|thus|therefore|hence)[ ,]{1,2})?(?:the|my)[ ](?:final[ ])?answer[ ]is(?:[ ](?:therefore|as follows))?:?[ ](?!(?:stated|given|found|clear|simple|in|on|provided|that|as|based|explicit\w*|direct\w*|of|well|not|correct|right|wrong|disputed|known|unknown|yes|no)\b)(?P<said>[^\n.!?]{1,120})[.!]?$"
)
_FINAL_HINTS = ("\n", "answer", "tldr", "tl;dr", "ans:", "response", "verdict")
_MOST_LINES = 3


def find_marked_answer(question: str, references: tuple[str, ...], text: str) -> str:
    """Return the marked answer of a reply without the sections around it. Return all of it if no answer or several are marked."""
    lowered = text.lower()
    if not any(hint in lowered for hint in _FINAL_HINTS):
        return text
    finals = list(_FINAL_LABEL.finditer(text))
    marks = finals or list(_ANSWER_LABEL.finditer(text))
    if len(marks) == 1 and (finals or _follows_work(text[: marks[0].start()])):
        said = text[marks[0].end() :]
        return text if is_blank(said) else _cut_section(question, (), said)
    if marks:
        return text
    last = _LAST_SENTENCE.search(text.rstrip())
    if last and last.start() > 0 and not may_retract(last["said"]):
        return last["said"]
    return _cut_section(question, references, text)


def _follows_work(before: str) -> bool:
    """Return whether all labels before an answer belong to its work, so that the answer is no item of a list."""
    labels = [found["label"].strip() for found in _LABELLED.finditer(before)]
    return all(re.fullmatch(_WORK, label, re.IGNORECASE) for label in labels)


def _cut_section(question: str, references: tuple[str, ...], text: str) -> str:
    """Return a brief answer without the sections after it that explain it. Return all of a list, a form, or a text whose sections take something back."""
    found = _HEADED.search(text) or _SECTION.search(text)
    if found is None or _WHY.search(question) or may_retract(text[found.start() :]):
        return text
    cut = text[: found.start()].rstrip(" \n\t-=")
    listed = cut.startswith("#") or cut.endswith(":") or _LABELLED.search(cut) or _LISTED.search(cut)
    return text if listed or cut.count("\n") > _MOST_LINES or loses_reference(references, text, cut) else cut
