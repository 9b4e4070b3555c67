"""Words that tell little about an answer, and words that tell what is asked for."""

from karat.text.vocabulary import list_words

FUNCTION = frozenset(
    list_words(
        "a an the is was are were be been being am has have had having does did do doing done in on at of to for from by with as and "
        "or but that which who whom whose when where why how what it its he she they them his her their this these those there here "
        "can could will would shall should may might must into onto about than then so also such some any all each i we you your "
        "my our s t if because while during after before between through over under again only own same too very just not no nor"
    )
)
ASKED = ("who", "when", "where", "many", "what", "which", "why", "how", "polar")
_POLAR = frozenset(
    list_words(
        "is are was were do does did can could will would has have had should may must might am isnt dont doesnt"
    )
)


def name_asked(words: list[str]) -> str | None:
    """Name what a question asks for by its first telling word."""
    for place, word in enumerate(words):
        if word == "how" and words[place + 1 : place + 2] and words[place + 1] in ("many", "much"):
            return "many"
        if word in ("who", "whom", "whose"):
            return "who"
        if word in ("when", "where", "what", "which", "why", "how"):
            return word
    return "polar" if words and words[0] in _POLAR else None
