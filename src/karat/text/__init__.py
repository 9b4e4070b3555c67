"""Rules about answers: no clock, no disk, no model."""

from karat.text.clean import clean, strip_invisible
from karat.text.gate import gate
from karat.text.normalise import normalise
from karat.text.rules import RULES_VERSION, rule_on
from karat.text.ruling import Ruling

__all__ = ["RULES_VERSION", "Ruling", "clean", "gate", "normalise", "rule_on", "strip_invisible"]
