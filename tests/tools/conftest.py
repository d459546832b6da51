"""The folder that the tools of documents are tried on."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.conftest import IndexOnce, write_files
from tests.tools.documents import FOLDER, DocumentTools


@pytest.fixture
def archive(library: Library, tmp_path: Path, index_once: IndexOnce) -> Library:
    """A library with minutes, mails and tables as the database `archive`."""
    return index_once(library, write_files(tmp_path / "archive", FOLDER))


@pytest.fixture
def documents(archive: Library) -> DocumentTools:
    """The tools of that database."""
    return DocumentTools(archive, "archive")
