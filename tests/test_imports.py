"""What starting costs: a fresh interpreter must not load what a command does not need.

Import contracts see static imports only; these tests see what really happens.
"""

import subprocess
import sys
from pathlib import Path

import pytest

from rag_assistant.library.library import Library

NOT_FOR_SEARCH = (
    "hashlib",
    "shutil",
    "rag_assistant.values.ledger",
    "rag_assistant.values.outline",
    "rag_assistant.values.suspicions",
    "rag_assistant.values.tables",
    "rag_assistant.store.sqlite.vectors",
    "rag_assistant.config",
)
"""What a search without settings asks for nothing of."""

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
    "psutil",
    "shtab",
    "numpy",
    "ir_measures",
    "rag_assistant.evaluation",
)

NOT_FOR_A_PICTURE = (
    "markdown_it",
    "pygments",
    "rapidfuzz",
    "http.client",
    "rag_assistant.agents",
    "rag_assistant.assistant.past",
    "rag_assistant.ingest.walk",
    "rag_assistant.library.background",
    "rag_assistant.search.ranking",
    "rag_assistant.tui.chat.exchange_blocks",
    "rag_assistant.tui.rendering.forms",
    "rag_assistant.values.ledger",
    "rag_assistant.values.search_plan",
)
"""What answers, reads, searches or shows answers: loaded once the first picture is drawn."""


def loaded_by(code: str, watched: tuple[str, ...] = HEAVY) -> set[str]:
    """Give those of the modules that are loaded after running `code` in a fresh interpreter."""
    probe = f"{code}\nimport sys\nprint(' '.join(m for m in {watched!r} if m in sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", probe], capture_output=True, text=True, check=True, timeout=60
    )
    return set(done.stdout.split("\n")[-2].split())


@pytest.mark.parametrize(
    ("code", "allowed"),
    [
        ("import rag_assistant.assistant", set()),
        ("from rag_assistant import open_library, open_async_library", set()),
        ("import rag_assistant.clients.access", set()),
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


def test_the_first_picture_loads_nothing_that_only_answers_need() -> None:
    """It took half as much again of the processor's time before it was drawn."""
    assert loaded_by("import rag_assistant.tui.app", NOT_FOR_A_PICTURE) == set()


def test_the_command_line_itself_loads_no_library() -> None:
    """Even `--version` and a mistyped command would wait for what only searching needs."""
    code = "import sys, rag_assistant.cli.main\nprint('rag_assistant.library' in sys.modules)"
    made = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert made.stdout.strip() == "False"


def test_searching_loads_nothing_that_it_asks_nothing_of(tmp_path: Path) -> None:
    """Each of these takes a cold search some hundredths of its time."""
    (tmp_path / "notes").mkdir()
    (tmp_path / "notes" / "a.md").write_text("# Crane\n\nThe crane lifts forty tonnes.\n")
    library = Library(tmp_path)
    library.index(tmp_path / "notes")
    home, query = ["--home", str(tmp_path)], ["search", "which crane lifts most"]
    code = f"from rag_assistant.cli.main import main\nassert main({[*home, *query]!r}) == 0"
    assert loaded_by(code, NOT_FOR_SEARCH) == set()


def test_searching_loads_nothing_heavy(tmp_path: Path) -> None:
    """`rag-assistant search` would not be instant."""
    code = (
        "from rag_assistant.cli.main import main\n"
        f"main(['--home', {str(tmp_path)!r}, 'search', 'x'])"
    )
    # rapidfuzz and the like may come for a mistake, but none of the heavy ones.
    assert loaded_by(code) == set()
