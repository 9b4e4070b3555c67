"""Words with which one stands by an answer: they say where it is from or how sure it is, and nothing of what was asked."""

from karat.text.vocabulary import list_words

_AVOWING = frozenset(
    list_words(
        "im youre thats theyre whats ive weve heres know knows knew learned learnt school class textbook memory serves checked check looked verified confirmed according wikipedia google "
        "encyclopedia encyclopaedia trust confident certain positive sure pretty quite fairly absolutely definitely totally completely surely undoubtedly indeed looking want wanted seek seeking "
        "after course knowledge careful carefully thinking step arrive arrived conclude concluded conclusion based reasoning short brief words summary result therefore thus hence happy glad "
        "hope helps help helped welcome thanks thank bingo period easy simple correctly question asked given clear plain plainly honestly frankly literally exactly precisely reply response sought"
    )
)


def avows(form: str) -> bool:
    """Tell whether a word only stands by an answer."""
    return form in _AVOWING
