from mneme_git.decisions.freshness import Diagnostic
from mneme_git.decisions.together import together
from mneme_git.model.snapshot import Fault


def missing(number, folder="docs/adr", hint="restore it"):
    return Fault(
        code="ADR_MISSING",
        path=f"{folder}/{number}.md",
        decision_id=str(number),
        message=f"{number} is gone",
        hint=hint,
    )


def test_three_of_a_kind_stay_as_they_are_and_four_are_one():
    three = tuple(map(missing, range(3)))
    assert together(three) == three
    (one,) = together(map(missing, range(4)))
    assert (one.path, one.hint, one.decision_id) == ("docs/adr", "restore it", "")
    assert one.message == "4 files that decisions were read from are not there: 0, 1, 2 and 1 more"


def test_other_folders_other_remedies_and_other_codes_are_not_joined():
    rows = (
        *map(missing, range(3)),
        missing(3, folder="adr"),
        missing(4, hint="import it"),
        *(Fault(code="UNKNOWN_FILE", message=str(n), path=f"docs/adr/{n}", hint="x") for n in range(5)),
    )
    assert together(rows) == rows


def test_the_one_stands_where_the_first_stood():
    other = Fault(code="BAD_RULE", message="bad")
    rows = [missing(0), other, *map(missing, range(1, 5))]
    joined, last = together(rows)
    assert (joined.path, last) == ("docs/adr", other)


def test_warnings_of_the_existing_format_which_have_no_hint_are_never_joined():
    rows = tuple(
        Diagnostic(code="ADR_MISSING", adr_id=str(n), message="gone", path=f"adr/{n}.md") for n in range(9)
    )
    assert together(rows) == rows


def test_warnings_of_a_check_say_how_many_adrs_they_are_about():
    rows = [
        Diagnostic(code="ADR_UNIMPORTED", adr_id=str(n), message="new", path=f"{n}.md", hint="import")
        for n in range(4)
    ]
    (one,) = together(rows)
    assert (one.adr_id, one.path) == ("4 ADRs", ".")
    assert one.text == "no decision was read from 4 ADRs: 0, 1, 2 and 1 more; import"
