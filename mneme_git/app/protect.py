"""Use cases of protections: which decisions could get one, whether it would work, on and off."""

from msgspec import Struct

from mneme_git.app.open import Opened, open_store
from mneme_git.app.replan import commit_planned
from mneme_git.app.verify import what_holds
from mneme_git.app.workspace import Workspace
from mneme_git.decisions.protection import (
    Choice,
    Removed,
    Validation,
    choose,
    plan_activate,
    plan_deactivate,
    validate,
)
from mneme_git.decisions.protection_evidence import (
    Assessment,
    RepositoryFacts,
    assess,
    is_selector,
    selector_path,
)
from mneme_git.decisions.protection_tier import Tier
from mneme_git.errors import DecisionNotFound, InvalidInput, InvalidMemory
from mneme_git.model.enforced import Enforced
from mneme_git.model.plan import Plan, Receipt
from mneme_git.model.snapshot import Fault
from mneme_git.store.memory_file import MemoryFile


class Assessed(Struct, frozen=True, kw_only=True):
    """The decisions in force with their tiers.

    ``name`` is the store as messages name it, ``place`` the absolute path of the file or repository.
    """

    opened: Opened
    name: str
    place: str
    assessments: tuple[Assessment, ...]
    faults: tuple[Fault, ...] = ()

    def find(self, decision_id: str, *, where: bool = True) -> Assessment:
        """Return the assessment of a decision in force (the first side of a contested one).

        Raises:
            DecisionNotFound: no decision in force has that id.
        """
        found = next((one for one in self.assessments if one.decision.id == decision_id), None)
        if found is not None:
            return found
        place = f" in {self.name}" if where else ""
        raise DecisionNotFound(decision_id, place, hint=self._hint(decision_id))

    def _hint(self, decision_id: str) -> str:
        if self.opened.kind == "file":
            return ""  # the whole text is fixed by the format
        state = self.opened.store.load().state(decision_id)
        if state is None:
            return "run `mneme list_decisions` to see the ids"
        return f"it is {state.lifecycle_status.value}: only decisions in force can be protected"


class Activation(Struct, frozen=True, kw_only=True):
    """What came of activating; without a ``receipt`` nothing was written.

    ``decision`` is as it was read last. ``installed`` is false where the rule was bound already.
    ``observed`` tells whether the decision is protected when the store is read again.
    """

    decision: Enforced
    choice: Choice
    validation: Validation | None = None
    receipt: Receipt | None = None
    installed: bool = False
    observed: bool = False


class Deactivation(Struct, frozen=True, kw_only=True):
    """The rules that are no longer bound, and the tier without them."""

    removed: tuple[Removed, ...]
    receipt: Receipt
    tier: Tier


def assessed(
    workspace: Workspace, *, memory: str | None = None, repo_root: str | None = None, at: str | None = None
) -> Assessed:
    """Return the decisions in force with their tiers, and with evidence if a repository is named.

    Raises:
        InvalidInput: the memory file or the repository root is not there.
        InvalidMemory: the memory file is not what the format says.
    """
    opened = open_store(workspace, memory=memory, at=at)
    store = opened.store
    faults: tuple[Fault, ...] = ()
    if isinstance(store, MemoryFile):
        decisions = store.enforced()
        name, place = store.name, str(store.path.absolute())
    else:
        holding = what_holds(opened)
        faults, decisions = holding.faults, holding.decisions
        name, place = "the git store", str(opened.root)
    facts = _facts(workspace, repo_root, decisions) if repo_root is not None else None
    return Assessed(
        opened=opened, name=name, place=place, assessments=assess(decisions, facts), faults=faults
    )


def assessed_in_fixed_words(
    workspace: Workspace, *, memory: str | None = None, repo_root: str | None = None, at: str | None = None
) -> Assessed:
    """Return what ``assessed`` does; what is wrong with a memory file is told as the format fixes it."""
    try:
        return assessed(workspace, memory=memory, repo_root=repo_root, at=at)
    except InvalidMemory as error:
        raise InvalidInput(f"memory file {error.path} failed validation: {error.reason}") from error


def activate(
    workspace: Workspace,
    decision_id: str,
    *,
    memory: str | None = None,
    repo_root: str | None = None,
    literal: str = "",
) -> Activation:
    """Bind the rule that a decision is ready for, once it is shown to work, and look again.

    Raises:
        DecisionNotFound: no decision in force has that id.
        Refused: branches disagree on the decision.
    """
    found = assessed_in_fixed_words(workspace, memory=memory, repo_root=repo_root)
    one = found.find(decision_id)
    choice = choose(one, literal=literal)
    if choice.token is None:
        return Activation(decision=one.decision, choice=choice)
    checked = validate(one.decision, choice.literal)
    if checked.result != "VALID":
        return Activation(decision=one.decision, choice=choice, validation=checked)
    store = found.opened.store
    receipt = commit_planned(store, lambda: plan_activate(store.load(), decision_id, choice.literal))
    again = assessed(workspace, memory=memory, repo_root=repo_root).find(decision_id)
    return Activation(
        decision=again.decision,
        choice=choice,
        validation=checked,
        receipt=receipt or Receipt(),
        installed=receipt is not None,
        observed=again.tier is Tier.PROTECTED
        and any(rule.value == choice.literal for rule in again.decision.rules),
    )


def deactivate(
    workspace: Workspace, decision_id: str, *, memory: str | None = None, rule_id: str = ""
) -> Deactivation:
    """Unbind the protections of a decision, or one rule that is named.

    Raises:
        DecisionNotFound, NotFound: no decision in force has that id, or it has no such rule.
        Refused: no protection is bound, or branches disagree on the decision.
    """
    found = assessed_in_fixed_words(workspace, memory=memory)
    found.find(decision_id)
    store = found.opened.store
    removed: list[Removed] = []

    def plan() -> Plan:
        made, gone = plan_deactivate(store.load(), decision_id, rule_id=rule_id)
        removed[:] = gone
        return made

    receipt = commit_planned(store, plan)
    again = assessed(workspace, memory=memory).find(decision_id)
    return Deactivation(removed=tuple(removed), receipt=receipt or Receipt(), tier=again.tier)


def _facts(workspace: Workspace, repo_root: str, decisions: tuple[Enforced, ...]) -> RepositoryFacts:
    from mneme_git.store.repository_texts import existing_files, head_commit, read_ci_files

    root = workspace.cwd / repo_root
    if not root.is_dir():
        raise InvalidInput(f"repo root {repo_root} does not exist")
    declared = {row.selector for decision in decisions for row in decision.test_evidence}
    if not declared:
        return RepositoryFacts(ci_files=read_ci_files(root))
    return RepositoryFacts(
        ci_files=read_ci_files(root),
        head=head_commit(root),
        test_files=existing_files(
            root, sorted(selector_path(name) for name in declared if is_selector(name))
        ),
    )
