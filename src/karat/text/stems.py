"""Words without what a sentence gives them, so that "was written by" speaks of "who wrote"."""

from functools import lru_cache

_TABLE = """
write wrote written author; sing sang sung song; win won winner; make made; build built; hold held; lead led; find found; give gave given; take took taken; speak spoke spoken;
begin began begun; grow grew grown; draw drew drawn; know knew known; throw threw thrown; fly flew flown; see saw seen; say said; tell told; sell sold; buy bought;
bring brought; teach taught; catch caught; fight fought; think thought; seek sought; lose lost; leave left; keep kept; sleep slept; feel felt; meet met; mean meant;
send sent; spend spent; lend lent; bend bent; break broke broken; choose chose chosen; steal stole stolen; wear wore worn; swear swore sworn; bear bore borne born;
drive drove driven; ride rode ridden; rise rose risen; shoot shot; fall fell fallen; eat ate eaten; beat beaten; hide hid hidden; bite bit bitten; swim swam swum;
run ran; come came; become became; drink drank drunk; sink sank sunk; ring rang rung; shrink shrank shrunk; spring sprang sprung; stand stood; understand understood;
hear heard; lay laid; lie lain; pay paid; strike struck; stick stuck; dig dug; hang hung; swing swung; spin spun; bind bound; wind wound; get got gotten; forget forgot
forgotten; go went gone; do did done; freeze froze frozen; wake woke woken; slay slew slain; breed bred; feed fed; bleed bled; shine shone; light lit; live life; die
died dies dying dead death; high height tall; long length; deep depth; wide width; heavy weight weigh weighs weighed; old age aged; far distance; marry married; bury buried; carry carried; study studied
"""
_BASES = {
    form: forms[0]
    for forms in (line.split() for line in _TABLE.replace("\n", " ").split(";"))
    for form in forms
}


_ENDINGS = (("ing", "ed", "es", "s"), ("er", "or"), ("e",))
_SHORTEST = 3


@lru_cache(maxsize=16384)
def stem_of(form: str) -> str:
    """Return a word without its ending, and a form of an irregular verb as that of the verb: opens, opened, opening; wrote, written, writer."""
    bare = _BASES.get(form, form)
    for endings in _ENDINGS:
        fitting = (each for each in endings if bare.endswith(each) and len(bare) - len(each) >= _SHORTEST)
        bare = bare.removesuffix(next(fitting, ""))
    return bare
