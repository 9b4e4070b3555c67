"""An answer in the reference's own writing, as far as both say the same: values, names in initials, formulas."""

from karat.text.formulas import respell_formulas
from karat.text.initials import respell_initials
from karat.text.respelt_values import respell_values


def respell(reference: str, answer: str, question: str = "") -> str:
    """Return the answer with what the reference writes otherwise written as there; what the answer has from the question stays."""
    return respell_formulas(
        reference, respell_initials(reference, respell_values(reference, answer, question))
    )
