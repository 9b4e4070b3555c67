"""An answer in the reference's own writing, as far as both say the same: values, times, numbered things, names of people, formulas."""

from karat.text.clock import respell_times
from karat.text.counted import respell_counted
from karat.text.formulas import respell_formulas
from karat.text.people import respell_people
from karat.text.regnal import respell_regnal
from karat.text.respelt_values import respell_values
from karat.text.respelt_years import respell_years


def respell(reference: str, answer: str, question: str = "") -> str:
    """Return the answer with what the reference writes otherwise written as there; what the answer has from the question stays."""
    reference = reference.replace("\xa0", " ")
    answer = respell_values(reference, respell_years(reference, answer), question)
    answer = respell_counted(reference, respell_times(reference, answer, question), question)
    answer = respell_regnal(reference, respell_people(reference, answer, question))
    return respell_formulas(reference, answer)
