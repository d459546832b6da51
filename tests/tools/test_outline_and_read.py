"""What a document is made of, and its words at any place of it."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from tests.conftest import write_files
from tests.tools.documents import FOLDER, ORDER, DocumentTools, quotes

MINUTES = "minutes/2025-03-11.md"


async def test_the_parts_have_places_that_can_be_read(documents: DocumentTools) -> None:
    """A model could not go on to the part that it needs."""
    entry = documents.ids[MINUTES]
    told = await documents.call("outline", id=entry)
    parts = {part["part"]: part["at"] for part in told["parts"]}
    assert list(parts) == ["Minutes", "Roof", "Costs", "Bees"]
    read = await documents.call("read", id=entry, at=parts["Bees"])
    assert any("Nothing." in quote for quote in quotes(read))


async def test_parts_are_tallied(documents: DocumentTools) -> None:
    """'It has three sections' could not be stated."""
    output = await documents.run("outline", id=documents.ids[MINUTES])
    assert any(t.what.startswith("headings of level 2") and t.value == "3" for t in output.tallies)


@pytest.mark.parametrize(
    ("place", "words"),
    [
        ({"section": "roof"}, "The roof is to be mended."),
        ({"line": 7}, "The roof is to be mended."),
        ({"at": 0, "end": 5}, "# Minutes"),
        ({}, "Nothing."),
    ],
)
async def test_words_are_read_at_any_place(
    documents: DocumentTools, place: dict[str, object], words: str
) -> None:
    """A question about one section would cost the whole document, or read another."""
    read = await documents.call("read", id=documents.ids[MINUTES], **place)
    given = "\n".join(quotes(read))
    assert words in given
    assert all(quote in FOLDER[MINUTES] for quote in quotes(read))


@pytest.mark.parametrize("place", [{"section": "Crane"}, {"page": 2}, {"line": 900}, {"at": 9_999}])
async def test_a_place_that_is_not_there_is_an_error_with_a_way_on(
    documents: DocumentTools, place: dict[str, object]
) -> None:
    """A model would take nothing for 'the document does not say'."""
    output = await documents.run("read", id=documents.ids[MINUTES], **place)
    assert not output.ok and len(output.text) > 20


async def test_what_does_not_fit_is_named_by_its_place(archive: Library, tmp_path: Path) -> None:
    """The rest of a long document would be lost without a word."""
    long = "# Long\n\n" + "A sentence of the long text. " * 900
    archive.index(write_files(tmp_path / "archive", {"long.md": long}))
    tools = DocumentTools(archive, "archive")
    read = await tools.call("read", id=tools.ids["long.md"])
    assert 3_000 < read["next_at"] <= 5_000
    more = await tools.call("read", id=tools.ids["long.md"], at=read["next_at"], neighbours=2)
    assert len(quotes(more)) == 5


async def test_hidden_words_are_not_read(documents: DocumentTools) -> None:
    """The uncondensed words of a document would bring its orders to the main model."""
    output = await documents.run("read", id=documents.ids["crane.md"])
    assert output.evidence is not None
    assert ORDER not in str(output.evidence.items)
    assert "hidden from models" in output.evidence.notes[0]
    assert "The crane is blue." in str(output.evidence.items)
    assert all(ORDER not in passage.text for t in output.texts for passage in t.text.passages)
