"""What a reasoning system says to itself before it answers."""

import re

from karat.text.delivery.losing import is_blank

_NAMES = (
    r"think(?:ing)?|thoughts?|reason(?:ing)?|analysis|scratch_?pad|reflection|inner_monologue|monologue|cot|chain_of_thought|rationale|"
    r"search(?:_results|_query)?|information|context|documents?|sources?|citations?|references|evidence|quotes|tool_response"
)
_OPEN = re.compile(
    rf"<(?P<name>{_NAMES})(?:\s[^<>]*)?>|◁think▷|\[THINK\]|<\|begin_of_thought\|>", re.IGNORECASE
)
_CLOSED = re.compile(r"</think(?:ing)?>|◁/think▷|\[/THINK\]|<\|end_of_thought\|>", re.IGNORECASE)
_TIMED = re.compile(
    r"^[\s>*_#💭🤔🧠]*(?:thought|reasoned|thinking) for [\w ,.]{1,30}(?:seconds?|minutes?|s|m)\b[^\n]*\n+",
    re.IGNORECASE,
)
_FOLDED = re.compile(
    r"<details[^<>]{0,80}(?:reason|think)[^<>]{0,80}>.*?</details>|<details[^<>]{0,80}>\s{0,4}<summary>[^<>]{0,80}(?:thought|reason|think)[^<>]{0,80}</summary>.*?</details>",
    re.IGNORECASE | re.DOTALL,
)
_CLOSING = {"◁think▷": "◁/think▷", "[think]": "[/think]", "<|begin_of_thought|>": "<|end_of_thought|>"}


def strip_thinking(text: str) -> str:
    """Return the text without blocks of reasoning, sources and the like; all of it where nothing else is said, or a block stays open."""
    text = _TIMED.sub("", text)
    if not any(sign in text for sign in ("</", "◁", "[THINK]", "<|begin_of_thought|>", "[think]")):
        return text
    folded = text.rfind("</details>") + len("</details>")
    text = f"{_FOLDED.sub('', text[:folded])}{text[folded:]}" if "</details>" in text else text
    kept, place = list[str](), 0
    while found := _OPEN.search(text, place):
        closing = f"</{found['name'].lower()}>" if found["name"] else _CLOSING[found[0].lower()]
        closed = re.compile(re.escape(closing), re.IGNORECASE).search(text, found.end())
        if closed is None:
            break
        kept.append(text[place : found.start()])
        place = closed.end()
    said = "".join([*kept, text[place:]])
    # A template may open the block in the prompt, so that only its end is in the reply.
    ends = list(_CLOSED.finditer(said))
    said = said[ends[-1].end() :] if ends else said
    return text if is_blank(said) else said.strip()
