"""What the model thought of the values it did not choose, read from the token log-probabilities."""

from math import exp

from karat.core.exchange import Token
from karat.protocols.protocol import LEVELS, Protocol

Distribution = tuple[float, ...]


def read_distributions(
    protocol: Protocol, tokens: tuple[Token, ...], count: int, levels: tuple[int, ...] = LEVELS
) -> tuple[Distribution | None, ...]:
    """For each item the normalised probabilities of the values, None where they cannot be told."""
    starts, text = list[int](), ""
    for token in tokens:
        starts.append(len(text))
        text += token.text
    places = protocol.locate(text, count)
    return tuple(
        None if place is None else _weigh(protocol, tokens[_covering(starts, place)], levels)
        for place in places
    )


def _covering(starts: list[int], place: int) -> int:
    return max(index for index, start in enumerate(starts) if start <= place)


def _weigh(protocol: Protocol, token: Token, levels: tuple[int, ...]) -> Distribution | None:
    if protocol.weigh(token.text, levels) is None:
        return None
    mass = [0.0] * (2 if protocol.name == "match" else 6)
    for text, logprob in token.alternatives.items():
        place = protocol.weigh(text, levels)
        if place is not None:
            mass[place] += exp(logprob)
    total = sum(mass)
    return tuple(part / total for part in mass) if total > 0 else None
