"""The answer that a worked reply comes to: what stands behind "Final answer:", and before the explanation of it."""

import re

from karat.text.delivery.losing import is_blank, loses

_EDGE = r"(?:^|\n)(?:[^\w\n]|\d{1,2}[.)])*"
_STOP = r"[ \t*_]*(?:[:→=]|=>|->|[-–—](?=\s)|\n|\])[*_]{0,3}\s*(?:[>#][>#\s]*)?(?=\S)"
_SO = r"(?:(?:so|thus|therefore|hence|here is|here's|this is|in conclusion)[ ,]+)?(?:(?:the|my|our)[ ]+)?"
_FINAL = re.compile(
    rf"{_EDGE}{_SO}(?:final|short(?:est)?|direct|concise|quick|verified|exact|brief|unanimous|overall)[ ](?:answer|response|result|output|verdict|decision)(?:[ ](?:is|is as follows|to the question|after \w+))?{_STOP}",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"{_EDGE}{_SO}(?:correct[ ])?(?:answer|conclusion|tl;?dr|result|ans|final|response|verdict|in a nutshell|in short|bottom line|draft)(?:[ ](?:is(?: as follows)?|in short|to your question(?: is)?))?{_STOP}",
    re.IGNORECASE,
)
_SECTION = re.compile(
    rf"{_EDGE}(?:(?:brief|full|longer|detailed|more|additional|step-by-step)[ ])?(?:answer in detail|explanation|reasoning|rationale|justification|details?|evidence|support|supporting (?:evidence|passages?|facts?|documents?|quotes?)|analysis|context|background|why(?: it matters| this works)?|"
    r"how (?:i|we) (?:know|got there)|how to verify(?: it)?|to elaborate|thought(?: process)?|work(?:ing)?|steps?|verification|(?:self-?)?check|quotes?|snippets?|passages?|key (?:points?|facts?|takeaways?)|metadata|observation|retrieved (?:context|documents?|passages?|chunks?)|"
    rf"documents? used|follow-?ups?|related(?: questions)?|you might also ask|people also ask|suggested follow-?ups?|next steps|longer answer|fun fact|did you know|status|type|category|difficulty|confidence|notes?|restatement|evidence level)(?:[ ]\([^()\n]{{0,30}}\))?{_STOP}",
    re.IGNORECASE,
)
_LABELLED = re.compile(r"\W*[A-Za-z][A-Za-z ]{2,30}:\s")
_HEADING = re.compile(
    r"\n[ \t]*(?:#{1,6}[ ]|(?:\d{1,2}[.)][ ])?\*\*[^*\n]{1,40}\*\*|-{3,}|_{3,}|\*{3,}|={3,}|<details)"
)
_LAST = re.compile(
    r"(?:^|[.!?\n]\s+)(?:(?:so|thus|therefore|hence|in conclusion|in summary)[ ,]+)?(?:the|my)[ ](?:final[ ])?answer[ ]is(?:[ ](?:therefore|as follows))?:?[ ]+(?!(?:stated|given|found|clear|simple|in|on|provided|that|as|based|explicit\w*|direct\w*|of|well)\b)(?P<said>[^\n]+?)\s*$",
    re.IGNORECASE,
)
_UNSURE = re.compile(r"\b(?:not|never|either|if|unless|unclear|unknown)\b|\?", re.IGNORECASE)
_HINTS = (
    "\n", "answer", "tldr", "tl;dr", "conclusion", "result", "verdict", "nutshell", "in short", "bottom line", "response", "draft", "final", "ans:",
)  # fmt: skip


def find_final(references: tuple[str, ...], text: str) -> str:
    """Return what a reply marks as its answer, without the sections around it; all of it where it marks none, or several."""
    lowered = text.lower()
    if not any(hint in lowered for hint in _HINTS):
        return text
    finals = list(_FINAL.finditer(text))
    marks = finals or list(_PLAIN.finditer(text))
    if len(marks) == 1 or (finals and len({_line(text, each) for each in finals}) == 1):
        said = text[marks[-1].end() :]
        return text if is_blank(said) else _cut_rest(references, said)
    if marks:
        return text
    cut = _cut_section(references, text)
    last = _LAST.search(cut)
    return last["said"] if last and last.start() > 0 and not _UNSURE.search(last["said"]) else cut


def _line(text: str, mark: re.Match[str]) -> str:
    return text[mark.end() :].partition("\n")[0]


def _cut_rest(references: tuple[str, ...], said: str) -> str:
    """Return the first paragraph of what is marked as the answer, where that names as much of the references as all of it does."""
    first = _HEADING.split(_cut_section((), said).split("\n\n")[0])[0].rstrip()
    return said if first.endswith(":") or loses(references, said, first) else first


def _cut_section(references: tuple[str, ...], text: str) -> str:
    """Return what stands before the first section that explains it; what ends with a colon goes on in its sections."""
    found = _SECTION.search(text, 1)
    cut = text[: found.start()].rstrip(" \n\t-=") if found else text
    return text if cut.endswith(":") or _LABELLED.match(cut) or loses(references, text, cut) else cut
