"""Every error a caller can meet.

    MnemeError
    |-- UserError              exit 2   the request cannot be carried out as asked
    |   |-- NotFound
    |   |   `-- SymbolNotFound   exit 1   the code index has no symbol of that name
    |   |-- DecisionNotFound            the same in the words that a specification fixes
    |   |-- ProposalNotFound            likewise
    |   |-- AmbiguousId
    |   |-- InvalidInput
    |   |-- Refused                     a rule of the domain forbids it
    |   |   |-- Taken                   a memory file without an index has a decision of that id
    |   |   |-- CountersTooYoung        recalls were not counted for as long as was asked
    |   |   `-- InvalidResult           what would be written would not load again
    |   |-- AlreadyExists      exit 1   a file that would be made is there
    |   |-- GuardMismatch               what the plan was based on has changed
    |   |-- NoRepository
    |   `-- NoGit
    |-- StoreBusy              exit 2   another process holds what we need; retry
    |   `-- RefMoved
    |-- StoreFault             exit 2   what lies in the store cannot be trusted, read or written
    |   |-- CorruptRecord
    |   |-- InvalidMemory               a memory file breaks the rules of its format
    |   |-- MissingObject
    |   |-- NewerFormat
    |   |-- ReadOnlyStore
    |   |-- SigningFailed               a signature was asked for and could not be made
    |   |-- GitFailed
    |   |   `-- CommitRefused           git, a hook or the signing program refused a commit of ours
    |   `-- CodeIndexFault              the code index can be neither read nor built anew
    |-- Stopped                exit 130 the user stopped it; what was done is kept
    `-- AuthorityRefused       exit 1   a person's earlier verdict stands against it

A message says what happened, with the value in quotes. ``hint`` says what to type or change
next; it is empty only where a specification fixes the whole text. ``code`` is a stable word for
programs. A bug is none of these: it surfaces as exit 70.
"""

from collections.abc import Sequence
from typing import ClassVar


class MnemeError(Exception):
    """An expected failure: a message, a hint, a stable code and an exit status.

    ``tool_hint`` is the hint for an agent, who calls tools and types no commands; None if it is the same.
    """

    code: ClassVar[str] = "ERROR"
    exit_code: ClassVar[int] = 2

    def __init__(self, message: str, *, hint: str = "", tool_hint: str | None = None) -> None:
        self.message = message
        self.hint = hint
        self.tool_hint = tool_hint
        super().__init__(message)


class UserError(MnemeError):
    """The request cannot be carried out as asked."""

    code = "USER_ERROR"


class NotFound(UserError):
    """No record, file or revision has that name."""

    code = "NOT_FOUND"

    def __init__(self, kind: str, given: str, *, hint: str = "", tool_hint: str | None = None) -> None:
        self.kind, self.given = kind, given
        super().__init__(
            f"no {kind} matches '{given}'",
            hint=hint or "run `mneme list_decisions` to see the ids",
            tool_hint=tool_hint,
        )


class SymbolNotFound(NotFound):
    """The code index has no symbol of that name; as for a search without a hit, the status is 1."""

    exit_code = 1


class DecisionNotFound(UserError):
    """No decision in force has that id; ``place`` is empty or names the store, with a blank before."""

    code = "NOT_FOUND"

    def __init__(self, given: str, place: str = "", *, hint: str = "") -> None:
        self.given = given
        super().__init__(f"decision {given!r} not found{place}", hint=hint)


class ProposalNotFound(UserError):
    """No proposal has that id."""

    code = "NOT_FOUND"

    def __init__(self, given: str) -> None:
        self.given = given
        super().__init__(f"proposal {given!r} not found")


class AmbiguousId(UserError):
    """A shortened id fits more than one record."""

    code = "AMBIGUOUS_ID"

    def __init__(self, kind: str, given: str, candidates: Sequence[str]) -> None:
        self.kind, self.given, self.candidates = kind, given, tuple(candidates)
        listed = ", ".join(self.candidates[:5])
        several = f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
        super().__init__(f"'{given}' fits several {several}: {listed}", hint="give more characters of the id")


class InvalidInput(UserError):
    """An argument, a file or a text is not of the form that it must have."""

    code = "INVALID_INPUT"


class Refused(UserError):
    """A rule of the domain forbids the change; nothing was written."""

    code = "REFUSED"


class Taken(Refused):
    """A memory file without an index has a decision of that id already."""

    code = "TAKEN"

    def __init__(self, decision_id: str) -> None:
        super().__init__(f"decision id '{decision_id}' already exists")


class InvalidResult(Refused):
    """What would be written is not what the format says; nothing was written."""

    code = "INVALID_RESULT"

    def __init__(self, reason: str, *, detail: str = "") -> None:
        self.reason = reason
        super().__init__(f"canonical post-write verification failed: {reason}", hint=detail)


class CountersTooYoung(Refused):
    """Recalls have been counted here for fewer days than a memory should have gone without one."""

    code = "COUNTERS_TOO_YOUNG"

    def __init__(self, counted: int, days: int) -> None:
        self.counted, self.days = counted, days
        counted_days = "1 day" if counted == 1 else f"{counted} days"
        super().__init__(
            f"this clone has counted recalls for {counted_days}, not for {days}",
            hint=f"ask for at most {counted_days} with --days, or wait"
            if counted
            else "from tomorrow on fewer days can be asked for, as `--days 1`",
            tool_hint=f"ask for at most {counted_days}"
            if counted
            else "fewer days can be asked for from tomorrow on",
        )


class AlreadyExists(UserError):
    """A file that was asked to be made is there already; it was not touched."""

    code = "EXISTS"
    exit_code = 1

    def __init__(self, path: str) -> None:
        super().__init__(f"{path} already exists. Use --force to overwrite.")


class GuardMismatch(UserError):
    """What a plan was based on is no longer so; nothing was written."""

    code = "PLAN_CHANGED"

    def __init__(self, differences: Sequence[tuple[str, str, str]], *, hint: str = "") -> None:
        self.differences = tuple(differences)
        listed = "; ".join(f"{what}: expected {old}, found {new}" for what, old, new in self.differences)
        super().__init__(
            f"what the plan was based on has changed; nothing was written ({listed})",
            hint=hint or "run the same command without --apply to see the new plan",
        )


class NoRepository(UserError):
    """There is no git repository where one is needed, or git refuses to open it."""

    code = "NO_REPOSITORY"


class NoGit(UserError):
    """The git program is not there, and what was asked for needs it."""

    code = "NO_GIT"


class StoreBusy(MnemeError):
    """Another process holds a lock that is needed; trying again later may succeed."""

    code = "STORE_BUSY"


class RefMoved(StoreBusy):
    """A ref did not hold the value that its compare-and-swap expected."""

    code = "REF_MOVED"

    def __init__(self, ref: str, expected: str, found: str) -> None:
        self.ref, self.expected, self.found = ref, expected, found
        super().__init__(f"{ref} was at {found}, not at {expected}", hint="run the command again")


class StoreFault(MnemeError):
    """What lies in the store cannot be trusted, read or written."""

    code = "STORE_FAULT"


class CorruptRecord(StoreFault):
    """A record does not have the form, name or digest that it must have."""

    code = "CORRUPT_RECORD"


class InvalidMemory(StoreFault):
    """A memory file does not hold what its format says.

    ``reason`` is the text that the decision-index format fixes; ``detail`` says more precisely
    where, and stands in the message in its place. ``path`` is the file as the user named it.
    """

    code = "INVALID_MEMORY"

    def __init__(self, reason: str, *, detail: str = "", path: str = "") -> None:
        self.reason, self.detail, self.path = reason, detail, path
        said = detail or reason
        super().__init__(
            f"memory file {path} failed validation: {said}" if path else said,
            hint="correct what is named, or take the file's last good state from git",
        )

    def at(self, path: str) -> "InvalidMemory":
        """Return the same error with the file named."""
        return InvalidMemory(self.reason, detail=self.detail, path=path)


class MissingObject(StoreFault):
    """A git object that is referred to is not in this repository."""

    code = "MISSING_OBJECT"


class NewerFormat(StoreFault):
    """The store was written by a newer mneme; this one reads but does not write."""

    code = "NEWER_WRITER"


class ReadOnlyStore(StoreFault):
    """The repository cannot be written by this process."""

    code = "READ_ONLY"


class SigningFailed(StoreFault):
    """The program that signs is not there, not set up, or refused; nothing was written."""

    code = "SIGNING_FAILED"


class GitFailed(StoreFault):
    """The git program ended with an error that has no name of its own here."""

    code = "GIT_FAILED"


class CommitRefused(GitFailed):
    """A hook, the signing program or git itself refused a commit; what was written for it is taken back."""

    code = "COMMIT_REFUSED"


class CodeIndexFault(StoreFault):
    """The code index can be neither read nor built anew. It is a cache: no record is concerned."""

    code = "CODE_INDEX"


class Stopped(MnemeError):
    """The user asked to stop; what was done until then is kept."""

    code = "STOPPED"
    exit_code = 130


class AuthorityRefused(MnemeError):
    """A person's earlier verdict stands against the request."""

    code = "AUTHORITY_REFUSED"
    exit_code = 1
