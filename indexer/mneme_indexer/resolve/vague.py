"""Names that so many libraries use that behind a receiver of unknown type they say nothing."""

_SHORTEST = 4  # letters; shorter names are as worn
_VAGUE = frozenset(
    """
    = abs addeventlistener all andthen any appendchild asbytes asderef asmut asref assign asstr ceil
    charat cloned collect concat containskey count decode defineproperty done encode endswith equals
    error errorf every expect fatalf finally findindex findlast findlastindex firstordefault flatmap
    floor foreach fprintf freeze frozenset( getclass gethashcode getid getname gettype getvalue
    hashcode hasownproperty includes insert into intoiter isdigit isempty iserr isnone isoformat
    isok issome items iter join keys lastindexof len localecompare lstrip maperr max min okor
    okorelse orderby padend padstart parse popitem preventdefault printf println pushstr
    queryselector queryselectorall random read readall readline readlines reduceright remove
    removeeventlistener repeat replaceall rlock round rsplit rstrip seek select setdefault setvalue
    singleordefault some splice splitlines sprintf startswith stream string stringify substr tell
    toarray tofixed tolist tolowercase toowned tostring touppercase tovec trimend trimstart unlock
    unwrapor unwrapordefault unwraporelse vague valueof values where withcapacity write writestring
    zfill
    """.split()  # noqa: SIM905 - a list of words is easier to read and to keep in order like this
)


def is_vague(name: str) -> bool:
    """Tell whether a name says nothing by itself, however its words are joined."""
    return len(name) < _SHORTEST or name.replace("_", "").lower() in _VAGUE
