from mneme_git.decisions.adr_ids import Recorded, identify
from tests.support.adrs import blob_id, folder, nygard, strict

NOWHERE = frozenset()


def ids(files, recorded=(), elsewhere=NOWHERE, at="docs/adr"):
    found = identify(folder(files, at=at), recorded, elsewhere)
    return {adr.path.rsplit("/", 1)[-1]: adr.id for adr in found.adrs}


def row(given, path, text=""):
    return Recorded(id=given, path=path, blob=blob_id(text.encode()))


def test_the_front_matter_says_the_id_whatever_the_file_is_called():
    assert ids({"anything.md": strict(7)}) == {"anything.md": "ADR-007"}
    assert ids({"x.md": "---\nid: my-adr\nstatus: accepted\n---\n# T\n\n## Context\n"}) == {"x.md": "my-adr"}


def test_else_the_leading_number_as_written():
    assert ids({"0001-a.md": nygard("A"), "2-b.md": nygard("B"), "ADR-003-c.md": nygard("C")}) == {
        "0001-a.md": "0001", "2-b.md": "2", "ADR-003-c.md": "ADR-003"}  # fmt: skip


def test_else_the_name_without_extension():
    assert ids({"20200926-use-it.md": nygard("A"), "use-lunr.md": nygard("B")}) == {
        "20200926-use-it.md": "20200926-use-it", "use-lunr.md": "use-lunr"}  # fmt: skip


def test_files_of_one_number_are_told_apart_by_their_names_and_each_is_remarked():
    found = identify(folder({"0005-a.md": nygard("A"), "5-b.md": nygard("B")}), (), NOWHERE)
    assert [adr.id for adr in found.adrs] == ["0005-a", "5-b"]
    assert [(remark.code, remark.path) for remark in found.remarks] == [
        ("DUPLICATE_NUMBER", "docs/adr/0005-a.md"), ("DUPLICATE_NUMBER", "docs/adr/5-b.md")]  # fmt: skip


def test_a_broken_file_has_its_number_all_the_same():
    assert ids({"0005-a.md": nygard("A"), "0005-b.md": "nothing"}) == {"0005-a.md": "0005-a"}


def test_a_recorded_file_keeps_its_id_when_another_takes_its_number():
    files = {"0005-a.md": nygard("A"), "0005-b.md": nygard("B")}
    assert ids(files, [row("0005", "docs/adr/0005-a.md")]) == {"0005-a.md": "0005", "0005-b.md": "0005-b"}


def test_a_file_that_was_renamed_within_its_number_is_the_same_decision():
    found = identify(folder({"0005-new.md": nygard("A")}), [row("0005", "docs/adr/0005-old.md")], NOWHERE)
    assert [adr.id for adr in found.adrs] == ["0005"]
    assert found.renamed == {"0005": "docs/adr/0005-old.md"}


def test_a_file_renamed_to_another_name_is_known_by_its_bytes():
    text = nygard("A")
    for old, new in (("20200101-old.md", "20200101-new.md"), ("0005-x.md", "0006-x.md")):
        found = identify(folder({new: text}), [row("kept", f"docs/adr/{old}", text)], NOWHERE)
        assert [(adr.id, found.renamed["kept"]) for adr in found.adrs] == [("kept", f"docs/adr/{old}")]


def test_a_copy_of_a_file_that_is_still_there_is_another_decision():
    text = nygard("A")
    files = {"20200101-old.md": text, "20200101-new.md": text}
    assert (
        ids(files, [row("20200101-old", "docs/adr/20200101-old.md", text)])["20200101-new.md"]
        == "20200101-new"
    )


def test_a_moved_folder_keeps_its_ids():
    text = nygard("A")
    files = {"0005-a.md": text}
    assert ids(files, [row("0005", "docs/adr/0005-a.md", text)], at="docs/decisions") == {"0005-a.md": "0005"}


def test_a_second_folder_with_equal_numbers_gets_its_path_in_front():
    files = {"0001-a.md": nygard("A"), "0002-b.md": nygard("B")}
    recorded = [row("0001", "docs/adr/0001-x.md")]
    elsewhere = frozenset({"docs/adr/0001-x.md"})
    assert ids(files, recorded, elsewhere, at="backend/adr") == {
        "0001-a.md": "backend/adr/0001", "0002-b.md": "0002"}  # fmt: skip


def test_the_second_folder_keeps_these_ids_afterwards():
    files = {"0001-a.md": nygard("A")}
    recorded = [row("0001", "docs/adr/0001-x.md"), row("backend/adr/0001", "backend/adr/0001-a.md")]
    assert ids(files, recorded, frozenset({"docs/adr/0001-x.md"}), at="backend/adr") == {
        "0001-a.md": "backend/adr/0001"}  # fmt: skip


def test_one_id_in_two_files_is_a_problem_of_both():
    found = identify(folder({"ADR-001-a.md": strict(1), "ADR-001-b.md": strict(1)}), (), NOWHERE)
    assert found.adrs == ()
    assert [(p.path, p.line, p.code) for p in found.problems] == [
        ("docs/adr/ADR-001-a.md", 2, "DUPLICATE_ID"), ("docs/adr/ADR-001-b.md", 2, "DUPLICATE_ID")]  # fmt: skip
    assert "docs/adr/ADR-001-b.md" in found.problems[0].message


def test_an_id_that_is_recorded_from_a_file_elsewhere_is_a_problem():
    recorded = [row("ADR-001", "docs/adr/ADR-001-a.md")]
    here = folder({"ADR-001-b.md": strict(1)}, at="other")
    assert [p.code for p in identify(here, recorded, frozenset({"docs/adr/ADR-001-a.md"})).problems] == [
        "ID_TAKEN"
    ]
    assert identify(here, recorded, NOWHERE).renamed == {"ADR-001": "docs/adr/ADR-001-a.md"}


def test_an_id_of_the_form_of_proposals_is_refused():
    text = "---\nid: dprop-1\nstatus: accepted\n---\n# T\n\n## Context\n"
    assert [p.code for p in identify(folder({"x.md": text}), (), NOWHERE).problems] == ["RESERVED_ID"]


def test_a_number_of_thousands_of_digits_is_a_number():
    name = "9" * 200 + "-x.md"
    assert ids({name: nygard("A")}) == {name: "9" * 200}
