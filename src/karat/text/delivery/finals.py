"""The answer that a worked reply comes to: what stands behind "Final answer:", and before the explanation of it."""

import re

from karat.text.delivery.losing import is_blank, loses, retracts

_EDGE = r"(?:^|\n)[^\w\n]{0,12}"
_STOP = r"[ \t*_]{0,4}(?:[:→]|=>|->|[—–](?=\s)|\n)[*_]{0,3}\s{0,4}(?:[>#]{1,3}\s{0,3})?(?=\S)"
_SO = r"(?:(?:so|thus|therefore|hence|here is|here's|in conclusion)[ ,]{1,2})?(?:(?:the|my|our)[ ])?"
_FINAL = re.compile(
    rf"{_EDGE}{_SO}(?:final|short|direct|concise|quick|verified|exact|brief|unanimous)[ ](?:answer|response|verdict)(?:[ ](?:is|is as follows|to the question|after \w+))?{_STOP}",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"{_EDGE}(?:\d{{1,2}}[.)][ ][*_]{{0,2}})?{_SO}(?:correct[ ])?(?:answer|tl;?dr|ans)(?:[ ](?:is(?: as follows)?|to your question(?: is)?))?[ \t*_]{{0,4}}(?:[:→]|=>|->|(?<=[#*_])\n)[*_]{{0,3}}\s{{0,4}}(?:[>#]{{1,3}}\s{{0,3}})?(?=\S)|(?:^|\n)#{{1,6}}[^\w\n]{{0,6}}answer[^\w\n]{{0,4}}\n\s{{0,4}}(?=\S)",
    re.IGNORECASE,
)
_WORK = (
    r"(?:restatement|question|plan|thoughts?(?: \d+)?|thinking|reasoning|rationale|explanation|analysis|step \d+[^:\n]{0,40}|steps?|context|observation(?: \d+)?|action(?: \d+)?(?: input)?|evidence|support|sources?|references?|confidence|check|self-?check|verification|"
    r"justification|details?|background|notes?|status|type|why it matters|how to verify it|key takeaways?|related(?: questions)?|people also ask|you might also ask|follow-?up(?: questions)?|longer answer|supporting (?:evidence|facts?|passages?|quotes?))"
)
_EXPLAINED = r"(?:(?:brief |full |detailed )?explanation|reasoning|rationale|justification|supporting (?:evidence|facts?|passages?|quotes?)|evidence|confidence|self-?check|longer answer|related questions|people also ask|you might also ask|follow-?up questions)"
_SECTION = re.compile(
    rf"\n[#*_> \t📚💡🔍🧠🙋]{{0,8}}{_EXPLAINED}[ \t*_]{{0,4}}(?:[:→]|(?<=[*_])\n|\n(?=\n))", re.IGNORECASE
)
_HEADED = re.compile(rf"\n#{{1,6}}[ ][^\w\n]{{0,4}}{_EXPLAINED}\b[^\n]{{0,30}}\n", re.IGNORECASE)
_WHY = re.compile(
    r"\b(?:why|how|explain\w*|explanation|justif\w+|reasons?|reasoning|evidence|describe)\b", re.IGNORECASE
)
_LABELLED = re.compile(
    r"(?:^|\n)[^\w\n]{0,6}(?:\d{1,2}[.)][ ][*_]{0,2})?(?P<label>[A-Za-z][\w' -]{1,50})[*_]{0,3}[:→]"
)
_LISTED = re.compile(r"(?:^|\n)[ \t]*(?:[-*•]|\d{1,2}[.)])[ ]")
_LAST = re.compile(
    r"(?:^|[.!?\n]\s{1,3})(?:(?:so|thus|therefore|hence)[ ,]{1,2})?(?:the|my)[ ](?:final[ ])?answer[ ]is(?:[ ](?:therefore|as follows))?:?[ ](?!(?:stated|given|found|clear|simple|in|on|provided|that|as|based|explicit\w*|direct\w*|of|well|not|correct|right|wrong|disputed|known|unknown|yes|no)\b)(?P<said>[^\n.!?]{1,120})[.!]?$",
    re.IGNORECASE,
)
_HINTS = ("\n", "answer", "tldr", "tl;dr", "ans:", "response", "verdict")
_MOST_LINES = 3


def find_final(question: str, references: tuple[str, ...], text: str) -> str:
    """Return what a reply marks as its answer, without the sections around it; all of it where it marks none or several, or something else is said beside it."""
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return text
    finals = list(_FINAL.finditer(text))
    marks = finals or list(_PLAIN.finditer(text))
    if len(marks) == 1 and (finals or _follows_work(text[: marks[0].start()])):
        said = text[marks[0].end() :]
        return text if is_blank(said) else _cut_section(question, (), said)
    if marks:
        return text
    last = _LAST.search(text.rstrip())
    if last and last.start() > 0 and not retracts(last["said"]):
        return last["said"]
    return _cut_section(question, references, text)


def _follows_work(before: str) -> bool:
    """Tell whether what stands before an answer is work that leads to it, and no list of which the answer is one of several items."""
    labels = [found["label"].strip() for found in _LABELLED.finditer(before)]
    return all(re.fullmatch(_WORK, label, re.IGNORECASE) for label in labels)


def _cut_section(question: str, references: tuple[str, ...], text: str) -> str:
    """Return a brief answer that stands before sections which explain it; lists and forms have no such sections, and what takes something back is a part of the answer."""
    found = _HEADED.search(text) or _SECTION.search(text)
    cut = text[: found.start()].rstrip(" \n\t-=") if found else text
    if found is None or _WHY.search(question) or cut.startswith("#"):
        return text
    if cut.endswith(":") or cut.count("\n") > _MOST_LINES:
        return text
    if _LABELLED.search(cut) or _LISTED.search(cut) or retracts(text[found.start() :]):
        return text
    return text if loses(references, text, cut) else cut
