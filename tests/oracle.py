"""A model that reads karat's prompts without karat's code and answers them perfectly."""

import json
import re
from collections.abc import Callable
from typing import Any

from provider import Call

_MATCH_ITEM = re.compile(r"^### Item (\d+)(?: \([a-z]{6}\))?\n(\{.*\})$", re.MULTILINE)
_KEYPOINTS_ITEM = re.compile(
    r"^Question (\d+)(?: \([a-z]{6}\))?: (\".*\")\nTrue answer(?: \(any one of\))?: (.*)\nAnswer from the model: (\".*\")$",
    re.MULTILINE,
)
_TAGGED = re.compile(
    r"<question>(.*?)</question>\n<correct_answer>(.*?)</correct_answer>\n<predicted_answer>(.*?)</predicted_answer>",
    re.DOTALL,
)

Opinion = Callable[[str], int | bool]


def last_user_text(call: Call) -> str:
    """The text of the last user turn."""
    return next(turn["content"] for turn in reversed(call.body["messages"]) if turn["role"] == "user")


def match_answers(call: Call) -> list[str]:
    """The provided answers of a match prompt, in order."""
    text = last_user_text(call)
    found = _MATCH_ITEM.findall(text[text.rindex("# Your batch") :])
    assert [int(number) for number, _ in found] == list(range(1, len(found) + 1))
    return [json.loads(body)["provided_answer"] for _, body in found]


def keypoints_answers(call: Call) -> list[str]:
    """The answers of a keypoints prompt, in order."""
    found = _KEYPOINTS_ITEM.findall(last_user_text(call))
    assert [int(number) for number, *_ in found] == list(range(1, len(found) + 1))
    return [json.loads(answer) for *_, answer in found]


def equivalence_answer(call: Call) -> str:
    """The answer of an equivalence prompt: the last tagged case."""
    return _TAGGED.findall(last_user_text(call))[-1][2]


def answer_match(opinion: Opinion) -> Callable[[Call], str]:
    """Answer by the contract of match."""

    def answer(call: Call) -> str:
        verdicts = ["Yes" if opinion(text) else "No" for text in match_answers(call)]
        return json.dumps({f"Answer {number}": verdict for number, verdict in enumerate(verdicts, 1)})

    return answer


def answer_keypoints(opinion: Opinion) -> Callable[[Call], str]:
    """Answer by the contract of keypoints."""
    return lambda call: ", ".join(str(int(opinion(text))) for text in keypoints_answers(call))


def answer_equivalence(opinion: Opinion) -> Callable[[Call], str]:
    """Answer by the contract of equivalence."""
    return lambda call: str(int(opinion(equivalence_answer(call))))


PERFECT: dict[str, Callable[[Opinion], Callable[[Call], Any]]] = {
    "match": answer_match,
    "equivalence": answer_equivalence,
    "keypoints": answer_keypoints,
}
