"""Which module holds which command, so that one command need not load all the others."""

from collections.abc import Callable

import typer

Add = Callable[[typer.Typer], None]


def _setup(app: typer.Typer) -> None:
    from mneme_git.cli import setup

    setup.register(app)


def _adr(app: typer.Typer) -> None:
    from mneme_git.cli import adr, adr_author

    adr_author.register(adr.register(app))


def _decisions(app: typer.Typer) -> None:
    from mneme_git.cli import decisions

    decisions.register(app)


def _decision(app: typer.Typer) -> None:
    from mneme_git.cli import blame, decision_resolve, decisions, proposals, retire

    group = typer.Typer(no_args_is_help=True, help="Show, compare, accept, retire and settle decisions.")
    decisions.register_group(group)
    blame.register(group)
    decision_resolve.register(group)
    retire.register(group)
    proposals.register_group(group)
    app.add_typer(group, name="decision")


def _check(app: typer.Typer) -> None:
    from mneme_git.cli import check

    check.register(app)


def _protect(app: typer.Typer) -> None:
    from mneme_git.cli import protect

    protect.register(app)


def _audit(app: typer.Typer) -> None:
    from mneme_git.cli import audit

    audit.register(app)


def _verify(app: typer.Typer) -> None:
    from mneme_git.cli import verify

    verify.register(app)


def _restore(app: typer.Typer) -> None:
    from mneme_git.cli import restore

    restore.register(app)


def _memory_setup(app: typer.Typer) -> None:
    from mneme_git.cli import memory_setup

    memory_setup.register(app)


def _decision_index(app: typer.Typer) -> None:
    from mneme_git.cli import decision_index

    decision_index.register(app)


def _decision_mcp(app: typer.Typer) -> None:
    from mneme_git.cli import proposals

    proposals.register(app)


def _code(app: typer.Typer) -> None:
    from mneme_git.cli import code

    code.register(app)


def _code_index(app: typer.Typer) -> None:
    from mneme_git.cli import code_index

    code_index.register(app)


def _reindex(app: typer.Typer) -> None:
    from mneme_git.cli import code_index

    code_index.register_reindex(app)


def _memory(app: typer.Typer) -> None:
    from mneme_git.cli import memories, memories_import, memories_marks

    group = typer.Typer(no_args_is_help=True, help="Remember, recall, forget and keep what was learned.")
    memories.register(group)
    memories_marks.register(group)
    memories_import.register(group)
    app.add_typer(group, name="memory")


def _commit(app: typer.Typer) -> None:
    from mneme_git.cli import memories_commit

    app.command("commit")(memories_commit.commit)


def _gc(app: typer.Typer) -> None:
    from mneme_git.cli import memories_marks

    app.command("gc")(memories_marks.gc)


def _mcp(app: typer.Typer) -> None:
    from mneme_git.cli import mcp

    mcp.register(app)


COMMANDS: tuple[tuple[tuple[str, ...], Add], ...] = (
    (("init", "status"), _setup),
    (("adr",), _adr),
    (("list_decisions", "add_decision"), _decisions),
    (("decision",), _decision),
    (("check", "test_query"), _check),
    (("protect",), _protect),
    (("audit",), _audit),
    (("verify",), _verify),
    (("restore",), _restore),
    (("context", "lookup", "callers", "callees", "outline"), _code),
    (("memory",), _memory),
    (("commit",), _commit),
    (("gc",), _gc),
    (("index",), _code_index),
    (("reindex",), _reindex),
    (("mcp",), _mcp),
    (("decision-mcp",), _decision_mcp),
    (("decision-index",), _decision_index),
    (("setup",), _memory_setup),
)
"""The top-level names, in the order of ``mneme --help``, and what adds them."""
