"""Rules about answers: no clock, no disk, no model."""

from karat.text.canonical import respell, unify_currencies
from karat.text.gate.gate import GATE_VERSION, Ruling, check_gate
from karat.text.gate.injection import addresses_judge, is_suspicious
from karat.text.maths.compare import may_differ_in_value, write_out_latex, write_out_powers
from karat.text.mention import asks_for_name, find_mentioned_reference, is_off_topic, names_something_else
from karat.text.normal import clean, normalise, strip_invisible
from karat.text.rules import RULES_VERSION, apply_rules, find_objection, uses_personal_pronoun
from karat.text.specificity import find_head_phrases, find_period_of_date, gives_other_number
from karat.text.unwrap.unwrap import set_full_stop, strip_politeness, unwrap_answer
from karat.text.values.compare_figures import find_same_pair, gives_other_pair
from karat.text.values.conflicts import (
    concludes_other_figure,
    has_other_identifier,
    has_other_scale,
    has_other_sign,
    is_only_bound,
    reverses_figures,
)
from karat.text.values.figures import read_only_figure
from karat.text.values.reference import mentions_number
from karat.text.values.stated_figures import classify_figure, gives_other_figure, misplaces_figures
from karat.text.yes_no import (
    compare_yes_no,
    find_agreed_reference,
    find_figured_reference,
    says_opposite,
    swaps_sides,
)

__all__ = [
    "GATE_VERSION", "RULES_VERSION", "Ruling", "addresses_judge", "apply_rules", "asks_for_name", "check_gate", "classify_figure",
    "clean", "compare_yes_no", "concludes_other_figure", "find_agreed_reference", "find_figured_reference",
    "find_head_phrases", "find_mentioned_reference", "find_objection", "find_period_of_date", "find_same_pair", "gives_other_figure",
    "gives_other_number", "gives_other_pair", "has_other_identifier", "has_other_scale", "has_other_sign", "is_off_topic", "is_only_bound", "is_suspicious",
    "may_differ_in_value", "mentions_number", "misplaces_figures", "names_something_else", "normalise", "read_only_figure", "respell",
    "reverses_figures", "says_opposite", "set_full_stop", "strip_invisible", "strip_politeness", "swaps_sides",
    "unify_currencies", "unwrap_answer", "uses_personal_pronoun", "write_out_latex", "write_out_powers",
]  # fmt: skip
