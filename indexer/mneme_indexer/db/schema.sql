-- Facts about the file itself. made: byte order and schema; refreshes: how many there were.
CREATE TABLE meta (
    key TEXT PRIMARY KEY,
    value ANY NOT NULL
) STRICT, WITHOUT ROWID;

-- How a blob was read: the language (empty: none) and the digest of all that turns bytes into records.
CREATE TABLE recipes (
    id INTEGER PRIMARY KEY,
    language TEXT NOT NULL,
    version TEXT NOT NULL,
    UNIQUE (language, version)
) STRICT;

-- Small columns only, so that the facts of all blobs of a view are read in a few pages.
-- unused: the refresh at which the last view let go of it, 0 while a view has it.
CREATE TABLE blobs (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    oid TEXT NOT NULL,
    recipe INTEGER NOT NULL,
    language TEXT NOT NULL,
    package TEXT NOT NULL,
    skipped TEXT NOT NULL,
    size INTEGER NOT NULL,
    words INTEGER NOT NULL,
    symbols INTEGER NOT NULL,
    uses INTEGER NOT NULL,
    has_errors INTEGER NOT NULL,
    unused INTEGER NOT NULL DEFAULT 0,
    UNIQUE (oid, recipe)
) STRICT;
CREATE INDEX blobs_unused ON blobs (unused) WHERE unused > 0;

-- What a blob holds, as msgpack: the symbols; references, bindings and imports.
CREATE TABLE contents (
    blob INTEGER PRIMARY KEY,
    symbols BLOB NOT NULL,
    uses BLOB NOT NULL
) STRICT;

-- The documents of a segment: blob ids as packed 32-bit numbers; postings name them by position.
CREATE TABLE segments (
    id INTEGER PRIMARY KEY,
    count INTEGER NOT NULL,
    documents BLOB NOT NULL
) STRICT;

-- A block of terms from "first" on, up to that of the next row; data: see Block in postings.py.
CREATE TABLE postings (
    segment INTEGER NOT NULL,
    field INTEGER NOT NULL,
    first TEXT NOT NULL,
    data BLOB NOT NULL,
    PRIMARY KEY (segment, field, first)
) STRICT, WITHOUT ROWID;

-- A work tree or a revision. recipes: the digest of how its blobs were read; generation counts its switches, used the refresh that last asked for it.
CREATE TABLE views (
    id INTEGER PRIMARY KEY,
    key TEXT NOT NULL UNIQUE,
    tree TEXT NOT NULL,
    recipes TEXT NOT NULL,
    head TEXT NOT NULL,
    generation INTEGER NOT NULL,
    used INTEGER NOT NULL
) STRICT;

-- blob is 0 where the content is not read; skipped says why.
CREATE TABLE view_files (
    view INTEGER NOT NULL,
    path TEXT NOT NULL,
    oid TEXT NOT NULL,
    blob INTEGER NOT NULL,
    tracked INTEGER NOT NULL,
    skipped TEXT NOT NULL,
    PRIMARY KEY (view, path)
) STRICT, WITHOUT ROWID;
CREATE INDEX view_files_blob ON view_files (blob);

CREATE TABLE commits (
    id INTEGER PRIMARY KEY,
    oid TEXT NOT NULL UNIQUE,
    time INTEGER NOT NULL,
    message TEXT NOT NULL,
    paths BLOB NOT NULL
) STRICT;

-- The newest ancestors of a commit, newest first: ids of commits as packed 32-bit numbers.
CREATE TABLE histories (
    head TEXT PRIMARY KEY,
    depth INTEGER NOT NULL,
    commits BLOB NOT NULL,
    used INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
