"""``mneme init --path`` and ``mneme setup``: a memory file of the existing format."""

from typing import TYPE_CHECKING, Annotated

import typer

from mneme_git.cli.options import JsonOption
from mneme_git.cli.output import answer, answer_json, notice

if TYPE_CHECKING:
    from mneme_git.app.memory_setup import Setup

_TIERS = (
    ("protected", "Protected"),
    ("mneme_ready", "Mneme-ready"),
    ("requires_modelling", "Requires modelling"),
    ("guidance", "Guidance"),
)
_CLOSINGS = {
    "none": "Mneme is installed in setup mode.",
    "setup": "Mneme is already in setup mode.",
    "active": "Mneme remains in active mode (unchanged by setup).",
}


def register(app: typer.Typer) -> None:
    """Add the command to ``app``."""
    app.command("setup")(setup)


def init_path(path: str, *, force: bool, json: bool) -> None:
    """Make an empty memory file; the text is that of the existing format."""
    from mneme_git.app.memory_setup import make_file
    from mneme_git.app.open import here

    kept = make_file(here(), path, force=force)
    if kept:
        notice(f"the file that was there is kept in {kept}")
    if json:
        answer_json({"code": "CREATED", "path": path, "kept": kept})
        return
    answer(
        f"Created {path}\n\nNext steps:\n"
        f"  mneme add_decision --memory {path} \\\n"
        '      --id my_001 --decision "..." --scope <area> --constraint "..."\n'
        f"  mneme check --memory {path} --input <file> --query <context>"
    )


def setup(
    memory: Annotated[
        str | None,
        typer.Option(
            "--memory", metavar="FILE", help="Another file than .mneme/project_memory.json of the repository."
        ),
    ] = None,
    audit_ref: Annotated[
        str | None,
        typer.Option("--audit-ref", metavar="REF", help="Not supported: it needs a network service."),
    ] = None,
    json: JsonOption = False,
) -> None:
    """Make a memory file for this repository, or add a record of being set up to the one that is there.

    Enforces nothing and installs nothing. Example: mneme setup
    """
    from mneme_git.app.memory_setup import setup as use_case
    from mneme_git.app.open import here

    done = use_case(here(), memory=memory, audit_ref=audit_ref)
    for text in done.notices:
        notice(text)
    if json:
        answer_json(
            {
                "code": "CREATED" if done.created else "FOUND",
                "root": str(done.root),
                "memory": str(done.memory),
                "state": "active" if done.state == "active" else "setup",
                "integrations": [each.name for each in done.integrations],
                "tiers": done.tiers,
                "decisions": done.decisions,
                "adr_diagnostics": done.diagnostics,
            }
        )
    else:
        answer(_text(done))


def _text(done: "Setup") -> str:
    found = [f"{each.title} detected ({each.folder}, {each.kind})" for each in done.integrations]
    checked = f"OK ({done.decisions} decisions)"
    if done.diagnostics is not None:
        checked += f" | ADR diagnostics: {done.diagnostics} (warn-only)"
    sections = [
        ("Repository", [f"OK {done.root.name} ({done.root})"]),
        ("Project memory", [f"{'Created' if done.created else 'Found'} {done.memory}"]),
        ("Architecture baseline", ["Not connected (no audit reference provided)"]),
        ("Integrations", found or ["None detected"]),
        ("Protection readiness", [f"{title}: {done.tiers[tier]}" for tier, title in _TIERS]),
        ("Enforcement", ["Not enabled"]),
        ("Initial check", [checked]),
    ]
    parts = [
        "Mneme setup",
        *("\n".join([title, *(f"  {line}" for line in lines)]) for title, lines in sections),
    ]
    if done.state == "active":
        parts.append("WARN  project is in active state; setup did not change activation")
    parts.append(_CLOSINGS[done.state])
    return "\n\n".join(parts)
