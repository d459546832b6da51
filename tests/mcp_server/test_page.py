"""docs/mcp.md and the skill: every command runs, every tool is named."""

import re
from importlib.resources import files
from pathlib import Path

from rag_assistant.mcp_server.offers import tools
from rag_assistant.mcp_server.settings import PROGRAMS
from tests.cli.program import Program
from tests.docs.pages import DOCS, of_program
from tests.mcp_server.serving import http_server


def test_every_command_runs(home: Path) -> None:
    """A person would be told of an option that is not there."""
    program = Program(home)
    tried = [list(one.words[1:]) for one in of_program(DOCS / "mcp.md")]
    assert len(tried) > 8
    for words in tried:
        if words[:2] == ["mcp", "--http"]:
            with http_server(home) as address:
                assert address.startswith("http://127.0.0.1:")
            continue
        outcome = program.run(*words)
        assert outcome.code == 0, (words, outcome.err)


def test_every_tool_and_program_is_named() -> None:
    """A tool would be there that no page tells of."""
    page = (DOCS / "mcp.md").read_text()
    skill = (files("rag_assistant.mcp_server") / "SKILL.md").read_text("utf-8")
    for tool in tools():
        assert f"| `{tool.name}` |" in page
        assert f"`{tool.name}`" in skill
    assert all(one.title in page for one in PROGRAMS.values() if one.name != "json")


def test_the_skill_has_the_form_of_skills() -> None:
    """Agents pass over a skill whose head they cannot read (agentskills.io/specification)."""
    skill = (files("rag_assistant.mcp_server") / "SKILL.md").read_text("utf-8")
    head = re.match(r"---\nname: (?P<name>.+)\ndescription: (?P<told>.+)\n---\n", skill)
    assert head
    assert re.fullmatch(r"[a-z0-9-]{1,64}", head["name"])
    assert len(head["told"]) <= 1_024
    assert "Use when" in head["told"]
    assert len(skill.splitlines()) < 500
