r"""Mathematical notation as the pieces of an expression: LaTeX, signs and superscripts alike."""

import re

_ANSWERED = re.compile(r"\\boxed\s*\{")
_LATEX = (
    (re.compile(r"\\(?:left|right|big|Big|bigl|bigr|displaystyle|mathrm|mathbf|text|textbf|operatorname|[,;!: ])(?![a-z])|(?<!\\)\$|\\[()\[\]]"), " "),
    (re.compile(r"\\[dtc]?frac\s*(\d)\s*(\d)"), r"((\1)/(\2))"),
    (re.compile(r"\\sqrt\s*(\d)"), r"√(\1)"),
    (re.compile(r"\\(?:times|cdot|ast)(?![a-z])|[×·∙⋅]"), "*"),
    (re.compile(r"\\div(?![a-z])|÷"), "/"),
    (re.compile(r"\\pi(?![a-z])|\bpi\b"), "π"),
    (re.compile(r"\bsqrt(?=\s*\()|\\surd"), "√"),
    (re.compile(r"\\\{"), "⦃"),
    (re.compile(r"\\\}"), "⦄"),
)  # fmt: skip
_FRACTION = re.compile(r"\\[dtc]?frac\s*\{")
_ROOT = re.compile(r"\\sqrt\s*\{")
_POWER = re.compile(r"\^\s*\{")
_SUPERSCRIPT = re.compile("[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")
_DIGITS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
_VULGAR = {"½": "1/2", "⅓": "1/3", "⅔": "2/3", "¼": "1/4", "¾": "3/4", "⅕": "1/5", "⅖": "2/5", "⅗": "3/5", "⅘": "4/5", "⅙": "1/6", "⅛": "1/8", "⅜": "3/8", "⅝": "5/8", "⅞": "7/8"}  # fmt: skip
_PIECE = re.compile(
    r"\s*(?:(?P<number>(?:\d{1,3}(?:,\d{3})+(?!\d)|\d+)(?:\.\d+)?(?:(?:(?<=\.\d)|(?<=\.\d\d)|(?<=\.\d\d\d)|(?<=\.\d\d\d\d)|(?=[eE][-+]))[eE][-+]?\d{1,3}(?!\w))?|\.\d+)|(?P<sign>\*\*|[-+*/^()π√\[\]{},⦃⦄])"
    r"|(?<![A-Za-z])(?P<letters>[a-z]|[xyz]{2,3}|[abc]{2,3}|mn|pq)(?![A-Za-z]))"
)
_VALUE = re.compile(
    r"[\d½⅓⅔¼¾⅕-⅞π√]|\\(?:pi|sqrt|surd)|\b(?:pi|sqrt)\b|\)\s*\(|(?<![A-Za-z])[a-z]\s*[-+*^]\s*[a-z](?![A-Za-z])"
)
_MATHEMATICAL = re.compile(r"^\s*\$[^$]+\$\s*$|\\[a-zA-Z]|[√π^²³⁴-⁹]|\*\*|\b(?:pi|sqrt)\b")
_LONGEST, _MOST_BOXES = 120, 20


def find_boxed(text: str) -> list[tuple[str, int, int]]:
    r"""Return what stands in each \boxed{...} that is closed, and where that begins and ends."""
    boxes = list(_ANSWERED.finditer(text))
    found = [(_take(text, box.end()), box.start()) for box in boxes] if len(boxes) <= _MOST_BOXES else []
    return [(inner, start, end) for (inner, end), start in found if inner is not None]


def is_mathematical(text: str) -> bool:
    """Tell whether a text shows that it is mathematics: LaTeX, a root, a power, π."""
    return _MATHEMATICAL.search(text) is not None


def list_pieces(text: str) -> list[str] | None:
    """Return the numbers, signs and letters of an expression, or None where a text holds anything else."""
    if len(text) > _LONGEST or not _VALUE.search(text):
        return None
    plain = _unfold(text)
    pieces: list[str] = []
    end = 0
    while end < len(plain):
        found = _PIECE.match(plain, end)
        if found is None:
            return None
        pieces += list(found["letters"]) if found["letters"] else [found["number"] or found["sign"]]
        end = found.end()
    return pieces or None


def _unfold(text: str) -> str:
    """Return LaTeX, superscripts and vulgar fractions in plain signs."""
    for dash in "−–":
        text = text.replace(dash, "-")
    text = _SUPERSCRIPT.sub(lambda found: f"^({found[0].translate(_DIGITS)})", text)
    for sign, plain in _VULGAR.items():
        text = text.replace(sign, f"({plain})")
    for pattern, plain in _LATEX:
        text = pattern.sub(plain, text)
    text = _open(text, _FRACTION, 2, "(({})/({}))")
    text = _open(text, _ROOT, 1, "√({})")
    return _open(text, _POWER, 1, "^({})").strip().rstrip(". ")


def _open(text: str, pattern: re.Pattern[str], parts: int, form: str) -> str:
    """Write a command with its arguments in braces as a form, the innermost last."""
    while found := pattern.search(text):
        end, given = found.end(), list[str]()
        for place in range(parts):
            if place:
                opened = re.compile(r"\s*\{").match(text, end)
                if opened is None:
                    return "?"
                end = opened.end()
            inner, end = _take(text, end)
            if inner is None:
                return "?"
            given.append(inner)
        text = text[: found.start()] + form.format(*given) + text[end:]
    return text


def _take(text: str, start: int) -> tuple[str | None, int]:
    """Return what stands up to the brace that closes, and where that ends."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"{": 1, "}": -1}.get(text[place], 0)
        if not depth:
            return text[start:place], place + 1
    return None, len(text)
