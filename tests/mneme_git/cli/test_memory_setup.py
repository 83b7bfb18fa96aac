import json

NEXT = """Created a/pm.json

Next steps:
  mneme add_decision --memory a/pm.json \\
      --id my_001 --decision "..." --scope <area> --constraint "..."
  mneme check --memory a/pm.json --input <file> --query <context>
"""


def test_init_with_a_path_says_what_to_do_with_the_file(repo):
    ran = repo.mneme("init", "--path", "a/pm.json")
    assert (ran.code, ran.out, ran.err) == (0, NEXT, "")


def test_init_over_a_file_is_an_error_for_people_and_with_force_a_copy_is_named(repo):
    repo.mneme("init", "--path", "m.json")
    ran = repo.mneme("init", "--path", "m.json")
    assert (ran.code, ran.out, ran.err) == (
        1, "", "ERROR: m.json already exists. Use --force to overwrite.\n",
    )  # fmt: skip
    ran = repo.mneme("init", "--path", "m.json", "--force", "--json")
    assert ran.code == 0
    assert "is kept in the journal" in ran.err
    assert json.loads(ran.out)["code"] == "CREATED"


def test_force_alone_is_a_usage_error(repo):
    ran = repo.mneme("init", "--force")
    assert ran.code == 2
    assert "--force goes with --path" in ran.err
    assert not (repo.path / ".mneme").exists()


def test_setup_tells_what_it_found_and_that_nothing_is_enforced(repo):
    repo.write(".cursor/rules/x", "")
    ran = repo.mneme("setup")
    assert (ran.code, ran.err) == (0, "")
    assert "  Cursor detected (.cursor, rules export)\n" in ran.out
    assert "Enforcement\n  Not enabled\n" in ran.out
    assert ran.out.endswith("Mneme is installed in setup mode.\n")
    assert repo.mneme("setup").out.endswith("Mneme is already in setup mode.\n")
    assert json.loads(repo.mneme("setup", "--json").out)["integrations"] == ["cursor"]


def test_setup_has_no_audit_service(repo):
    ran = repo.mneme("setup", "--audit-ref", "abc")
    assert (ran.code, ran.out) == (2, "")
    assert "not supported" in ran.err
