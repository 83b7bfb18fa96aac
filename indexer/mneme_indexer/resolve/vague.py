"""Names that so many libraries use that behind a receiver of unknown type they say nothing."""

_SHORTEST = 4  # letters; shorter names are as worn
_VAGUE = frozenset(
    """
    abs add addeventlistener all andthen any append appendchild apply args asbytes asderef asmut
    asref assign asstr at bind call cancel catch ceil charat clear clone cloned close collect concat
    contains containskey copy count create data debug decode defineproperty delete dispose done emit
    encode end endswith entries equals error errorf every exec execute exists expect extend fatalf
    fetch fill filter finally find findindex findlast findlastindex first firstordefault flat
    flatmap floor flush foreach format fprintf freeze get getclass gethashcode getid getitem getname
    gettype getvalue group handle has hash hashcode hasownproperty includes indexof info init insert
    into intoiter invoke is isdigit isempty iserr isnone isoformat isok issome items iter join key
    keys last lastindexof len length list load localecompare lock log lower lstrip map maperr match
    max merge min name next notify off okor okorelse on open orderby padend padstart parse path peek
    pop popitem post preventdefault print printf println process push pushstr put queryselector
    queryselectorall random read readall readline readlines reduce reduceright register release
    remove removeeventlistener render repeat replace replaceall reset resolve reverse rlock round
    rsplit rstrip run save search seek select send set setdefault setitem setup setvalue shift show
    singleordefault size slice some sort splice split splitlines sprintf start startswith state
    status stderr stdout stop stream string stringify strip subscribe substr substring sum tell test
    then toarray tofixed tolist tolowercase toowned tostring touppercase tovec trim trimend
    trimstart type unlock unwrap unwrapor unwrapordefault unwraporelse update upper use value
    valueof values wait warn warning where withcapacity write writestring zfill
    """.split()  # noqa: SIM905 - a list of words is easier to read and to keep in order like this
)


def is_vague(name: str) -> bool:
    """Tell whether a name says nothing by itself, however its words are joined."""
    return len(name) < _SHORTEST or name.replace("_", "").lower() in _VAGUE
