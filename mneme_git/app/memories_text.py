"""Memories for people: how to call it, what sort it is and where it stands, then its text."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from mneme_git.store.instants import utc_text
from mneme_git.text.printable import one_line

Row = Mapping[str, Any]

_FIRST_LINE = 72
_SHOWN_IDS = 10
_SHOWN_TAGS = 5
_TAG = 32
NOTHING_YET = "nothing is remembered here yet: `mneme memory record` remembers something"
_DONE = {
    "forget": ("Forgotten", "nothing to forget", "mneme memory unforget"),
    "unforget": ("Live again", "nothing was forgotten of", "mneme memory forget"),
    "pin": ("Pinned", "pinned already", "mneme memory unpin"),
    "unpin": ("No longer pinned", "not pinned", "mneme memory pin"),
}

_VERBS = {
    (False, False): "to forget",
    (False, True): "forgotten",
    (True, False): "to purge",
    (True, True): "purged",
}


def recorded_text(done: Row, replaced: str = "") -> str:
    """Return what became of a recording; ``replaced`` is what the memory that it replaces was called."""
    if done["existing"]:
        return f"Remembered already: {done['short']}"
    what = f"Recorded {done['short']}" + (f" in the place of {one_line(replaced)}" if replaced else "")
    if done["paths"]:
        return f"{what}: staged for your next commit"
    return f"{what}: pending until `{_commit(done)}`"


def recalled_text(reply: Row, query: str, nothing: str = "there is no such memory") -> str:
    """Return the matches of a recall, each with its text; ``nothing`` is for none without a query."""
    if not reply["matches"] and not reply.get("omitted"):
        return one_line(f"no memory has to do with '{query}'") if query.strip() else nothing
    told = _texts(reply["matches"])
    more = reply.get("omitted")
    return "\n\n".join([*told, *([f"... {more} more did not fit into the budget"] if more else [])])


def listed_text(reply: Row, nothing: str = "there is no such memory") -> str:
    """Return a line for each memory of a listing; ``nothing`` if there is none."""
    called = _called(reply["memories"])
    lines = [
        one_line(f"{_head(row, called, brief=True)}  {_first(row['body'])}") for row in reply["memories"]
    ]
    if not lines:
        return nothing
    if reply.get("truncated"):
        lines.append(f"... there are more: --offset {reply['offset'] + len(lines)} or a larger --limit")
    return "\n".join(lines)


def shown_text(reply: Row) -> str:
    """Return memories in full, with all that is recorded of them."""
    rows = reply["memories"]
    told = zip(_texts(rows), rows, strict=True)
    return "\n\n".join("\n".join([text, *_details(row)]) for text, row in told)


def marked_text(action: str, done: Row) -> str:
    """Return what a mark has changed, and how it is undone."""
    head, nothing, undo = _DONE[action]
    changed = set(done["changed"])
    lines = [
        one_line(
            f"{head if row['name'] in changed else nothing}: {row['short']}{_of_all(row)}"
            f"  {_first(row['body'] or '')}"
        )
        for row in sorted(done["asked"], key=lambda row: row["name"] not in changed)
    ]
    others = len(changed - {row["name"] for row in done["asked"]})
    lines += [f"and {_count(others, 'memory', 'memories')} that say the same"] if others else []
    undone = [row["short"] for row in done["asked"] if row["name"] in changed]
    lines += [f"undo: {undo} {' '.join(undone)}"] if undone else []
    if any(row["scope"] == "global" and row["name"] in changed for row in done["asked"]):
        lines.append("for all projects: pending until `mneme commit --scope global`")
    return "\n".join(lines)


def _of_all(row: Row) -> str:
    return "  global" if row["scope"] == "global" else ""


def promoted_text(done: Row) -> str:
    """Return what a memory is called where it is known to all projects."""
    if done["existing"]:
        return f"{done['original']['short']} is global already as {done['short']}"
    return f"{done['original']['short']} is global as {done['short']}: pending until `{_commit(done)}`"


def collected_text(done: Row) -> str:
    """Return which memories go and which stay, with the reasons."""
    going = [row for row in done["rows"] if row["goes"]]
    staying = [row for row in done["rows"] if not row["goes"]]
    verb = _VERBS[done["purge"], done["applied"]]
    lines = [f"{_count(len(going), 'memory', 'memories')} {verb}, {len(staying)} to stay"]
    lines += [one_line(f"  {verb}  {_judged(row)}") for row in going]
    lines += [one_line(f"  stays  {_judged(row)}") for row in staying]
    if done["applied"]:
        lines += [f"undo: {command}" for command in done["undo"]]
    elif going:
        lines.append("nothing was done yet: --apply does it")
    if done["purge"] and going:
        lines.append("the files go with the next `mneme commit`; commits that have them keep them")
    return "\n".join(lines)


def history_text(reply: Row) -> str:
    """Return what was done to memories, the newest first."""
    lines = [
        one_line(
            f"{utc_text(row['time'])}  {row['entry'][:12]}  {row['verb']}  {_ids(row['names'])}"
            f"  {row['branch'] or 'no branch'}  {row['author']}"
        )
        for row in reply["entries"]
    ]
    return "\n".join(lines) if lines else "nothing was done to a memory in this clone"


def stale_text(reply: Row) -> str:
    """Return the memories whose code has changed since."""
    if not reply["memories"]:
        return "no memory is about code that has changed since"
    return "\n\n".join(_texts(reply["memories"]))


def _texts(rows: Sequence[Row]) -> list[str]:
    called = _called(rows)
    return [_whole(row, called) for row in rows]


def _called(rows: Iterable[Row]) -> dict[int, str]:
    """Return what memories are called on the screen, by their numbers."""
    return {row["id"]: row["short"] for row in rows}


def _commit(row: Row) -> str:
    """Return the command that commits a memory."""
    return "mneme commit --scope global" if row["scope"] == "global" else "mneme commit"


def _whole(row: Row, called: Mapping[int, str]) -> str:
    lines = [
        one_line(_head(row, called)),
        *(f"    {line}" if line else "" for line in row["body"].split("\n")),
    ]
    about = [*(row["files"] or ()), *(row["identifiers"] or ())]
    lines += [one_line(f"  about: {', '.join(about)}")] if about else []
    lines += [one_line(f"  task: {row['task']}")] if row["task"] else []
    lines += [one_line(f"  STALE  {_change(change)}") for change in row.get("stale") or ()]
    return "\n".join(lines)


def _head(row: Row, called: Mapping[int, str], *, brief: bool = False) -> str:
    day = utc_text(row["created_at"] // 1000)[:10]
    tags = [f"#{tag}" for tag in row["tags"] or ()]
    if brief:
        more = [f"+{len(tags) - _SHOWN_TAGS}"] if len(tags) > _SHOWN_TAGS else []
        tags = [*(_cut(tag, _TAG) for tag in tags[:_SHOWN_TAGS]), *more]
    told = [" ".join(tags)] if tags else []
    return "  ".join([row["short"], row["kind"], day, *_marks(row, called), *told])


def _marks(row: Row, called: Mapping[int, str]) -> Iterable[str]:
    if row["scope"] == "global":
        yield "global"
    if row["place"] == "pending":
        on = f" on {row['branch'] or 'a detached HEAD'}" if row["scope"] != "global" else ""
        yield f"pending{on}"
    elif row["place"] == "elsewhere":
        yield f"on {row['branch'] or 'another branch'}"
    elif row["place"] == "lost":
        yield "lost"
    if row["pinned"]:
        yield "pinned"
    if row.get("forgotten"):
        yield "forgotten"
    new = row["superseded_by"]
    if new is not None:
        yield f"replaced by {called.get(new) or f'number {new}'}"


def _details(row: Row) -> Iterable[str]:
    yield f"  id: {row['name']} (number {row['id']})"
    on = f" on {row['recorded_on']}" if row["recorded_on"] else ""
    who = f"{row['author'] or 'nobody named'} ({row['source']})"
    yield one_line(f"  recorded: {utc_text(row['created_at'] // 1000)} by {who}{on}")
    yield f"  recalled here: {_count(row['recall_count'], 'time', 'times')}"
    for name in row["supersedes"] or ():
        yield f"  replaces: {name}"
    for action in row["pending_marks"] or ():
        yield f"  waits for `{_commit(row)}`: {action}"


def _change(change: Row) -> str:
    to = f" to {change['to']}" if change.get("to") else ""
    return f"{change['what']} {change['name']} has {change['change']}{to} since"


def _judged(row: Row) -> str:
    return f"{row['short']}  {row['reason']}  {_first(row['body'] or '')}"


def _first(body: str) -> str:
    """Return the first line that says something, cut to what a line can hold."""
    line = next((line.strip() for line in body.splitlines() if line.strip()), "")
    return _cut(line, _FIRST_LINE)


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[: most - 1]}…"


def _ids(names: Sequence[str]) -> str:
    rest = f" and {len(names) - _SHOWN_IDS} more" if len(names) > _SHOWN_IDS else ""
    return " ".join(name[:12] for name in names[:_SHOWN_IDS]) + rest


def _count(number: int, one: str, many: str) -> str:
    return f"{number} {one if number == 1 else many}"
