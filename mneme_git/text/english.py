"""English words: endings that change a form and not what it speaks of, irregular forms, function words."""

_VOWELS = frozenset("aeiouy")
_SHORTEST = 3
# The form that others are taken for stands first. What is also a form of another word (left, lay, lives)
# is not here.
_IRREGULAR = """
be am is are was were been; have has had; do does did done; go goes went gone; buy bought; get got gotten;
make made; take took taken; see saw seen; come came; think thought; feel felt; give gave given;
tell told; say said; find found; know knew known; meet met; write wrote written; teach taught;
catch caught; bring brought; win won; begin began begun; run ran; eat ate eaten; drink drank drunk;
drive drove driven; fly flew flown; swim swam swum; sing sang sung; break broke broken;
choose chose chosen; speak spoke spoken; wear wore worn; fall fell fallen; grow grew grown;
throw threw thrown; draw drew drawn; show shown; build built; send sent; spend spent; lose lost;
keep kept; sleep slept; sell sold; hold held; lead led; hear heard; pay paid; sit sat; stand stood;
understand understood; forget forgot forgotten; fight fought; seek sought; become became;
ride rode ridden; rise rose risen; steal stole stolen; shoot shot; shake shook shaken; wake woke woken;
hide hid hidden; bite bit bitten; freeze froze frozen; child children; man men; woman women; foot feet;
tooth teeth; mouse mice; person people; wife wives; knife knives; index indices; index indexes;
vertex vertices; matrix matrices
"""
_BASE = {
    form: forms[0]
    for forms in (group.split() for group in _IRREGULAR.replace("\n", " ").split(";"))
    for form in forms[1:]
}
_FUNCTION_WORDS = """
a an the and or but if then than so as of at by for from in into on onto to with without about over under up
down out off again i me my mine we us our ours you your yours he him his she her hers it its they them their
theirs this that these those who whom whose which what when where why how am is are was were be been being do
does did doing done have has had having will would shall should can could may might must not no nor only own
same too very just also there here all any both each few more most other some such dont didnt doesnt isnt
wasnt arent werent cant couldnt wont wouldnt
"""


def stem(word: str) -> str:
    """Return a lower-case ASCII word without plural, ``-ed``, ``-ing`` and a last ``e``.

    ``stopped``, ``stopping`` and ``stops`` give ``stop``; ``cities`` and ``city`` give ``citi``;
    ``went`` gives ``go``. A doubled last consonant counts once. What would have no vowel left or fewer
    than three letters keeps its ending.
    """
    word = _BASE.get(word, word)
    if len(word) <= _SHORTEST:
        return word
    word = _singular(word)
    for ending in ("ing", "ed"):
        if word.endswith(ending) and _stands(base := word[: -len(ending)]):
            word = base
            break
    if len(word) > _SHORTEST and word[-1] == word[-2] and word[-1] not in _VOWELS:
        return word[:-1]
    if word[-1] == "e" and len(word) > _SHORTEST:
        return word[:-1]
    if word[-1] == "y" and len(word) > _SHORTEST and word[-2] not in _VOWELS:
        return word[:-1] + "i"
    return word


def _singular(word: str) -> str:
    if word.endswith(("ies", "ied")) and len(word) > _SHORTEST + 1:
        return word[:-3] + "y"
    if word.endswith(("sses", "shes", "ches", "xes", "zes")):
        return word[:-2]
    if word[-1] == "s" and word[-2] not in "su" and word[-3:] not in ("sis", "xis"):
        return word[:-1]
    return word


def _stands(base: str) -> bool:
    return len(base) >= _SHORTEST and not _VOWELS.isdisjoint(base)


FUNCTION_STEMS = frozenset(map(stem, _FUNCTION_WORDS.split()))
