"""Whether something would be lost that may be the answer."""

from karat.text.normalise import normalise


def is_blank(text: str) -> bool:
    """Tell whether a text has neither a letter nor a digit."""
    return not any(map(str.isalnum, text))


def loses(references: tuple[str, ...], whole: str, cut: str) -> bool:
    """Tell whether nothing is left, or a reference is named by the whole and not by what is left of it."""
    if is_blank(cut):
        return True
    after = f" {normalise(cut)} "
    forms = [f" {normalise(reference)} " for reference in references]
    if any(form in after for form in forms):
        return False
    before = f" {normalise(whole)} "
    return any(form in before for form in forms)
