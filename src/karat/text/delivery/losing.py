"""What must not be lost with what is taken off: a mention of a reference, and doubt."""

import re

from karat.text.normalise import normalise

_RETRACTS = re.compile(
    r"\b(?:wrong|incorrect\w*|false|untrue|inaccurate|mistak\w+|misread|misspoke|correction|corrected|revis\w+|edit(?:ed)?|actually|wait|hold on|hang on|sorry|apolog\w+|scratch that|on reflection|reconsider\w*|instead|rather|alternatively|"
    r"made up|fabricat\w+|invented|random|unsure|uncertain|unclear|no source|not (?:sure|certain|true|right|correct|the|for|a)|is not|isn'?t|wasn'?t|cannot|can'?t|could(?:n'?t)?|disput\w+|debat\w+|contradict\w*|disagree\w*|guess\w*|assum\w+|"
    r"are you sure|low|unlikely|doubt\w*|however|although|though|unless|except|but|or|none|another|other)\b|\bno\b[,.]|\b0 ?%",
    re.IGNORECASE,
)


def is_blank(text: str) -> bool:
    """Tell whether a text has neither a letter nor a digit."""
    return not any(map(str.isalnum, text))


def retracts(text: str) -> bool:
    """Tell whether a text may take back, doubt or limit what stands beside it."""
    return _RETRACTS.search(text) is not None


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
