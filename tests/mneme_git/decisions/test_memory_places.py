from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from mneme_git.decisions.memory_places import Place, in_file, in_repository, without_blobs
from mneme_git.model.decision import AdrEvidence, LineageEntry, RuntimeEvidence
from tests.support.make import make_state, make_version

PLACE = Place(root="/r", folder="/r/.mneme")


def state(locator, decision_id="ADR-1", **more):
    version = make_version(decision_id)
    made = make_state(version)
    evidence = (AdrEvidence(source_locator=locator, sha256="a" * 64, **more), RuntimeEvidence())
    return replace(made, versions=(replace(made.versions[0], evidence=evidence),))


def locator(found):
    return found.versions[0].evidence[0].source_locator


def test_an_adr_is_named_as_seen_from_the_repository_and_from_the_file():
    found = in_repository(state("../docs/ADR-1-x.md"), PLACE, {})
    assert locator(found) == "docs/ADR-1-x.md"
    back = in_file(found, PLACE)
    assert (locator(back.state), back.unnamed) == ("../docs/ADR-1-x.md", {})
    assert found.versions[0].evidence[1] == RuntimeEvidence()


def test_an_absolute_path_and_one_outside_stay_the_same_file():
    assert locator(in_repository(state("/r/docs/ADR-1.md"), PLACE, {})) == "docs/ADR-1.md"
    outside = in_repository(state("../../other/ADR-1.md"), PLACE, {})
    assert locator(outside) == "../other/ADR-1.md"
    assert locator(in_file(outside, PLACE).state) == "../../other/ADR-1.md"


def test_an_adr_that_the_format_would_not_know_by_its_name_is_remembered_beside_the_state():
    git = state("docs/0001-use-x.md", blob="b" * 40, object_format="sha1")
    made = in_file(git, PLACE)
    version_id = git.versions[0].version_id
    assert (locator(made.state), made.unnamed) == ("", {version_id: "docs/0001-use-x.md"})
    assert in_repository(made.state, PLACE, made.unnamed) == without_blobs(git)


paths = st.lists(st.sampled_from(["docs", "adr", "a b", "é"]), max_size=3).map(
    lambda parts: "/".join([*parts, "ADR-1-x.md"])
)


@settings(deadline=None)
@given(paths, st.sampled_from(["/r", "/r/.mneme", "/r/deep/er", "/elsewhere"]))
def test_there_and_back_is_where_it_was(path, folder):
    place = Place(root="/r", folder=folder)
    git = state(path, blob="b" * 40, object_format="sha1")
    made = in_file(git, place)
    assert in_repository(made.state, place, made.unnamed) == without_blobs(git)


def test_only_blobs_are_left_out():
    git = state("docs/ADR-1.md", blob="b" * 40, object_format="sha1")
    entry = without_blobs(git).versions[0]
    assert entry == LineageEntry(
        version_id=entry.version_id,
        evidence=(AdrEvidence(source_locator="docs/ADR-1.md", sha256="a" * 64), RuntimeEvidence()),
    )
