"""Changes of sentences: contraries, swapped roles, hasty spelling."""

import random
import re

OPPOSITES = (
    ("increase", "decrease"), ("increases", "decreases"), ("increased", "decreased"), ("more", "less"), ("higher", "lower"), ("greater", "smaller"),
    ("longer", "shorter"), ("faster", "slower"), ("larger", "smaller"), ("hot", "cold"), ("warm", "cool"), ("open", "closed"), ("positive", "negative"),
    ("same", "different"), ("before", "after"), ("above", "below"), ("heavier", "lighter"), ("harder", "softer"), ("connected", "separated"),
    ("stronger", "weaker"), ("first", "last"), ("always", "never"), ("hardest", "softest"), ("most", "least"), ("inside", "outside"),
    ("complete", "incomplete"), ("lit", "off"), ("sender", "receiver"), ("up", "down"), ("high", "low"), ("fixed", "variable"), ("with", "without"),
)  # fmt: skip
_FLIPS = {**dict(OPPOSITES), **{second: first for first, second in OPPOSITES}}
_WORD = re.compile(r"[A-Za-z]+")
_VERB = re.compile(r"\b(is|are|was|were|can|will|does|has|have|do|would|should|could|must)\b")
FILLERS = (
    "I think ",
    "Because ",
    "Well, ",
    "It is because ",
    "The reason is that ",
    "In my opinion ",
    "So basically ",
    "",
)


def flip(sentence: str, chance: random.Random) -> str | None:
    """Return the contrary of a sentence, by an opposite word or a "not"."""
    places = [match for match in _WORD.finditer(sentence) if match[0].lower() in _FLIPS]
    if places and chance.random() < 0.7:
        match = chance.choice(places)
        return sentence[: match.start()] + _FLIPS[match[0].lower()] + sentence[match.end() :]
    verb = _VERB.search(sentence)
    if verb is None or re.search(r"\bnot\b|n't", sentence):
        return None
    return f"{sentence[: verb.end()]} not{sentence[verb.end() :]}"


_RELATION = re.compile(
    r"^(?P<lead>(?:because|if|when|since)?\s*)(?P<one>[^,.;]{3,60}?)(?P<middle>\s+(?:(?:is|are|was|were|has|have|had|will be|becomes?)\s+(?:\w+\s+){0,2}?than|"
    r"causes?|caused|leads? to|eats?|depends? on|follows?|comes? (?:before|after)|turns? into|becomes?|contains?|is part of|attracts?|pushes|pulls|"
    r"produces?|makes?|controls?|calls?|inherits? from)\s+)(?P<two>[^,.;]{3,60})(?P<rest>(?:[,.;].*)?)$",
    re.IGNORECASE,
)


def swap_roles(sentence: str) -> str | None:
    """Swap the two sides of a relation."""
    found = _RELATION.match(sentence.strip())
    if found is None or found["one"].strip().lower() == found["two"].strip().lower():
        return None
    one, two = found["one"].strip(), found["two"].strip()
    return f"{found['lead']}{two}{found['middle']}{one[:1].lower() if one[1:2].islower() else one[:1]}{one[1:]}{found['rest']}"


def roughen(sentence: str, chance: random.Random) -> str:
    """Return a sentence in hasty spelling: small letters, articles left out, a filler before it."""
    words = sentence.rstrip(".").split()
    kept = [word for word in words if word.lower() not in ("the", "a", "an", "that") or chance.random() < 0.5]
    text = " ".join(kept)
    if chance.random() < 0.6:
        text = text.lower()
    if chance.random() < 0.25 and len(text) > 8:
        place = chance.randrange(1, len(text) - 2)
        text = text[:place] + text[place + 1] + text[place] + text[place + 2 :]
    return chance.choice(FILLERS) + text + chance.choice(("", ".", "."))
