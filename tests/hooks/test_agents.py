import subprocess
import sys

from mneme_hooks.agents import agents, detect


def test_every_agent_has_a_name_of_its_own_and_signs():
    names = [agent.name for agent in agents()]
    assert len(set(names)) == len(names) >= 4
    assert all(agent.signs for agent in agents())


def test_agents_are_found_by_their_first_sign():
    found = detect(lambda path: path in {"AGENTS.md", ".cursor", "CLAUDE.md"})
    assert [(row.agent.name, row.sign) for row in found] == [
        ("claude-code", "CLAUDE.md"),
        ("codex-cli", "AGENTS.md"),
        ("cursor", ".cursor"),
    ]
    assert detect(lambda path: False) == ()


def test_the_hook_program_called_alone_is_harmless():
    payload = '{"tool_name": "Write"}'
    code = "import sys; from mneme_hooks.entry import main; main()"
    done = subprocess.run(
        [sys.executable, "-c", code], input=payload, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stdout == ""
    assert "usage: mneme-hook" in done.stderr
