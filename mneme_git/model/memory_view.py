"""How memories stand in a checkout, and what may be done to them."""

import enum
from typing import Literal

from msgspec import Struct

from mneme_git.model.memory import Memory
from mneme_git.model.snapshot import Fault

Action = Literal["forget", "unforget", "pin", "unpin", "purge"]


class Place(enum.Enum):
    """Where a memory is, seen from a checkout; the words are shown to people and programs.

    ``here``: in the files of this checkout. ``pending``: recorded in this clone and in no commit yet.
    ``elsewhere``: in a commit of another branch of this clone. ``lost``: in the journal alone.
    """

    HERE = "here"
    PENDING = "pending"
    ELSEWHERE = "elsewhere"
    LOST = "lost"


class Mark(Struct, frozen=True, order=True):
    """Something done to the memory that is called ``name``, without changing its bytes."""

    action: Action
    name: str


class Standing(Struct, frozen=True, kw_only=True):
    """How one memory stands.

    ``branch`` is the branch that a pending memory waits for (empty for a detached HEAD), or one that
    has a memory that is elsewhere. ``forgotten`` and ``pinned`` are what counts here, pending marks
    included; ``purged`` tells that its file was removed on purpose. ``unsettled`` are the marks that
    are pending for this branch, in the order of their making.
    """

    name: str
    place: Place
    branch: str = ""
    forgotten: bool = False
    purged: bool = False
    pinned: bool = False
    unsettled: tuple[Action, ...] = ()

    @property
    def live(self) -> bool:
        """Whether the memory may be recalled."""
        return not (self.forgotten or self.purged or self.place is Place.LOST)


class MemoryView(Struct, frozen=True, kw_only=True):
    """Every memory that a checkout, or a revision, knows of.

    ``standings`` goes by name, in no order that means anything. ``branch`` is empty for a detached HEAD
    and for a revision. ``key`` is equal for two views of one repository only if they are equal.
    ``changed`` are the names whose standing may differ from the view whose key is ``since``; None for
    all.
    """

    standings: dict[str, Standing] = {}
    branch: str = ""
    faults: tuple[Fault, ...] = ()
    origin: str = ""
    key: str = ""
    changed: frozenset[str] | None = None
    since: str = ""

    def changed_since(self, key: str) -> frozenset[str] | None:
        """Return the names whose standing may differ from the view with that key, None for all."""
        if key and key == self.key:
            return frozenset()
        return self.changed if key and key == self.since else None


class MemoryPlan(Struct, frozen=True, kw_only=True):
    """Memories to record and marks to make, in one journal entry ``mneme: <verb> <subject>``.

    ``branch`` is the branch for which they wait, None for that of the checkout.
    """

    verb: str
    subject: str
    memories: tuple[Memory, ...] = ()
    marks: tuple[Mark, ...] = ()
    branch: str | None = None


class Written(Struct, frozen=True, kw_only=True):
    """What became of a plan: the names of what is recorded now, and the entry that acknowledged it.

    ``journal`` is empty if there was nothing to write. ``commit`` is the commit that was made, if any.
    """

    names: tuple[str, ...] = ()
    journal: str = ""
    commit: str = ""
    paths: tuple[str, ...] = ()
    notices: tuple[str, ...] = ()
