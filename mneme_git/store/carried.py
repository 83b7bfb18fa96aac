"""``.mneme/carried.json``: the memory file that git last agreed with, whole, without saying texts twice.

The document is kept as it stood, key order and unknown keys included, as the lines of its JSON. Longer
texts that a version file has stand there as ``{"mneme:version": "dver-... statement"}``. Where
writing the document would not give the same bytes again, the lines of the file are kept instead.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from mneme_git.errors import CorruptRecord
from mneme_git.model.decision import Version
from mneme_git.model.ids import VersionId
from mneme_git.store.memory_write import encode_document
from mneme_git.text.canonical import file_json, sha256_hex
from mneme_git.text.lines import from_lines, to_lines
from mneme_git.text.quoting import quoted

_MARK = "mneme:version"
# Deep enough for a line of its own for each record of the index.
_LEVELS = 3
# A text that is shorter than this takes more room as a mark.
_WORTH_IT = 100
_HINT = "bring back '.mneme/carried.json' as git has it"
# By list: the fields of a version that its rows repeat.
_VERSION_FIELDS = {
    "statement": "statement",
    "rationale": "rationale",
    "context_scope": "scope",
    "constraints": "constraints",
    "anti_patterns": "anti_patterns",
}
_ROW_FIELDS = {
    "decision": "statement",
    "rationale": "rationale",
    "scope": "scope",
    "constraints": "constraints",
    "anti_patterns": "anti_patterns",
}


class Carried(Struct, frozen=True, kw_only=True):
    """A memory file as it was when git last agreed with it; ``file`` is its path in the repository."""

    file: str
    data: bytes


class _CarriedFile(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One of ``document`` and ``text`` is there."""

    file: str
    sha256: str
    document: tuple[str, ...] | None = None
    text: tuple[str, ...] | None = None


def encode_carried(
    carried: Carried, named: Mapping[str, VersionId], versions: Mapping[VersionId, Version]
) -> bytes:
    """Return the bytes of ``carried.json``.

    ``named`` gives the version that each row of ``decisions`` repeats, by decision id.
    """
    text = carried.data.decode("utf-8")
    document = json.loads(text)
    for record, fields, version_id in list(_repeating(document, named)):
        version = versions.get(version_id)
        if version is not None:
            _strip(record, fields, version_id, version)
    sealed = _CarriedFile(
        file=carried.file, sha256=sha256_hex(carried.data), document=tuple(_broken(document, _LEVELS))
    )
    try:
        decode_carried(file_json(sealed), versions)
    except CorruptRecord:  # its layout is not the usual one, or it looks as if it leaned on us
        sealed = replace(sealed, document=None, text=to_lines(text))
    return file_json(sealed)


def decode_carried(data: bytes, versions: Mapping[VersionId, Version]) -> Carried:
    """Return the memory file in ``data``; ``versions`` are those of the store.

    Raises:
        CorruptRecord: it is damaged, or a version that it leans on is not there.
    """
    stored = _decoded(data)
    if stored.text is not None:
        found = from_lines(stored.text).encode("utf-8")
    else:
        found = encode_document(_document(stored.document or (), versions))
    if sha256_hex(found) != stored.sha256:
        raise CorruptRecord("'.mneme/carried.json' does not hold the file that it says", hint=_HINT)
    return Carried(file=stored.file, data=found)


def _decoded(data: bytes) -> _CarriedFile:
    try:
        return msgspec.json.decode(data, type=_CarriedFile)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise CorruptRecord(f"'.mneme/carried.json' cannot be read: {error}", hint=_HINT) from error


def _document(lines: Sequence[str], versions: Mapping[VersionId, Version]) -> Any:
    try:
        return json.loads(from_lines(lines), object_hook=lambda row: _filled(row, versions))
    except (ValueError, RecursionError) as error:
        raise CorruptRecord(f"'.mneme/carried.json' cannot be read: {error}", hint=_HINT) from error


def _broken(value: Any, levels: int) -> list[str]:
    """Return the JSON of ``value`` with a line for each of its parts, that many levels deep."""
    if levels == 0 or not value or not isinstance(value, dict | list):
        return [json.dumps(value, separators=(",", ":"))]
    lines: list[str] = []
    for item in value.items() if isinstance(value, dict) else value:
        key, inner = (f"{json.dumps(item[0])}:", item[1]) if isinstance(value, dict) else ("", item)
        first, *more = _broken(inner, levels - 1)
        lines += [key + first, *more]
        lines[-1] += ","
    lines[-1] = lines[-1][:-1]
    return ["{", *lines, "}"] if isinstance(value, dict) else ["[", *lines, "]"]


def _repeating(
    document: Any, named: Mapping[str, VersionId]
) -> Iterator[tuple[dict[str, Any], Mapping[str, str], VersionId]]:
    """Yield the records that repeat the text of a version."""
    section = document.get("decision_index")
    for record in section.get("versions", ()) if isinstance(section, dict) else ():
        yield record, _VERSION_FIELDS, VersionId(record["version_id"])
    for record in document.get("decisions", ()):
        if record["id"] in named:
            yield record, _ROW_FIELDS, named[record["id"]]


def _strip(
    record: dict[str, Any], fields: Mapping[str, str], version_id: VersionId, version: Version
) -> None:
    for key, name in fields.items():
        value = record.get(key)
        if value == _plain(version, name) and len(json.dumps(value)) > _WORTH_IT:
            record[key] = {_MARK: f"{version_id} {name}"}


def _filled(row: dict[str, Any], versions: Mapping[VersionId, Version]) -> Any:
    mark = row.get(_MARK) if len(row) == 1 else None
    if not isinstance(mark, str):
        return row
    version_id, _, name = mark.partition(" ")
    version = versions.get(VersionId(version_id))
    if version is None or name not in _VERSION_FIELDS.values():
        raise CorruptRecord(
            f"'.mneme/carried.json' leans on version {quoted(version_id)}, which is not there",
            hint="run `mneme restore` to bring versions back",
        )
    return _plain(version, name)


def _plain(version: Version, name: str) -> Any:
    value = getattr(version, name)
    return list(value) if isinstance(value, tuple) else value
