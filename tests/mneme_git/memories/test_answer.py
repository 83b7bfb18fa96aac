from hypothesis import given, settings
from hypothesis import strategies as st

from mneme_git.memories.answer import packed, serialised

BODIES = st.lists(
    st.text(st.sampled_from('ab \n"\\é顧\0\U0001f600'), max_size=300) | st.text(max_size=50), max_size=12
)


def rest(row):
    return f"mneme memory show {row['name']}"


def reply(*bodies, **more):
    return {"matches": [{"name": f"m{number}", "body": body} for number, body in enumerate(bodies)], **more}


def bodies(packed_reply):
    return [row["body"] for row in packed_reply["matches"]]


@given(BODIES, st.integers(30, 800))
@settings(deadline=None)
def test_no_answer_goes_beyond_its_budget(texts, budget):
    made = packed(reply(*texts, notices=["n"]), budget, rest)
    assert len(serialised(made)) <= budget * 4


@given(BODIES, st.integers(30, 800))
@settings(deadline=None)
def test_every_row_is_whole_or_a_marked_head_or_counted_as_omitted(texts, budget):
    given = reply(*texts)
    made = packed(given, budget, rest)
    whole = {row["name"]: row for row in given["matches"]}
    assert [row["name"] for row in made["matches"]] == sorted(
        (row["name"] for row in made["matches"]), key=list(whole).index
    )
    assert len(made["matches"]) + made.get("omitted", 0) == len(texts)
    for row in made["matches"]:
        full = whole[row["name"]]["body"]
        if "truncated" in row:
            head, _, marker = row["body"].rpartition("\n[")
            assert full.startswith(head)
            assert head != full
            assert marker == f"{len(full) - len(head)} more characters: {rest(row)}]"
        else:
            assert row == whole[row["name"]]


@given(BODIES)
def test_what_fits_is_left_as_it_is(texts):
    given = reply(*texts)
    size = len(serialised(given))
    assert packed(given, -(-size // 4), rest) == given
    assert packed(given, None, rest) == given


def test_the_best_stay_whole_while_they_fit_and_the_rest_is_cut_at_lines():
    long = "\n".join(f"line {number} of a long note" for number in range(60))
    made = packed(reply("short and best", long, long, long), 300, rest)
    first, *others = bodies(made)
    assert first == "short and best"
    assert len(others) == 3
    for body in others:
        head = body.rpartition("\n[")[0]
        assert head.endswith("of a long note")
        assert len(head) > 100
    assert "omitted" not in made


def test_a_body_of_one_long_line_is_cut_inside_it():
    (body,) = bodies(packed(reply("x" * 5_000), 100, rest))
    assert body.startswith("x" * 100)
    assert body.endswith("more characters: mneme memory show m0]")


def test_what_not_even_a_head_fits_of_is_counted():
    made = packed(reply(*["y" * 500] * 50), 60, rest)
    assert made["omitted"] == 50 - len(made["matches"]) > 40


def test_a_budget_that_nothing_fits_in_gives_the_frame():
    assert packed(reply("x" * 100, note="n"), 1, rest) == {"matches": [], "note": "n", "omitted": 1}


def test_the_rows_may_have_another_key():
    assert packed({"memories": [{"body": "x" * 900}]}, 20, lambda row: "ask", key="memories")["omitted"] == 1
