"""Whether something would be lost that may be the answer."""

from karat.text.normalise import normalise


def loses(references: tuple[str, ...], whole: str, cut: str) -> bool:
    """Tell whether nothing is left, or a reference is named by the whole and not by what is left of it."""
    after = f" {normalise(cut)} "
    if after.isspace():
        return True
    forms = [f" {normalise(reference)} " for reference in references]
    if any(form in after for form in forms):
        return False
    before = f" {normalise(whole)} "
    return any(form in before for form in forms)
