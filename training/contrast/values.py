"""Numbers, dates and quantities: other spellings of the same value, and other values."""

import random
import re

MONTHS = (
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
)
_ONES = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["x", "x", "twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
UNITS = (
    ("km", "metres", 1000), ("kilometres", "m", 1000), ("m", "cm", 100), ("kg", "grams", 1000), ("hours", "minutes", 60), ("minutes", "seconds", 60),
    ("days", "hours", 24), ("weeks", "days", 7), ("years", "months", 12), ("feet", "inches", 12), ("dozen", "pieces", 12), ("litres", "ml", 1000),
    ("centuries", "years", 100), ("decades", "years", 10), ("tonnes", "kg", 1000), ("yards", "feet", 3),
)  # fmt: skip
COUNTED = (
    "people",
    "players",
    "episodes",
    "dollars",
    "miles",
    "members",
    "points",
    "islands",
    "seats",
    "times",
    "states",
    "pages",
    "euros",
    "employees",
)
_NUMBER = re.compile(r"(?<![\w.])\d[\d,]*(?:\.\d+)?(?!\w)")


def spell(number: int) -> str:
    """Spell a number below a million."""
    if number < 20:
        return _ONES[number]
    if number < 100:
        return _TENS[number // 10] + (f"-{_ONES[number % 10]}" if number % 10 else "")
    if number < 1000:
        return f"{_ONES[number // 100]} hundred" + (f" and {spell(number % 100)}" if number % 100 else "")
    return f"{spell(number // 1000)} thousand" + (f" {spell(number % 1000)}" if number % 1000 else "")


def change_number(text: str, chance: random.Random) -> str | None:
    """Change one number of a text to another value."""
    found = list(_NUMBER.finditer(text))
    if not found:
        return None
    match = chance.choice(found)
    digits = match[0].replace(",", "")
    value = float(digits)
    step = chance.choice((1, -1, 2, -2, 3, 10, -10, "tenth", "tenfold", "swap", "double"))
    if step == "swap" and len(digits) > 1 and digits.isdigit():
        place = chance.randrange(len(digits) - 1)
        changed = digits[:place] + digits[place + 1] + digits[place] + digits[place + 2 :]
    else:
        other = {"tenth": value / 10, "tenfold": value * 10, "double": value * 2, "swap": value + 1}.get(
            step, value + step if isinstance(step, int) else value
        )
        changed = f"{other:.10g}" if "." in digits or not float(other).is_integer() else str(int(other))
    if changed == digits or float(changed) == value or changed.startswith("-"):
        return None
    if "," in match[0] and changed.isdigit():
        changed = f"{int(changed):,}"
    return text[: match.start()] + changed + text[match.end() :]


def date_forms(day: int, month: int, year: int) -> list[str]:
    """Return ways to write a date."""
    name = MONTHS[month - 1]
    suffix = "th" if 10 < day < 14 else {1: "st", 2: "nd", 3: "rd"}.get(day % 10, "th")
    return [
        f"{name} {day}, {year}", f"{day} {name} {year}", f"{year}-{month:02}-{day:02}", f"{name[:3]} {day}, {year}", f"{day} {name[:3]} {year}",
        f"the {day}{suffix} of {name}, {year}", f"{name} {day}{suffix}, {year}", f"{day}{suffix} {name} {year}",
    ]  # fmt: skip


def make_date(chance: random.Random) -> tuple[str, str, int, str]:
    """Make (reference, answer, label, family) about a date."""
    day, month, year = chance.randint(1, 28), chance.randint(1, 12), chance.randint(1400, 2025)
    forms = date_forms(day, month, year)
    name = MONTHS[month - 1]
    kind = chance.randrange(8)
    if kind < 2:
        return (*chance.sample(forms, 2), 1, "date_same")
    if kind == 2:
        loose = chance.choice((str(year), f"{name} {year}", f"in {year}"))
        return loose, chance.choice(forms), 1, "date_finer"
    if kind < 5:
        loose = chance.choice(
            (
                str(year),
                f"{name} {year}",
                f"{name}",
                f"in {name} {year}",
                f"{day} {name}",
                f"{name} {day}",
                f"the {year // 10 * 10}s",
                f"around {year}",
            )
        )
        return chance.choice(forms), loose, 0, "date_underspecified"
    delta = chance.choice((1, -1, 2, -3, 10, -10, 100))
    part = chance.randrange(3)
    if part == 0:
        return chance.choice(forms), chance.choice(date_forms(day, month, year + delta)), 0, "date_changed"
    if part == 1:
        return (
            chance.choice(forms),
            chance.choice(date_forms(day, (month + chance.randint(1, 11) - 1) % 12 + 1, year)),
            0,
            "date_changed",
        )
    return (
        chance.choice(forms),
        chance.choice(date_forms((day + chance.randint(1, 20)) % 28 + 1, month, year)),
        0,
        "date_changed",
    )


def make_quantity(chance: random.Random) -> tuple[str, str, int, str]:
    """Make (reference, answer, label, family) about a number with or without a unit."""
    number = chance.choice(
        (
            chance.randint(2, 20),
            chance.randint(20, 999),
            chance.randint(1000, 99999),
            chance.randint(100000, 9999999),
        )
    )
    kind = chance.randrange(10)
    noun = chance.choice(COUNTED)
    if kind == 0 and number < 1_000_000:
        pair = [str(number), spell(number)]
        chance.shuffle(pair)
        return pair[0], pair[1] + chance.choice(("", f" {noun}")), 1, "number_words"
    if kind == 1:
        return (
            chance.choice((str(number), f"{number:,}")),
            chance.choice(
                (f"{number:,}", f"{number:,} {noun}", f"a total of {number}", f"exactly {number:,}")
            ),
            1,
            "number_format",
        )
    if kind == 2:
        millions = chance.choice((1.5, 2, 3.2, 4, 7.5, 12, 25, 120, 350))
        word, scale = chance.choice((("million", 10**6), ("billion", 10**9), ("thousand", 10**3)))
        pair = [f"{millions:g} {word}", f"{int(millions * scale):,}"]
        chance.shuffle(pair)
        sign = chance.choice(("", "$", "€"))
        return sign + pair[0], sign + pair[1], 1, "number_scale"
    if kind == 3:
        millions = chance.choice((1.5, 2, 3.2, 4, 7.5, 12, 25, 120, 350))
        first, second = chance.sample(("million", "billion", "thousand", "trillion"), 2)
        return f"{millions:g} {first}", f"{millions:g} {second}", 0, "number_magnitude"
    if kind == 4:
        large, small, factor = chance.choice(UNITS)
        count = chance.randint(2, 60)
        pair = [f"{count} {large}", f"{count * factor:,} {small}"]
        chance.shuffle(pair)
        return pair[0], pair[1], 1, "unit_same"
    if kind == 5:
        large, small, factor = chance.choice(UNITS)
        count = chance.randint(2, 60)
        wrong = chance.choice(
            (
                f"{count} {small}",
                f"{count * factor + chance.choice((1, -1, factor, 2 * factor)):,} {small}",
                f"{count * factor} {large}",
            )
        )
        return f"{count} {large}", wrong, 0, "unit_changed"
    if kind == 6:
        share = chance.choice((5, 10, 12.5, 20, 25, 33.3, 40, 50, 62, 75, 90))
        return (
            chance.choice((f"{share:g}%", f"{share:g} percent")),
            chance.choice((f"{share:g} %", f"{share:g} per cent", f"about {share:g}%", f"{share / 100:g}")),
            1,
            "percent_same",
        )
    if kind == 7:
        share = chance.choice((5, 10, 12.5, 20, 25, 40, 50, 62, 75, 90))
        return (
            f"{share:g}%",
            f"{share + chance.choice((1, 2, -2, 5, 10, 0.5)):g}{chance.choice(('%', ' percent'))}",
            0,
            "number_changed",
        )
    if kind == 8:
        money = chance.randint(100, 99999) / chance.choice((1, 10, 100))
        rounded = float(f"{money:.3g}")
        same = chance.random() < 0.5
        answer = f"${rounded:,.10g}" if same else f"${money * chance.choice((1.1, 0.9, 1.02, 10, 0.5)):,.2f}"
        return f"${money:,.2f}", answer, int(same), "money_rounded" if same else "number_changed"
    reference = chance.choice((str(number), f"{number:,} {noun}", f"{number} {noun}"))
    changed = change_number(reference, chance)
    return (
        (reference, changed, 0, "number_changed") if changed else (reference, reference, 1, "number_format")
    )
