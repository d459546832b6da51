"""What starting costs: a fresh interpreter must not load what a command does not need.

Import contracts see static imports only; these tests see what really happens.
"""

import subprocess
import sys

import pytest

HEAVY = (
    "textual",
    "openai",
    "mcp",
    "PIL",
    "pypdfium2",
    "lxml",
    "markdown_it",
    "rich",
    "sqlite_utils",
    "jsonschema",
    "filelock",
    "numpy",
    "ir_measures",
    "rag_assistant.evaluation",
)


def loaded_by(code: str) -> set[str]:
    """Give the heavy packages that are loaded after running `code` in a fresh interpreter."""
    probe = f"{code}\nimport sys\nprint(' '.join(m for m in {HEAVY!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import rag_assistant.assistant", set()),
        ("import rag_assistant.tui", set()),
        ("import rag_assistant.evaluation", {"rag_assistant.evaluation"}),
        ("from rag_assistant.cli.parser import build_parser; build_parser()", set()),
        ("import rag_assistant.cli.search", set()),
        ("import rag_assistant.cli.ask", set()),
        ("import rag_assistant.models.openai_model", set()),
        ("import rag_assistant.tools.mcp_client.provider", set()),
    ],
)
def test_a_fresh_interpreter_loads_nothing_heavy(code: str, allowed: set[str]) -> None:
    """Every start would be slower by a tenth of a second to a second."""
    assert loaded_by(code) <= allowed


def test_the_command_line_itself_loads_no_library() -> None:
    """Even `--version` and a mistyped command would wait for what only searching needs."""
    code = "import sys, rag_assistant.cli.main\nprint('rag_assistant.library' in sys.modules)"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "False"


def test_searching_loads_nothing_heavy(tmp_path: pytest.TempPathFactory) -> None:
    """`rag-assistant search` would not be instant."""
    code = (
        "from rag_assistant.cli.main import main\n"
        f"main(['--home', {str(tmp_path)!r}, 'search', 'x'])"
    )
    # rapidfuzz and the like may come for a mistake, but none of the heavy ones.
    assert loaded_by(code) == set()
