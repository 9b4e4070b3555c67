"""Build contrast rows from the questions, references and answers of human rows. Called by training.prepare."""

import random
import re
from collections import defaultdict
from collections.abc import Iterator

from karat.embedded.features import classify_question
from karat.embedded.inputs import split_sentences
from karat.text.normal import normalise
from training.contrast import long, values, wordings
from training.contrast.wordings import fill, pick, share
from training.rows import Row

_SHORT = 8
_LONGEST_PEER = 40
_BARE = 0.15
_DENIED = (
    "not {R}", "not {R} but {O}", "never {R}", "anything but {R}", "something other than {R}", "hardly {R}", "certainly not {R}", "no longer {R}", "by no means {R}",
    "wrongly thought to be {R}", "said to be {R}, which is false,", "not really {R}",
)  # fmt: skip


class Seed:
    """A question with its references and the kind of thing that is asked for."""

    def __init__(self, question: str, references: list[str], *, aliases: bool) -> None:
        self.question, self.references, self.aliases = question, references, aliases
        self.kind = classify_question(normalise(question).split()) or "what"
        self.pool: list[str] = []
        """Other answers of the same kind, for lists of guesses."""


def make_short(rows: list[Row], part: str, count: int, seed: int) -> Iterator[Row]:
    """Make rows with short answers, about equally many of each family."""
    chance = random.Random(seed)
    seeds = _seeds(rows)
    kinds: dict[str, list[Seed]] = defaultdict(list)
    for each in seeds:
        kinds[each.kind].append(each)
    for each in seeds:
        each.pool = [chance.choice(kinds[each.kind]).references[0] for _ in range(12)]
    families = list(_FAMILIES)
    for place in range(count):
        family = families[place % len(families)]
        here = chance.choice(seeds)
        other = _other(here, kinds, chance)
        if other is None:
            continue
        right = chance.choice(here.references[:4])
        made = _FAMILIES[family](here, right, other, part, chance)
        if made is None:
            continue
        reference, answer, label = made
        if normalise(answer) == normalise(reference) and not label:
            continue
        yield Row(question=here.question, references=[reference], answer=answer, label=label, score=5.0 * label if label or family in _NOTHING else None,
                  kind=f"contrast:{family.rstrip('0123456789')}", group=here.question)  # fmt: skip


def make_inside(rows: list[Row], count: int, seed: int) -> Iterator[Row]:
    """Change the reference inside a real right answer to another thing, a choice or a denial, or leave it."""
    chance = random.Random(seed)
    found: list[tuple[Row, str, int]] = []
    for row in rows:
        if row.label != 1 or not row.question or len(row.answer.split()) > _LONGEST_PEER:
            continue
        for reference in sorted(row.references, key=len, reverse=True):
            at = row.answer.lower().find(reference.lower())
            if at >= 0 and len(reference) > 2 and len(row.answer) > len(reference) + 8:
                found.append((row, reference, at))
                break
    pool = [(row.question, reference) for row, reference, _ in found]
    for place in range(count):
        row, reference, at = chance.choice(found)
        question, other = chance.choice(pool)
        before, after = row.answer[:at], row.answer[at + len(reference) :]
        if (
            question == row.question
            or reference.lower() in (before + after).lower()
            or not set(normalise(other).split()).isdisjoint(normalise(reference).split())
        ):
            continue
        kind = place % 6
        said = row.answer[at : at + len(reference)]
        figure = values.change_number(said, chance) if chance.random() < 0.7 else None
        changed = {
            0: figure or other, 1: chance.choice((f"{said} or {other}", f"{other} or {said}", f"either {said} or {other}", f"{other}, or perhaps {said}", f"{said} or maybe {other}")),
            2: fill(pick(_DENIED, chance), right=said, other=other), 3: f"{other} (not {said})",
            4: said, 5: chance.choice((f"{said} (not {other})", f"{said} rather than {other}", f"{said}, not {other},")),
        }[kind]  # fmt: skip
        label = int(kind > 3)
        yield Row(
            row.question,
            [reference],
            before + changed + after,
            label,
            "contrast:inside",
            row.group,
            score=5.0 if label else None,
        )


def make_values(count: int, part: str, seed: int) -> Iterator[Row]:
    """Make rows about dates and quantities; the question is left out half of the time."""
    chance = random.Random(seed)
    for _ in range(count):
        date = chance.random() < 0.45
        reference, answer, label, family = (values.make_date if date else values.make_quantity)(chance)
        asked = chance.choice(
            ("When did it happen?", "On what date was that?", "when was it founded")
            if date
            else ("How many were there?", "How much is it?", "what is the total amount")
        )
        said = _say(answer, part, chance) if chance.random() < 0.5 else answer
        yield Row(question=asked if chance.random() < 0.6 else None, references=[reference], answer=said, label=label,
                  score=5.0 * label if label else None, kind=f"contrast:{family}", group=f"{reference}{answer}")  # fmt: skip


def make_long(rows: list[Row], count: int, seed: int) -> Iterator[Row]:
    """Make rows from references of a sentence or more; coverage is known, because the sentences are."""
    chance = random.Random(seed)
    pool = list(
        {
            (row.question, row.references[0])
            for row in rows
            if len(row.references[0].split()) >= _SHORT and row.question
        }
    )
    pool.sort()
    sentences = {reference: split_sentences(reference) for _, reference in pool}
    every = [(question, each) for question, reference in pool for each in sentences[reference]]
    for place in range(count):
        question, reference = chance.choice(pool)
        parts = sentences[reference]
        family = place % 7
        if family == 0 and len(parts) > 1:
            kept = sorted(chance.sample(range(len(parts)), chance.randint(0, len(parts))))
            text = " ".join(long.roughen(parts[each], chance) for each in kept)
            if not text:
                continue
            kept_share = len(kept) / len(parts)
            yield Row(
                question,
                [reference],
                text,
                int(kept_share == 1),
                "contrast:deleted",
                question,
                score=5 * kept_share,
            )
        elif family == 1:
            part = chance.choice(parts)
            flipped = long.flip(part, chance)
            if flipped:
                yield Row(
                    question,
                    [part],
                    long.roughen(flipped, chance),
                    0,
                    "contrast:flipped",
                    question,
                    score=1.0,
                    covered=0,
                )
        elif family == 6:
            part = chance.choice(parts)
            swapped = long.swap_roles(part)
            if swapped:
                yield Row(
                    question,
                    [part],
                    long.roughen(swapped, chance),
                    0,
                    "contrast:swapped",
                    question,
                    score=1.0,
                    covered=0,
                )
        elif family == 2:
            part = chance.choice(parts)
            others = [chance.choice(parts), chance.choice(every)[1]]
            chance.shuffle(others)
            text = " ".join(long.roughen(each, chance) for each in [part, *others])
            yield Row(question, [part], text, 1, "contrast:among", question, score=5.0, covered=1)
        elif family == 3 and len(parts) > 1:
            gone = chance.randrange(len(parts))
            text = " ".join(long.roughen(each, chance) for place, each in enumerate(parts) if place != gone)
            yield Row(question, [parts[gone]], text, 0, "contrast:lacking", question, score=1.0, covered=0)
        elif family == 4:
            other = chance.choice(every)
            if other[0] != question:
                yield Row(
                    question,
                    [chance.choice(parts)],
                    long.roughen(other[1], chance),
                    0,
                    "contrast:elsewhere",
                    question,
                    score=0.0,
                    covered=0,
                )
        else:
            part = chance.choice(parts)
            yield Row(
                question,
                [part],
                long.roughen(part, chance),
                1,
                "contrast:roughened",
                question,
                score=5.0,
                covered=1,
            )


def make_peers(rows: list[Row], count: int, seed: int) -> Iterator[Row]:
    """Make rows whose reference is another right answer; some answers are put among sentences about other things."""
    chance = random.Random(seed)
    groups: dict[tuple[str, str], list[Row]] = defaultdict(list)
    for row in rows:
        if row.label is not None and row.question and 1 <= len(row.answer.split()) <= _LONGEST_PEER:
            groups[row.kind, row.question].append(row)
    kinds: dict[str, list[list[Row]]] = defaultdict(list)
    for (kind, _), group in sorted(groups.items()):
        if len(group) > 1 and any(row.label for row in group):
            kinds[kind].append(group)
    for place in range(count):
        kind = sorted(kinds)[place % len(kinds)]
        group = chance.choice(kinds[kind])
        model = chance.choice([row for row in group if row.label])
        other = chance.choice([row for row in group if bool(row.label) == (place % 2 == 0)] or group)
        if other is model or normalise(other.answer) == normalise(model.answer):
            continue
        answer, label = other.answer, int(other.label or 0)
        if chance.random() < 0.35:
            fillers = [chance.choice(chance.choice(kinds[kind])).answer for _ in range(chance.randint(1, 6))]
            sentences = [each.strip().rstrip(".") + "." for each in [*fillers, answer]]
            chance.shuffle(sentences)
            answer = " ".join(sentences)
        yield Row(
            other.question if chance.random() < 0.7 else None,
            [model.answer],
            answer,
            label,
            "contrast:peer",
            other.group,
            covered=label or None,
        )


def _seeds(rows: list[Row]) -> list[Seed]:
    known: dict[str, Seed] = {}
    for row in rows:
        short = [each for each in row.references if 1 <= len(each.split()) <= _SHORT]
        if short and row.question and row.question not in known:
            known[row.question] = Seed(row.question, short, aliases=row.kind == "evouna_tq")
    return list(known.values())


def _other(here: Seed, kinds: dict[str, list[Seed]], chance: random.Random) -> str | None:
    ours = {word for each in here.references for word in normalise(each).split()}
    for _ in range(6):
        text = chance.choice(chance.choice(kinds[here.kind]).references[:2])
        if ours.isdisjoint(normalise(text).split()):
            return text
    return None


Made = tuple[str, str, int] | None


def _worded(family: wordings.Family, label: int):  # noqa: ANN202 - a maker of rows
    def make(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
        wording = pick(share(family, part, here.kind), chance)
        text = fill(wording, right=right, other=other, question=here.question)
        return right, _case(wordings.frame(text, chance) if part == "train" else text, chance), label

    return make


def _say(text: str, part: str, chance: random.Random) -> str:
    """Return a plain statement of the text, or the text alone."""
    return text if chance.random() < _BARE else fill(pick(share(wordings.PLAIN, part), chance), right=text)


def _case(text: str, chance: random.Random) -> str:
    draw = chance.random()
    return text.lower() if draw < 0.08 else text.upper() if draw < 0.1 else text


def _swap(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    return right, _say(other, part, chance), 0


def _alias(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    # References that are not aliases of one thing may be different right answers, which do not match each other.
    others = (
        [each for each in here.references[:5] if normalise(each) != normalise(right)] if here.aliases else []
    )
    if not others:
        return None
    return right, _say(chance.choice(others), part, chance), 1


def _restate(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    asked = here.question.rstrip("?. ")
    wording = pick(
        ("{Q}? {R}.", "You ask {Q}. The answer is {R}.", "{Q}: {R}", "As to {Q}, it is {R}."), chance
    )
    kept = chance.random() < 0.5
    return right, fill(wording, right=right if kept else other, question=asked), int(kept)


def _echo(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    words = here.question.rstrip("?. ").split()
    asked = " ".join(words)
    stated = " ".join(words[1:]) if len(words) > 3 else asked
    wording = pick(
        (
            "{Q}",
            "{Q}?",
            "You want to know {Q}.",
            "The question is {Q}.",
            "The answer to {Q}.",
            "It is the one that {S}.",
            "{S}",
            "This is about {S}.",
        ),
        chance,
    )
    return right, wording.replace("{Q}", asked).replace("{S}", stated), 0


def _empty(family: tuple[str, ...]):  # noqa: ANN202 - a maker of rows
    def make(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
        text = pick(share(family, part), chance)
        if normalise(right) in ("yes", "no", "true", "false"):
            return None
        return right, text, 0

    return make


def _order(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    order = fill(pick(share(wordings.ORDERS, part), chance), right=right)
    text = chance.choice((order, f"{other}. {order}", f"{order} {other}", f"{other}\n\n{order}"))
    return right, text, 0


def _right_order(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    """Make a right answer with a remark behind it."""
    return (
        right,
        _say(right, part, chance)
        + chance.choice((" Hope that helps!", " Is there anything else?", " (source: own knowledge)", "")),
        1,
    )


def _type(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    return (right, pick(wordings.TYPES[here.kind], chance), 0) if here.kind in wordings.TYPES else None


def _guesses(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    """List guesses, the right one among them."""
    others = {other, *(chance.choice(here.pool) for _ in range(chance.randint(1, 6)))}
    ours = set(normalise(right).split())
    named = [right, *sorted(each for each in others if ours.isdisjoint(normalise(each).split()))]
    if len(named) < 3:
        return None
    chance.shuffle(named)
    return (
        right,
        fill(
            pick(share(wordings.GUESSES, part), chance).replace(
                "{L}", pick(wordings.JOINS, chance).join(named)
            ),
            right=right,
        ),
        0,
    )


def _in_order(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    """Name all that the reference names, in another order: not every list is a guess."""
    named = [piece.strip() for piece in re.split(r", and | and |, | & ", right) if piece.strip()]
    if not 2 <= len(named) <= 5 or here.kind in ("when", "many", "where"):
        return None
    chance.shuffle(named)
    return (
        right,
        _say(pick((", ", " and ", "; ", "\n"), chance).join(named), part, chance),
        1,
    )


def _padded(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    """Put talk around a right or a wrong answer."""
    kept = chance.random() < 0.6
    text = _say(right if kept else other, part, chance)
    before = " ".join(chance.sample(share(wordings.OPENERS, part), chance.randint(0, 2)))
    after = " ".join(chance.sample(share(wordings.CLOSERS, part), chance.randint(0, 2)))
    return right, f"{before} {text} {after}".strip(), int(kept)


def _marked(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    kept = chance.random() < 0.7
    return right, fill(pick(share(wordings.MARKUP, part), chance), right=right if kept else other), int(kept)


def _less(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    """Drop what distinguishes: the surname, the numeral, the first word of a compound, one of two."""
    words = right.split()
    if len(words) < 2:
        return None
    if here.kind == "where" and right.count(", ") == 1:
        return right, _say(right.split(", ")[1], part, chance), 0
    lists = [piece for mark in (" and ", ", ", " & ") for piece in right.split(mark) if mark in right]
    if lists:
        return (
            right,
            _say(chance.choice(lists).strip(" ,"), part, chance),
            0,
        )
    if (
        here.kind == "who"
        and 2 <= len(words) <= 3
        and all(word[:1].isupper() and "-" not in word for word in words)
    ):
        return right, _say(words[0], part, chance), 0
    if any(char.isdigit() for char in words[-1]) or (
        words[-1].isupper() and words[-1].replace(".", "") not in ("AD", "CE", "AM", "PM")
    ):
        return right, " ".join(words[:-1]), 0
    if (
        words[0][:1].islower()
        and words[0] not in ("the", "a", "an", "to", "in", "on", "by", "at")
        and len(words) <= 4
    ):
        return right, " ".join(words[1:]), 0
    return None


def _more(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    """Say more than was asked: the reference is a piece of the answer's name."""
    words = right.split()
    if here.kind != "who" or not 2 <= len(words) <= 3 or not all(word[:1].isupper() for word in words):
        return None
    return words[-1], _say(right, part, chance), 1


def _number(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    changed = values.change_number(right, chance)
    return (right, _say(changed, part, chance), 0) if changed else None


def _typo(here: Seed, right: str, other: str, part: str, chance: random.Random) -> Made:
    if len(right) < 8 or any(char.isdigit() for char in right):
        return None
    place = chance.randrange(2, len(right) - 2)
    changed = chance.choice(
        (
            right[:place] + right[place + 1 :],
            right[:place] + right[place] + right[place:],
            right[:place] + right[place + 1] + right[place] + right[place + 2 :],
        )
    )
    return right, _say(changed, part, chance), 1


_FAMILIES = {
    "plain": _worded(wordings.PLAIN, 1), "swap": _swap, "contrasted": _worded(wordings.CONTRASTED, 1), "choice": _worded(wordings.CHOICE, 0),
    "negated": _worded(wordings.NEGATED, 0), "mentioned": _worded(wordings.MENTIONED, 0), "back": _worded(wordings.TAKEN_BACK, 0),
    "alias": _alias, "restate": _restate, "echo": _echo, "unsure": _empty(wordings.UNSURE), "empty": _empty(wordings.EMPTY), "order": _order,
    "guesses": _guesses, "guesses2": _guesses, "in_order": _in_order, "padded": _padded, "marked": _marked, "right_order": _right_order, "type": _type, "less": _less, "more": _more, "number": _number, "typo": _typo, "less2": _less, "plain2": _worded(wordings.PLAIN, 1),
    "negated2": _worded(wordings.NEGATED, 0), "mentioned2": _worded(wordings.MENTIONED, 0), "contrasted2": _worded(wordings.CONTRASTED, 1), "plain3": _worded(wordings.PLAIN, 1),
}  # fmt: skip
_NOTHING = frozenset(("echo", "unsure", "empty", "order", "type"))
