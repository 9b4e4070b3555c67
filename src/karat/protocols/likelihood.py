"""What the model thought of the values it did not choose, read from the token log-probabilities."""

from math import exp

from karat.core.exchange import Token
from karat.core.types import Value
from karat.protocols.protocol import LEVELS, Protocol

Distribution = tuple[float, ...]


def read_distributions(
    protocol: Protocol,
    tokens: tuple[Token, ...],
    values: tuple[Value | None, ...],
    levels: tuple[int, ...] = LEVELS,
) -> tuple[Distribution | None, ...]:
    """For each value that was read the normalised probabilities of the scale, None where they cannot be told."""
    starts, text = list[int](), ""
    for token in tokens:
        starts.append(len(text))
        text += token.text
    return tuple(
        None
        if value is None or place is None
        else _weigh(protocol, tokens[_covering(starts, place)], value, levels)
        for value, place in zip(values, protocol.locate(text, len(values)), strict=True)
    )


def _covering(starts: list[int], place: int) -> int:
    return max(index for index, start in enumerate(starts) if start <= place)


def _weigh(protocol: Protocol, token: Token, value: Value, levels: tuple[int, ...]) -> Distribution | None:
    """Weigh the token against its alternatives; by itself it would say nothing but its own value."""
    chosen = int(not value) if isinstance(value, bool) else value
    if protocol.weigh(token.text, levels) != chosen or token.alternatives.keys() <= {token.text}:
        return None
    mass = [0.0] * (2 if protocol.name == "match" else 6)
    for text, logprob in token.alternatives.items():
        place = protocol.weigh(text, levels)
        if place is not None:
            mass[place] += exp(min(0.0, logprob))
    total = sum(mass)
    return tuple(part / total for part in mass) if mass[chosen] > 0 else None
