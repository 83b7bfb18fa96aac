"""Databases as the existing engine makes them, from the description of its tables."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

from mneme_git.app.search_projects import earlier_hash

_TABLES = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT);
CREATE TABLE memory (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, body TEXT NOT NULL, scope TEXT NOT NULL, task TEXT,
    files TEXT, identifiers TEXT, tags TEXT, source TEXT NOT NULL DEFAULT 'agent',
    superseded_by INTEGER REFERENCES memory(id), created_at INTEGER NOT NULL, forgotten_at INTEGER,
    last_recalled_at INTEGER, recall_count INTEGER NOT NULL DEFAULT 0
);
CREATE INDEX memory_kind ON memory(kind);
CREATE VIRTUAL TABLE memory_fts USING fts5(body, task, tags, identifiers, files);
"""
CREATED = 1_700_000_000_123


def row(body: Any = "a fact", **columns: Any) -> dict[str, Any]:
    """Return the columns of one memory; lists are written as that engine does."""
    told = {"kind": "decision", "scope": "project", "created_at": CREATED, "body": body, **columns}
    return {key: json.dumps(value) if isinstance(value, list) else value for key, value in told.items()}


def make_database(path: Path, rows: list[dict[str, Any]], *, root: Path | None = None) -> sqlite3.Connection:
    """Make a database in WAL mode and return the open connection: what was written is in the log alone."""
    path.parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    connection.executescript(_TABLES)
    connection.execute("INSERT INTO meta VALUES ('schema_version', '4')")
    if root is not None:
        connection.execute("INSERT INTO meta VALUES ('project_root', ?)", (str(root),))
    for columns in rows:
        marks = ", ".join("?" * len(columns))
        names = ", ".join(columns)
        connection.execute(f"INSERT INTO memory ({names}) VALUES ({marks})", tuple(columns.values()))
    return connection


def project_database(home: Path, root: Path) -> Path:
    """Return where that engine keeps the memories of a folder."""
    return home / ".openclaude/mneme/projects" / earlier_hash(root) / "index.db"
