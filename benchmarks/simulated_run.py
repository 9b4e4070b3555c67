"""A run that looks like one by a model, made without any: rows of a given size, and verdicts by a seeded, fallible judge."""

import json
from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from itertools import accumulate, islice
from random import Random
from typing import Any

from karat.core.flow import Completion
from karat.core.keys import hash_bytes
from karat.core.scored_row import Label
from karat.core.types import Heard, Item, Outcome, Spent, Unjudged, Verdict
from karat.store import NewRow, Run, Store
from karat.store.labels import NewLabel

SENSITIVITY, SPECIFICITY = 0.95, 0.86
SYSTEMS = {"fid": 0.66, "gpt35": 0.69, "chatgpt": 0.75, "gpt4": 0.84, "bing": 0.79}
TOPICS = ("history", "science", "geography", "music", "sports", "film", "literature")
# Lengths in characters of the rows of EVOUNA (NaturalQuestions, train part) at these parts of all rows.
PARTS = (0, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 1)
QUESTION = (27, 35, 37, 40, 45, 51, 62, 71, 89, 100)
REFERENCE = (1, 4, 6, 12, 17, 30, 48, 63, 113, 235)
ANSWER = (1, 7, 11, 47, 94, 181, 298, 386, 546, 2021)
_LETTERS = ("b", "ch", "d", "f", "g", "h", "k", "l", "m", "n", "p", "qu", "r", "s", "st", "t", "v", "w")


class Words:
    """Made-up words, a few of them frequent and most of them rare, as in any language."""

    def __init__(self, random: Random, size: int = 20_000) -> None:
        self._random = random
        self._words = list(dict.fromkeys(self._make() for _ in range(size)))
        self._weights = list(accumulate(1 / rank for rank in range(1, len(self._words) + 1)))

    def text(self, length: int) -> str:
        """About so many characters."""
        words = list[str]()
        while sum(map(len, words)) + len(words) < length:
            at = bisect_left(self._weights, self._random.random() * self._weights[-1])
            words.append(self._words[at])
        return " ".join(words)[: max(1, length)].strip() or "a"

    def _make(self) -> str:
        syllables = self._random.choices((1, 2, 3, 4), (2, 5, 3, 1))[0]
        return "".join(self._random.choice(_LETTERS) + self._random.choice("aeiou") for _ in range(syllables))


def make_rows(count: int, seed: int) -> Iterator[NewRow]:
    """Five answers to each question, in lengths as EVOUNA has them; a row knows whether it is right."""
    random = Random(seed)
    words = Words(random)
    number = 0
    while number < count:
        question, reference = words.text(_length(random, QUESTION)), words.text(_length(random, REFERENCE))
        topic = random.choice(TOPICS)
        for system, skill in islice(SYSTEMS.items(), count - number):
            right = random.random() < skill
            rest = words.text(max(0, _length(random, ANSWER) - len(reference)))
            answer = f"{reference} {rest}" if right else f"{words.text(len(reference))} {rest}"
            number += 1
            columns = {"topic": topic, "label": right, "number": number}
            yield NewRow(
                number, f"row-{number:05}", Item(f"{question}?", (reference,), answer), system, columns
            )


def _length(random: Random, lengths: Sequence[int]) -> int:
    """A length between two of the table, as often as in the data."""
    part = random.random()
    at = max(1, bisect_left(PARTS, part))
    share = (part - PARTS[at - 1]) / (PARTS[at] - PARTS[at - 1])
    return round(lengths[at - 1] + share * (lengths[at] - lengths[at - 1]))


class Rows:
    """Rows on their way into a store."""

    def __init__(self, rows: Iterable[NewRow]) -> None:
        self.fields: dict[str, None] = {}
        self.skipped = 0
        self._rows = rows

    def __iter__(self) -> Iterator[NewRow]:
        for row in self._rows:
            self.fields.update(dict.fromkeys(row.columns))
            yield row


def make_run(
    store: Store, rows: Sequence[NewRow], seed: int, *, name: str = "simulated", labelled: float = 0.02
) -> Run:
    """Load the rows and judge them: a quarter of the right ones by a rule, the others by the fallible judge."""
    dataset = store.load_dataset(
        f"{seed} {len(rows)}", f"{name}.jsonl", "id=id, label=label", Rows(rows), named=True
    )
    identity: dict[str, Any] = {"judge": "simulated", "protocol": "match", "sensitivity": SENSITIVITY, "specificity": SPECIFICITY, "seed": seed}  # fmt: skip
    run = store.open_run(dataset, f"{seed:032x}", name, identity)
    random, cache = Random(seed), store.completions_of(run)
    labels = list[NewLabel]()
    truths = iter(rows)
    for chunk in store.pending(run):
        outcomes = list[tuple[int, Outcome]]()
        for number, item in chunk:
            right = bool(next(row for row in truths if row.item == item).columns["label"])
            outcomes.append((number, _judge(random, item, cache, right=right)))
            if random.random() < labelled:
                labels.append(NewLabel(number, Label("anna", float(right)), "simulated"))
        store.keep_outcomes(run, outcomes).result()
    if labels:
        store.labels_of(dataset).keep(labels)
    store.finish_run(run)
    return store.find_run(run.id)


def _judge(random: Random, item: Item, cache: Any, *, right: bool) -> Outcome:  # noqa: ANN401 - the store's own
    if right and random.random() < 0.25:
        return Verdict(
            value=True,
            score=1.0,
            decided_by="rule:contained",
            matched_reference=0,
            reason="The answer holds the reference.",
        )
    sure = random.betavariate(6, 1.2)
    hit = random.random() < (0.35 + 0.65 * sure if right else 0.15 + 0.83 * sure)
    value = right if hit else not right
    spent = Spent(1, 420 + len(item.answer) // 4, 380, 12, 0.000142)
    text = json.dumps(
        {"Answer 1": "Yes" if value else "No", "Reason": f"compared with {item.references[0][:60]}"}
    )
    key = hash_bytes(text.encode(), item.answer.encode(), (item.question or "").encode())
    cache.keep_completion(key, Completion(text, spent=spent))
    heard = (Heard(key.hex(), 1, 1),)
    if random.random() < 0.006:
        return Unjudged("unparseable", "no readable reply in 5 attempts", spent, replies=heard)
    confidence = round(0.5 + sure / 2, 4)
    return Verdict(value, confidence if value else 1 - confidence, "llm:simulated", confidence, 0 if value else None,
                   "The model compared the answer with the reference.", items_per_prompt=1, spent=spent, replies=heard)  # fmt: skip
