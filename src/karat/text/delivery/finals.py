"""The answer that a worked reply comes to: what stands behind "Final answer:", and before the explanation of it."""

import re

from karat.text.delivery.losing import loses

_EDGE = r"(?:^|\n)[ \t>#*_=\-\d.)✅🔹➡️\[]*"
_FINAL = re.compile(
    rf"{_EDGE}(?:(?:so|thus|therefore|hence)[ ,]+)?(?:(?:the|my|our|\d\.)[ ]+)?(?:final|short|direct|concise|quick|verified|exact|brief)[ ](?:answer|response|result|output|verdict)(?:[ ](?:is|to the question))?[ \t*_]*(?::|=>|->|[-–—][ ]|\n)[*_]{{0,3}}[\s>#]*(?=\S)",
    re.IGNORECASE,
)
_PLAIN = re.compile(
    rf"{_EDGE}(?:(?:so|thus|therefore|hence)[ ,]+)?(?:(?:the|my)[ ]+)?(?:answer|conclusion|tl;?dr|result|ans|final)(?:[ ](?:is|in short))?[ \t*_]*(?::|=>|->|\n|=|\])[*_]{{0,3}}[\s>#]*(?=\S)",
    re.IGNORECASE,
)
_SECTION = re.compile(
    rf"{_EDGE}(?:explanation|reasoning|rationale|justification|details?|evidence|support|supporting (?:evidence|passages?|facts?|documents?|quotes?)|analysis|context|background|why|how (?:i|we) (?:know|got there)|"
    r"thought(?: process)?|work(?:ing)?|steps?|verification|self-?check|quotes?|snippets?|passages?|key (?:points|facts)|metadata|observation|retrieved (?:context|documents?|passages?|chunks?)|documents? used|follow-?ups?|related(?: questions)?|suggested follow-?ups?|next steps)[ \t*_]*(?::|\n)",
    re.IGNORECASE,
)
_LAST = re.compile(
    r"(?:^|[.!?\n]\s+)(?:(?:so|thus|therefore|hence|in conclusion|in summary)[ ,]+)?(?:the|my)[ ](?:final[ ])?answer[ ]is(?:[ ]therefore)?:?[ ]+(?!(?:stated|given|found|clear|simple|in|on|provided|that|as|based|explicit\w*|direct\w*)\b)(?P<said>[^\n]+?)\s*$", re.IGNORECASE
)
_UNSURE = re.compile(r"\b(?:not|never|either|if|unless|unclear|unknown)\b|\?", re.IGNORECASE)


def find_final(references: tuple[str, ...], text: str) -> str:
    """Return what a reply marks as its answer, without the sections around it; all of it where it marks none, or several."""
    finals = list(_FINAL.finditer(text))
    marks = finals or list(_PLAIN.finditer(text))
    if len(marks) == 1 or (finals and len({_line(text, each) for each in finals}) == 1):
        said = text[marks[-1].end() :]
        return _cut_section((), said) if any(map(str.isalnum, said)) else text
    if marks:
        return text
    cut = _cut_section(references, text)
    last = _LAST.search(cut)
    return last["said"] if last and last.start() > 0 and not _UNSURE.search(last["said"]) else cut


def _line(text: str, mark: re.Match[str]) -> str:
    return text[mark.end() :].partition("\n")[0]


def _cut_section(references: tuple[str, ...], text: str) -> str:
    """Return what stands before the first section that explains it; what ends with a colon goes on in its sections."""
    found = _SECTION.search(text, 1)
    cut = text[: found.start()].rstrip(" \n\t-=") if found else text
    return text if cut.endswith(":") or loses(references, text, cut) else cut
