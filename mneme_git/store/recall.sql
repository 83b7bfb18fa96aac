-- A projection of the memories that this clone knows: deleting the file loses nothing, it is built again.
CREATE TABLE meta (
    key   TEXT PRIMARY KEY,
    value INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- One row for each memory. `doc` counts from 0 in the order of coming; a number is never used again.
CREATE TABLE memories (
    doc     INTEGER PRIMARY KEY,
    name    BLOB NOT NULL UNIQUE,   -- 16 bytes
    created INTEGER NOT NULL,       -- milliseconds since 1970
    content BLOB NOT NULL,          -- key of equal content, 32 bytes
    length  INTEGER NOT NULL,       -- class of its length
    packed  INTEGER NOT NULL,       -- 1: `data` is deflated
    crc     INTEGER NOT NULL,       -- crc32 of `data`
    data    BLOB NOT NULL           -- the record (msgpack)
) STRICT;
CREATE INDEX memories_by_time ON memories (created DESC, name);
CREATE INDEX memories_by_content ON memories (content);

-- The terms of a memory in their order, as hashes of four bytes: where they stand, for the second look.
CREATE TABLE streams (
    doc  INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- The postings (msgpack) of each memory that no segment has yet.
CREATE TABLE fresh (
    doc  INTEGER PRIMARY KEY,
    data BLOB NOT NULL
) STRICT;

-- Documents that were put together: numbers `first` to `first + size - 1`, gone ones as zeros.
CREATE TABLE segments (
    first    INTEGER PRIMARY KEY,
    size     INTEGER NOT NULL,
    names    BLOB NOT NULL,         -- 16 bytes each
    contents BLOB NOT NULL,         -- 32 bytes each
    created  BLOB NOT NULL,         -- 8 bytes each
    lengths  BLOB NOT NULL          -- 1 byte each
) STRICT;

-- The documents of a segment that have a term, packed (store/recall_postings.py). Terms of texts are folded;
-- those that begin with a capital letter are for filters (store/recall_terms.py).
CREATE TABLE postings (
    term  TEXT NOT NULL,
    first INTEGER NOT NULL,
    data  BLOB NOT NULL,
    PRIMARY KEY (term, first)
) STRICT, WITHOUT ROWID;

CREATE TABLE supersedes (
    old BLOB NOT NULL,
    new BLOB NOT NULL,
    PRIMARY KEY (old, new)
) STRICT, WITHOUT ROWID;
CREATE INDEX supersedes_by_new ON supersedes (new);
