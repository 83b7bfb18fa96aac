"""Names that so many libraries use that behind a receiver of unknown type they say nothing."""

VAGUE = frozenset(
    """
    add all any append apply at bind call cancel catch clear clone close concat contains copy count
    create data debug decode delete dispose done emit encode end entries equals error exec execute
    exists extend fetch fill filter find first flat flush forEach format get getItem group handle
    has hash indexOf info init insert invoke is isEmpty items iter join key keys last len length
    list load lock log lower map match max merge min name next notify off on open parse peek pop
    post print process push put read reduce register release remove render replace reset resolve
    reverse run save search select send set setItem setup shift show size slice sort split start
    startsWith state status stop strip subscribe substring sum test then toString trim type unlock
    unwrap update upper use value values wait warn warning write
    """.split()  # noqa: SIM905 - a list of words is easier to read and to keep in order like this
)
