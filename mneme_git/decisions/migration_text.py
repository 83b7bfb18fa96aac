"""What a migration says: the preview in the words of the format."""

from mneme_git.decisions.to_git_plan import ToGit
from mneme_git.model.migration import MigrationFacts
from mneme_git.text.printable import text_of


def preview_text(name: str, facts: MigrationFacts) -> str:
    """Return the preview of a migration of the memory file ``name``."""
    authority = " (binding authority: legacy_unknown)" if facts.rules else ""
    lines = [
        f"Decision Index migration preview: {name}",
        f"  Native decisions:                {facts.native}",
        f"  Active after migration:          {facts.active}",
        f"  Non-active leaving Layer 1:      {len(facts.retired)}",
        *(f"    {decision_id} ({status})" for decision_id, status in facts.retired),
        f"  Legacy items becoming decisions: {len(facts.items)}",
        *(f"    {item_id}" for item_id in facts.items),
        f"  Migrated rule bindings:          {facts.rules}{authority}",
        "",
        "  After migration:",
        "    decision_index becomes the authoritative decision record",
        "    decisions[] becomes a derived compatibility snapshot",
        "    new rule/anti_pattern items no longer synthesize decisions",
        "",
    ]
    return text_of(lines)


def already_text(name: str) -> str:
    """Return what is said of a file that has a valid index."""
    return (
        f"Decision Index migration: {name}\n"
        "  Already migrated: decision_index is authoritative and valid; nothing to do."
    )


PREVIEW_ONLY = "Preview only; nothing was written. Re-run with --apply to write exactly this migration."


def migrated_text(name: str) -> str:
    """Return what is said after the file was written."""
    return f"Migrated {name}: decision_index is now authoritative."


def to_git_text(name: str, moved: ToGit, *, written: bool) -> str:
    """Return what moving the memory file ``name`` into git would do, or did."""
    by_outcome: dict[str, list[str]] = {}
    for fate in moved.fates:
        by_outcome.setdefault(fate.outcome, []).append(fate.decision_id)
    lines = [f"{'Moved to git' if written else 'Move to git, preview'}: {name}"]
    for outcome, label in _FATES:
        ids = by_outcome.get(outcome, [])
        if ids or outcome == "new":
            lines.append(f"  {label:<34}{len(ids)}")
            lines += [f"    {name}" for name in ids] if outcome in _NAMED else []
    lines.append(f"  {'Versions and rules in the file:':<34}{moved.versions} and {moved.rules}")
    if moved.proposals or moved.verdicts:
        lines.append(f"  {'Proposals and verdicts new in git:':<34}{moved.proposals} and {moved.verdicts}")
    if moved.adrs:
        lines.append(f"  {'ADR files found as imported:':<34}{moved.adrs}")
    carried = ", ".join(["the file as it is", *moved.carried])
    lines.append(f"  {'Kept in .mneme/carried.json:':<34}{carried}")
    if moved.init:
        lines.append("  .mneme is made for a git store")
    lines.append("")
    if not moved.changes:
        lines.append("Nothing to do: git has all of it.")
    elif written:
        lines.append(
            f"Commands here use the git store now; {name} is no longer read. "
            "`mneme decision-index export` writes it again."
        )
    else:
        lines.append("Preview only; nothing was written. Re-run with --apply to do it.")
    return text_of(lines)


_FATES = (
    ("new", "Decisions new in git:"),
    ("changed", "Decisions changed in git:"),
    ("same", "Decisions that git has already:"),
    ("kept", "Decisions that git is ahead with:"),
    ("gone", "Gone from the file, kept in git:"),
)
_NAMED = frozenset({"changed", "gone"})
