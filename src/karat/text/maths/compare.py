"""Compare the final expression of an answer with the references. Compare symbols, and write LaTeX and powers of ten in plain signs."""

import re
from decimal import Decimal

from msgspec import Struct

from karat.core.types import Item
from karat.text.lexicon import any_case
from karat.text.maths.expression import RAISED, ExpressionValue, compare_expressions, evaluate, find_boxed
from karat.text.normal import LONGEST_TEXT, SENTENCE_END, clean
from karat.text.unwrap.unwrap import strip_politeness
from karat.text.values.reference import Reference
from karat.text.values.units import is_case_sensitive

_FINAL_LEAD = any_case(
    r"^\W*(?:(?:so|thus|hence|therefore|then)\W+)?(?:the\s+)?(?:(?:final|correct|exact|my)\s+)*(?:(?:answer|result|value|solution|total|sum)(?:\s+is|\s+comes\s+to|\s+equals)?|it\s+is|it'?s|that\s+is|which\s+is)\s*:?\s+"
)
_WRAPPED = re.compile(r"^\s*(?:\*\*([^*]+)\*\*|`([^`]+)`|\"([^\"]+)\"|'([^']+)')\s*\.?\s*$")
_LATEX_TEXT = re.compile(r"\\(?:text|mathrm|textbf|mathbf)\s*\{([^{}]*)\}")
_PROSE_WORD = re.compile(r"(?<![\\\w])(?!sqrt|frac|pi\b)[A-Za-z]{3}")
_SEVERAL = any_case(r"\b(?:or|and|so)\b|[;\n≈→]|->|,(?!\d{3}(?!\d))(?=[^)\]}]*$)|,(?=.*=)|(?<=\$)\s*,")
_EQUALS = re.compile(r"(?<![<>!~])=")
_VARIABLE = re.compile(r"\$?\s*[A-Za-z](?:\([a-z]\))?\s*")
_AFTER_BOX = re.compile(r"(?:[\s.!*$)\]]|\\[)\]])*")
_UNSURE = any_case(r"\b(?:not|never|cannot|\w+n['’]?t|wrong|incorrect|first|or|unless|if)\b|\?")


class FinalExpression(Struct, frozen=True):
    """The final expression of an answer, the variable that it is assigned to, and whether the answer says nothing else."""

    text: str
    whole: bool
    variable: str = ""


def find_final_expression(question: str, answer: str) -> FinalExpression | None:
    """Return the final expression of an answer. None if more text follows, if it is uncertain, or if it is prose."""
    if "\\boxed" in answer:
        return _find_in_box(answer)
    marked = answer.rfind("####")
    if marked >= 0:
        said = answer[marked + 4 :].strip()
        return FinalExpression(said, whole=True) if said and "\n" not in said else None
    for text in (answer, strip_politeness(question, answer)):
        bare = _FINAL_LEAD.sub("", _strip_wrapping(text).strip())
        if not _PROSE_WORD.search(bare) and not _SEVERAL.search(bare):
            return _find_last_side(_strip_wrapping(bare))
    return None


def marks_final_expression(text: str) -> bool:
    """Return whether a text marks its final expression, so that the work before it may be long."""
    return "\\boxed" in text or "####" in text


def find_reference_expression(reference: str) -> tuple[str, str]:
    """Return the variable and the expression of a reference, or of its marked result if it shows its work."""
    final = find_final_expression("", reference) if marks_final_expression(reference) else None
    return (final.variable, final.text) if final else split_variable(reference)


def _find_last_side(text: str) -> FinalExpression | None:
    """Return the last side of an equation, if the other sides are a variable or have the same value."""
    *sides, last = (side.strip() for side in _EQUALS.split(text))
    variable = sides.pop(0).strip(" $") if sides and _VARIABLE.fullmatch(sides[0]) else ""
    worth = evaluate(last) if sides else None
    for side in sides:
        other = evaluate(side)
        if worth is None or other is None or other.letters or compare_expressions(other, worth) != "same":
            return None
    return FinalExpression(last, whole=not sides, variable=variable)


def _find_in_box(answer: str) -> FinalExpression | None:
    boxes = find_boxed(answer)
    if not boxes or len({inner for inner, _, _ in boxes}) > 1:
        return None
    inner, start, end = boxes[-1]
    begin = max((stop.end() for stop in SENTENCE_END.finditer(answer, 0, start)), default=0)
    if not _AFTER_BOX.fullmatch(answer, end) or _UNSURE.search(answer, begin, start):
        return None
    variable, said = split_variable(_LATEX_TEXT.sub(r"\1", inner).replace("\\%", "%"))
    return FinalExpression(said.strip(), whole=True, variable=variable)


def _strip_wrapping(text: str) -> str:
    found = _WRAPPED.match(text)
    return next(filter(None, found.groups())) if found else text


def split_variable(text: str) -> tuple[str, str]:
    """Return the variable of an equation and the other side: "x = 5", "f(x) = 2x"."""
    variable, equals, said = text.partition("=")
    named = equals and _VARIABLE.fullmatch(variable) and "=" not in said
    return (variable.strip(" $"), said.strip(" $")) if named else ("", text)


# Comparison of the final expression with the references.

# If the question asks for a form, the same value in another form is no answer.
_ASKS_FORM = any_case(
    r"\b(?:simplif\w*|reduc\w*|lowest|factor (?:the|it|out|completely|each|this|\W)|factori[sz]\w*|factored|expand\w*|convert\w*|express\w*|rewrit\w*|write|written|decimal\w*|mixed|scientific|standard form|rationali\w*|round\w*|nearest|prime factor\w*|into primes|significant|in terms of|as an? (?:\w+ )?fraction)\b|^\W*factor\b"
)
_LONGEST_ANSWER = 300
_ASKS_VERSION = any_case(
    r"\b(?:version|release|chapter|section|part|edition|build|number|update|stable|python|java|android|ios)\b"
)

_SCALED = any_case(r"\b(?:thousand|million|billion|percent\w*)s?\b|%")


class ExpressionComparison(Struct, frozen=True):
    """The final expression of an answer, and whether it equals each reference: True, False or None if that is open.

    `open` means that no other rule should compare the figures.
    """

    final: FinalExpression
    same: tuple[bool | None, ...]
    open: bool


def compare_expression(item: Item, references: list[Reference]) -> ExpressionComparison | None:
    """Compare the final expression of an answer with the references. None if there is no such expression."""
    if not marks_final_expression(item.answer) and (
        len(item.answer) > _LONGEST_ANSWER or not any(map(_is_expression, references))
    ):
        return None
    question = item.question or ""
    final = find_final_expression(question, item.answer)
    if final is None:
        return None
    given = evaluate(final.text)
    wanted = [_evaluate_reference(reference.text, final) for reference in references]
    if given is None:
        return ExpressionComparison(final, (None,) * len(references), open=False)
    same = tuple(each and _classify_expression(each, given, final, question) for each in wanted)
    return ExpressionComparison(
        final, same, any(each is not None and _is_loose(each, given, question) for each in wanted)
    )


def _evaluate_reference(reference: str, final: FinalExpression) -> ExpressionValue | None:
    """Return the value of a reference, unless it belongs to another variable than the answer."""
    variable, said = find_reference_expression(reference)
    return None if variable and final.variable and variable != final.variable else evaluate(said)


def _is_expression(reference: Reference) -> bool:
    return reference.noted and evaluate(find_reference_expression(reference.text)[1]) is not None


def may_differ_in_value(item: Item, place: int) -> bool:
    """Return whether an answer similar to a reference may differ in sign, order, brackets, value, or the form that is asked for."""
    question = item.question or ""
    readable = marks_final_expression(item.answer) or len(item.answer) <= _LONGEST_ANSWER
    final = find_final_expression(question, item.answer) if readable else None
    wanted = _evaluate_reference(item.references[place], final) if final else None
    given = evaluate(final.text) if final and wanted else None
    if given is None or wanted is None:
        return False
    like = compare_expressions(wanted, given)
    if like == "same":
        return not _may_stand_for(wanted, given, question)
    if like is None:
        return False
    return like == "turned" or bool(wanted.letters) or (like == "other" and _shows_maths(wanted, given))


def _is_loose(wanted: ExpressionValue, given: ExpressionValue, question: str) -> bool:
    """Return whether the figures may mean something else than a value: 15 of 20, a time signature, a version, a rounded power of ten."""
    like, shapes = compare_expressions(wanted, given), {wanted.shape, given.shape}
    if like == "same":
        return not _may_stand_for(wanted, given, question)
    if like == "near":
        return "power of ten" in shapes
    unshown = "fraction" in shapes and not _shows_maths(wanted, given)
    return like == "other" and (
        unshown or _may_be_so_many(wanted, given) or _is_rescaled(wanted, given, question)
    )


def _may_be_so_many(wanted: ExpressionValue, given: ExpressionValue) -> bool:
    """Return whether one is a fraction and the other a whole number: "15/20" may mean 15 of 20."""
    return "fraction" in {wanted.shape, given.shape} and (wanted.is_whole() or given.is_whole())


def _is_rescaled(wanted: ExpressionValue, given: ExpressionValue, question: str) -> bool:
    """Return whether the values differ only in scale, and the question names a scale."""
    one, other = wanted.values[0], given.values[0]
    rescaled = any(one == other * scale or other == one * scale for scale in (100, 10**3, 10**6, 10**9))
    return rescaled and _SCALED.search(question) is not None


def _classify_expression(
    wanted: ExpressionValue, given: ExpressionValue, final: FinalExpression, question: str
) -> bool | None:
    like = compare_expressions(wanted, given)
    if like == "same":
        return True if _may_stand_for(wanted, given, question) else None
    if not final.whole or wanted.letters or given.letters:
        return None
    if like == "turned" and not wanted.brackets:
        return False if _shows_maths(wanted, given) else None
    return False if like == "other" and _are_comparable(wanted, given, question) else None


def _may_stand_for(wanted: ExpressionValue, given: ExpressionValue, question: str) -> bool:
    """Return whether an answer may give a value in this form: not if the question asks for another form, or if it is still to be computed."""
    if wanted.shape == given.shape == "plain":
        return wanted.places == given.places or not _ASKS_VERSION.search(question)
    if _ASKS_FORM.search(question):
        return bool(wanted.pieces) and wanted.pieces == given.pieces
    if wanted.letters or wanted.brackets:
        return True
    if {wanted.shape, given.shape} == {"fraction"} and not _shows_maths(wanted, given):
        return False  # 3/4 and 6/8 may be time signatures
    if given.shape == "expression" and wanted.shape != "expression":
        return False  # 2^4 is not computed yet
    return not _may_be_so_many(wanted, given)


def _are_comparable(wanted: ExpressionValue, given: ExpressionValue, question: str) -> bool:
    """Return whether two different values can be compared with certainty."""
    if not _shows_maths(wanted, given) or len(wanted.values) != len(given.values):
        return False
    if {wanted.shape, given.shape} == {"plain", "expression"} and not wanted.mathematical:
        return False  # "300³" may be 300 with a footnote
    return not _may_be_so_many(wanted, given) and not _is_rescaled(wanted, given, question)


def _shows_maths(wanted: ExpressionValue, given: ExpressionValue) -> bool:
    return wanted.mathematical or given.mathematical


# Code, formulas and symbols, in which signs and capitals have a meaning.

_MEANINGFUL_SIGN = re.compile(
    r"""[\\*<>\[\]{}~^=_|@\#‰‱]
    | !(?=[^\s!?.)"'])            # !x, !=
    | (?<![^\W\d_]{2})(?<!!)!         # 5!, n!
    | (?<=[^\s(])\(               # f(x)
    | \((?![^()]*[^\W\d_]{2})     # (1,2), ()
    | (?<![\w'])\w'(?!\w) | \w'\( | \d['"]   # p', f'(x), 5'10"
    | (?<!\w)[/-]\w | \w[/-](?!\w)  # /etc, -ly, Cl-
    | (?<![^\W\d_])[\u0300-\u036f\u20d0-\u20f0]   # a bar over a digit
    """,
    re.VERBOSE,
)
_MINUS = re.compile(r"^\W*-\s?\d")
_LETTER = re.compile(r"[^\W\d_]")
_FEW = 2
_ANY_CASE = frozenset({"no", "ok"})
_MEASURE = re.compile(r"\d\s?(?P<unit>[^\W\d_]{1,4})\W*$")
_SYMBOL_LEAD = any_case(
    r"^(?:the\s+)?(?:(?:final|correct|my|short)\s+)*(?:answer(?:\s+is|\s+would\s+be)?:?|it\s+is|it'?s|it\s+was|that\s+is|this\s+is)\s+(?=\S)"
)
_SYMBOL_WRAPPING = re.compile(
    r"(\*\*|\*|__|`+|\"|'|“|‘)(?P<inner>[^*`\"'”’]+)(?:\1|”|’)|\((?P<label>[^\W\d_]+)\)"
)
_LABEL = re.compile(r"^([A-Za-z])[).:]$")
_LOOSE = re.compile(r"(?<=[^\w\s])\s+|\s+(?=[^\w\s])")


def is_symbolic(text: str) -> bool:
    """Return whether signs or capitals may have a meaning in this text: code, a formula, a short symbol."""
    bare = _unwrap_symbol(clean(text))
    short = 0 < len(_LETTER.findall(bare)) <= _FEW and not any(map(str.isdigit, bare))
    if short and bare.lower().rstrip(".") not in _ANY_CASE:
        return True
    measure = _MEASURE.search(bare)
    if measure and is_case_sensitive(measure["unit"]):
        return True
    return _MEANINGFUL_SIGN.search(_MINUS.sub("", bare)) is not None


def is_same_symbol(reference: str, answer: str) -> bool:
    """Return whether two texts have the same characters, except white space, an introduction and quotes."""
    return spell_exactly(reference) == spell_exactly(answer)


def spell_exactly(text: str) -> str:
    """Return the text in NFKC without an introduction, quotes, emphasis and white space next to signs."""
    return _LOOSE.sub("", _unwrap_symbol(_SYMBOL_LEAD.sub("", clean(text).strip())))


def stands_exactly(reference: str, answer: str) -> bool:
    """Return whether an answer contains the exact reference between white space or punctuation."""
    bare = _unwrap_symbol(clean(reference))
    edge = "" if bare.startswith("*") else "*"
    apart = rf"(?<![^\s\"'`({edge}]){re.escape(bare)}(?=[.,;:!)*\"'`]*(?:\s|$))"
    return re.search(apart, clean(answer)) is not None


def holds_exactly(reference: str, answer: str) -> bool:
    """Return whether an answer that mentions a reference means it, with the same signs if they matter."""
    if is_symbolic(reference):
        return stands_exactly(reference, answer)
    # If a short answer is code, it means more than the word.
    return len(answer.split()) > 1 or not is_symbolic(answer)


def _unwrap_symbol(text: str) -> str:
    """Remove a final full stop, quotes, emphasis, and brackets around a single word."""
    text = text.strip()
    if len(text) > 1:
        text = text.removesuffix(".").rstrip()
    match = _SYMBOL_WRAPPING.fullmatch(text)
    if match:
        return _unwrap_symbol(match["inner"] or match["label"])
    return _LABEL.sub(r"\1", text)


# LaTeX in plain signs: "$3.00 \times 10^{8}\ \text{m/s}$" becomes "3.00 × 10^8 m/s".

_LATEX_MEASURE = re.compile(
    r"\\(?:text|mathrm|textrm|rm|,|;|!|:| |%|\$|circ|degree|times|cdot|approx|sim|pm|leq?|geq?)(?![a-z])"
)
_LATEX_SIGNS = (
    (re.compile(r"\^\{\s*([-+−]?\d{1,3})\s*\}"), r"^\1"),
    (re.compile(r"\\(?:text|mathrm|textrm)\s*\{([^{}\\]*)\}|\{\\rm\s+([^{}\\]*)\}"), r" \1\2"),
    (re.compile(r"\^\s*(?:\{\s*\\circ\s*\}|\\circ|\{\s*\\degree\s*\})|\\degree(?![a-z])"), "°"),
    (re.compile(r"\\(?:times|cdot)(?![a-z])"), "×"),
    (re.compile(r"\\(?:approx|sim)(?![a-z])"), "≈"),
    (re.compile(r"\\pm(?![a-z])"), "±"),
    (re.compile(r"\\leq?(?![a-z])"), "≤"),
    (re.compile(r"\\geq?(?![a-z])"), "≥"),
    (re.compile(r"\\([%$])"), r"\1"),
    (re.compile(r"\\[,;:! ]"), " "),
    (re.compile(r"(?<=\d)\{,\}(?=\d{3})"), ","),
)
_LATEX_DELIMITERS = re.compile(
    r"\$\$?([^$]*)\$\$?|\\\(((?:(?!\\[()]).)*)\\\)|\\\[((?:(?!\\[\[\]]).)*)\\\]", re.DOTALL
)
_LATEX_LEFT = re.compile(r"[\\{}_]")
_BLANKS = re.compile(r"[ \t]{2,}")


def write_out_latex(item: Item) -> Item:
    """Write measures in LaTeX in plain signs, in answer and references. Texts with other LaTeX do not change: `evaluate` reads formulas."""
    texts = (item.answer, *item.references)
    if not any("\\" in text and _LATEX_MEASURE.search(text) for text in texts):
        return item
    answer, *references = map(_spell_latex, texts)
    return Item(item.question, tuple(references), answer)


def _spell_latex(text: str) -> str:
    """Return a text in plain signs, or the text itself if other LaTeX would be left."""
    if "\\" not in text or len(text) > LONGEST_TEXT:
        return text
    plain = _LATEX_DELIMITERS.sub(_open_latex, text)
    for pattern, sign in _LATEX_SIGNS:
        plain = pattern.sub(sign, plain)
    return text if _LATEX_LEFT.search(plain) else _BLANKS.sub(" ", plain).strip()


def _open_latex(match: re.Match[str]) -> str:
    """Return the text between LaTeX delimiters. Dollars may be money: they count only around LaTeX."""
    inside = next(each for each in match.groups() if each is not None)
    return inside if "\\" in inside or match[1] is None else match[0]


# Scientific notation, written out: "2.998 × 10^8 m/s" becomes "299,800,000 m/s".

# Every alternative begins with a digit, which makes the search fast.
_POWER_HINT = re.compile(r"\d(?:(?<=10)\s?(?:\^|\*\*|[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺])|[eE][-+]?\d)")
_POWER_BEFORE = r"(?<![\w.,^/*×(])(?P<digits>"
# Neither digits nor an operator may follow the power.
_POWER_BEHIND = r"(?![\w^]|[.,]\d|\s{0,2}[-+*/×^(]\s{0,2}[\d(])"
_TIMES_TEN = re.compile(
    rf"{_POWER_BEFORE}\d{{1,3}}(?:\.\d{{1,12}})?)\s{{0,2}}[×x*·⋅]\s{{0,2}}10\s?(?:(?:\^|\*\*)\s?[{{(]?(?P<raised>[-−+]?\d{{1,2}})[}})]?|(?P<power>[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]{{1,2}})){_POWER_BEHIND}"
)
_E_NOTATION = re.compile(
    rf"{_POWER_BEFORE}\d\.\d{{1,12}}|\d(?=e))[eE](?P<raised>[-+]?\d{{1,2}})(?P<power>){_POWER_BEHIND}"
)
_ASKS_POWER_FORM = any_case(
    r"\b(?:scientific|standard|index|exponential) (?:notation|form)\b|\bpowers? of (?:ten|10)\b"
)
_LARGEST_POWER_OF_TEN = 30


def write_out_powers(item: Item) -> Item:
    """Write out powers of ten in answer and references, unless the question asks for that form."""
    texts = (item.answer, *item.references)
    if not _POWER_HINT.search("\n".join(texts)) or _ASKS_POWER_FORM.search(item.question or ""):
        return item
    answer, *references = (_write_powers(text) for text in texts)
    if _POWER_HINT.search("\n".join([answer, *references])):
        return item  # one in powers would be compared with one written out
    return Item(item.question, tuple(references), answer)


def _write_powers(text: str) -> str:
    return _E_NOTATION.sub(_spell_power, _TIMES_TEN.sub(_spell_power, text))


def _spell_power(match: re.Match[str]) -> str:
    power = int((match["raised"] or match["power"]).translate(RAISED))
    return f"{Decimal(match['digits']).scaleb(power):,f}" if abs(power) <= _LARGEST_POWER_OF_TEN else match[0]
