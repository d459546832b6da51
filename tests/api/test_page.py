"""docs/python.md: every example runs as it stands, one after the other."""

from pathlib import Path

import pytest

import rag_assistant
from rag_assistant import AsyncLibrary
from tests.conftest import write_files
from tests.docs.pages import DOCS, blocks

NOTES = {
    "boiler.md": "# Boiler\n\nThe boiler is serviced in October by Novak, who brings the filter.\n",
    "shed.md": "# Shed\n\nPriya has the key of the shed.\n",
}


def test_the_examples_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """What a person copies first would end in a traceback."""
    write_files(tmp_path / "notes", NOTES)
    (tmp_path / "questions.jsonl").write_text(
        '{"question": "boiler service", "relevant": ["boiler.md"]}\n'
    )
    monkeypatch.chdir(tmp_path)
    examples = blocks(DOCS / "python.md", "python")
    assert len(examples) == 4
    for example in examples:
        exec(compile(example, "docs/python.md", "exec"), {"__name__": "__main__"})
    printed = capsys.readouterr().out
    assert "October" in printed
    assert "Priya" in printed
    assert printed.splitlines()[-1] == "There is no database 'nots'. Did you mean notes?"


def test_the_page_names_every_method() -> None:
    """A method would be promised, or asked for, that is on no page."""
    page = (DOCS / "python.md").read_text()
    for name, value in vars(AsyncLibrary).items():
        if callable(value) and not name.startswith("_") and name != "aclose":
            assert f"`{name}(" in page, name
    assert all(name in dir(rag_assistant) for name in ("open_library", "open_async_library"))
