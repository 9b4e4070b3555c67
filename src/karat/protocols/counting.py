"""From key points missing or wrong to a value."""

_STEPS = ((0, 5), (2, 4), (4, 3), (6, 2))


def value_of(points: int, missing: int) -> int:
    """Return 0 to 5 by the table of `keypoints`; with more than half of the points gone it is 0."""
    if missing >= points or 2 * missing > points:
        return 0
    return next((value for most, value in _STEPS if missing <= most), 1)
