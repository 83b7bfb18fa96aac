"""The stable codes of faults; ``docs/reference/faults.md`` explains the same list to people."""

FAULT_CODES = {
    # Files as they lie below .mneme.
    "NOT_A_FILE": "a symbolic link, a folder or a device stands where a file must be; it is not followed",
    "UNREADABLE_FILE": "a file could not be read",
    "UNKNOWN_FILE": "a file that mneme has no use for",
    "WRONG_FOLDER": "a record stands in the wrong folder; it is read where it stands",
    "REFORMATTED": "a record's bytes were changed but its content was not; it is read",
    "GONE_FROM_WORK_TREE": "the index has a file that the work tree lacks; it stays in force",
    "RECORDS_REMOVED": "a record is staged for removal; HEAD still has it",
    "CONFLICT_LEFT": "a merge left a file open that is no decision",
    # Records.
    "DAMAGED_DECISION": "a decision file cannot be trusted and is set aside",
    "DAMAGED_VERSION": "a version file cannot be trusted and is set aside",
    "DAMAGED_PROPOSAL": "a proposal file cannot be trusted and is set aside",
    "DAMAGED_VERDICT": "a verdict file cannot be trusted and is set aside",
    "DAMAGED_MEMORY": "a memory file cannot be trusted and is set aside",
    "DAMAGED_ENTRY": "an entry of the journal or of the index does not agree with its name",
    "MISSING_VERSION": "a lineage names a version whose file is not there",
    "MISPLACED_DECISION": "a decision stands in the file of another one; the id inside counts",
    "DUPLICATE_DECISION": "two files hold one decision",
    "CONTESTED": "branches disagree on a decision; the union of their rules is enforced",
    "SIDE_LOST": "one side of a contested decision could not be read",
    "VERDICT_CONFLICT": "branches gave unlike verdicts on one proposal",
    "BAD_SIGNATURE": "a signature beside a verdict is not over that verdict",
    "PINNED_AND_FORGOTTEN": "a memory has both markers; it is live",
    # The store.
    "NEWER_WRITER": "a newer mneme wrote this store; it is read as far as it is understood, not written",
    "FORMAT_MISSING": "there are records but no format file; the records are read",
    "FORMAT_UNREADABLE": "the format number cannot be read",
    "UNFINISHED_WRITE": "a write was cut short; the journal has it, but some of its files were not written",
    "CONFIG_CONFLICT": "two branches each ran init; one project id counts until that is settled",
    "MEMORY_FILE_DIVERGED": "a memory file beside the store holds something that git never saw",
    # One decision against itself.
    "BROKEN_LINEAGE": "a decision's lineage contradicts itself or the versions it names",
    "BAD_RULE": "a rule of a decision is not of the form that rules have",
    "RESERVED_ID": "a decision's id is empty or one that only proposals may have",
    # Decisions against each other.
    "SUPERSESSION_CYCLE": "decisions supersede each other in a circle; all of them are enforced",
    "ACTIVE_SUPERSEDED": "an active decision supersedes another that is active too; both are enforced",
    "SUCCESSOR_MISSING": "a decision gave way to one that is not there; it is enforced",
    "PRECEDENCE_CONFLICT": "active decisions of one scope that precedence would not let stand together",
    "ONE_ID_TWO_ADRS": "two ADR files say that they are one decision",
    "NUMBER_COLLISION": "two decisions come from ADR files of one folder with the same number",
    "PROPOSAL_REJECTED": "a decision is in force although its proposal was rejected",
    # Decisions against their ADR files.
    "ADR_CHANGED": "an ADR file holds text that was not imported",
    "ADR_MERGED_UNSEEN": "a merge gave an ADR file text that no side had imported",
    "ADR_MISSING": "the ADR file of an active decision is gone",
    "ADR_UNREADABLE": "the ADR file that a decision was read from cannot be read",
}
