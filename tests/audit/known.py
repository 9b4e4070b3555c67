"""Judges behind a real endpoint with known faults, so that the expected audit results can be counted."""

import json
import re
from collections.abc import Callable, Iterable, Sequence

from karat.audit.probe import Probe
from karat.text import strip_invisible
from oracle import last_user_text
from provider import Call

_ITEM = re.compile(r"^### Item (\d+)(?: \([a-z]{6}\))?\n(\{.*\})$", re.MULTILINE)
Seen = tuple[str, str]
Opinion = Callable[[Seen, int, Sequence[Seen]], bool]


def see(probe: Probe) -> Seen:
    """A probe as a model sees it: its question and its answer, without what cannot be seen."""
    return strip_invisible(probe.question or ""), strip_invisible(probe.answer)


def truths(probes: Iterable[Probe]) -> dict[Seen, bool]:
    """What a judge that is always right says of every probe."""
    known: dict[Seen, bool] = {}
    for probe in probes:
        right = probe.family in ("harmless", "order") or (probe.family == "base" and probe.kind != "wrong")
        if known.setdefault(see(probe), right) != right:
            raise AssertionError(f"{probe.id} is right in one probe and wrong in another")
    return known


def seen_in(call: Call) -> list[Seen]:
    """The items of a match prompt."""
    text = last_user_text(call)
    found = _ITEM.findall(text[text.rindex("# Your batch") :])
    fields = [json.loads(body) for _, body in found]
    return [(field.get("question", ""), field["provided_answer"]) for field in fields]


_TAGGED = re.compile(
    r"<question>(.*?)</question>\n<correct_answer>.*?</correct_answer>\n<predicted_answer>(.*?)</predicted_answer>",
    re.DOTALL,
)
_POINTS = re.compile(
    r"^Question \d+: (\".*\")\nTrue answer.*\nAnswer from the model: (\".*\")$", re.MULTILINE
)


def answer_on_scale(opinion: Callable[[Seen], int]) -> Callable[[Call], str]:
    """A model that gives values, by either of the protocols that have a scale."""

    def answer(call: Call) -> str:
        text = last_user_text(call)
        points = [(json.loads(question), json.loads(answer)) for question, answer in _POINTS.findall(text)]
        items: list[Seen] = points or [_TAGGED.findall(text)[-1]]
        return ", ".join(str(opinion(item)) for item in items)

    return answer


def answer_by(opinion: Opinion) -> Callable[[Call], str]:
    """A model of this opinion, which may depend on the place of an item and on its company."""

    def answer(call: Call) -> str:
        items = seen_in(call)
        verdicts = [opinion(item, place, items) for place, item in enumerate(items)]
        return json.dumps(
            {f"Answer {n}": "Yes" if verdict else "No" for n, verdict in enumerate(verdicts, 1)}
        )

    return answer
