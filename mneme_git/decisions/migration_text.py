"""What a migration says: the preview in the words of the format."""

from mneme_git.model.migration import MigrationFacts


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
    return "\n".join(lines)


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
