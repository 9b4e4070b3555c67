"""Rules about answers: no clock, no disk, no model."""

from karat.text.agreed import find_agreed
from karat.text.clean import clean, strip_invisible
from karat.text.codes import has_other_code
from karat.text.contested import find_contest
from karat.text.coordinated import TOPICLESS
from karat.text.core import find_cores
from karat.text.delivery import unpack
from karat.text.directed import tell_direction
from karat.text.dressing import close, undress
from karat.text.figures import read_only_figure
from karat.text.forms import names_value
from karat.text.gate import gate
from karat.text.mentioned import find_mentioned, names_more
from karat.text.misstated import (
    concludes_otherwise,
    has_other_scale,
    has_other_unit,
    is_for_comparison,
    is_shut_out,
    turns_round,
)
from karat.text.normalise import normalise
from karat.text.opposites import says_opposite, turns_sides
from karat.text.overruled import gives_other_number
from karat.text.pairs import find_pair, gives_other_pair
from karat.text.polarity import tell_agreed
from karat.text.powers import spell_powers
from karat.text.respelt import respell
from karat.text.results import gives_stated, lacks_figure, tell_figure
from karat.text.rules import RULES_VERSION, rule_on
from karat.text.ruling import Ruling
from karat.text.signs import has_other_sign
from karat.text.speaker import speaks_of_speaker
from karat.text.statements import gives_other_figure, misplaces_figures
from karat.text.strays import strays, wants_name
from karat.text.suspicion import addresses_judge, is_suspicious
from karat.text.typeset import spell_typeset
from karat.text.within import find_within
from karat.text.worth import may_be_worth_other

__all__ = [
    "RULES_VERSION",
    "TOPICLESS",
    "Ruling",
    "addresses_judge",
    "clean",
    "close",
    "concludes_otherwise",
    "find_agreed",
    "find_contest",
    "find_cores",
    "find_mentioned",
    "find_pair",
    "find_within",
    "gate",
    "gives_other_figure",
    "gives_other_number",
    "gives_other_pair",
    "gives_stated",
    "has_other_code",
    "has_other_scale",
    "has_other_sign",
    "has_other_unit",
    "is_for_comparison",
    "is_shut_out",
    "is_suspicious",
    "lacks_figure",
    "may_be_worth_other",
    "misplaces_figures",
    "names_more",
    "names_value",
    "normalise",
    "read_only_figure",
    "respell",
    "rule_on",
    "says_opposite",
    "speaks_of_speaker",
    "spell_powers",
    "spell_typeset",
    "strays",
    "strip_invisible",
    "tell_agreed",
    "tell_direction",
    "tell_figure",
    "turns_round",
    "turns_sides",
    "undress",
    "unpack",
    "wants_name",
]
