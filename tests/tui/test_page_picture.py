"""Pages of PDF files as pictures."""

import subprocess
import sys
from contextlib import suppress
from pathlib import Path

import psutil
import pytest

from rag_assistant.assistant import Assistant
from rag_assistant.errors import ImageError
from rag_assistant.library.page_image import page_image
from rag_assistant.tui.evidence.evidence_panel import EvidencePanel
from rag_assistant.tui.reader.screen import ReaderScreen
from rag_assistant.tui.sources.page_picture import HALF_BLOCKS, PagePicture, graphics_of
from rag_assistant.tui.sources.passage import read_passage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Citation, EvidenceItem
from tests.ingest.pdf_writer import lines, pdf
from tests.tui.hosting import Hosted, hosted
from tests.tui.test_evidence_panel import Panel

RENT = "The rent of the workshop is due on the third."
TEXT = ["Contracts", RENT, "It is paid by transfer."]


@pytest.fixture
def printed(empty: Assistant, tmp_path: Path) -> Assistant:
    """A PDF of two pages; the words stand on the second."""
    folder = tmp_path / "printed"
    folder.mkdir()
    (folder / "contract.pdf").write_bytes(pdf([lines(["First page."]), lines(TEXT)]))
    (folder / "notes.md").write_text("# Notes\n\nNothing is printed here.\n", encoding="utf-8")
    empty.library.index(folder)
    return empty


def _item(assistant: Assistant, path: str, quote: str) -> EvidenceItem:
    database = assistant.library.database("printed")
    entry = next(entry for entry in database.entries() if entry.path == path)
    start = database.text(entry.id).index(quote)
    page = 2 if path.endswith(".pdf") else None
    place = Location(start, start + len(quote), page=page)
    return EvidenceItem("printed", entry.id, entry.title, path, quote, place, True)


def _picture(shown: Hosted) -> PagePicture:
    return shown.app.screen.query_one(PagePicture)


async def test_v_shows_the_page_with_the_words(printed: Assistant) -> None:
    """If it fails, a quote cannot be seen as it is printed, or the wrong page is shown."""
    citation = Citation(1, _item(printed, "contract.pdf", RENT))
    for size in ((140, 40), (120, 20)):
        async with hosted(Panel(printed.library, (citation,)), size) as shown:
            await shown.press("1")
            await shown.sees("quote found: these are")
            await shown.press("v")
            await shown.sees("page 2 of 2  v hides it")
            await shown.until(lambda: "▀" in shown.text(), "the picture in half blocks")
            assert RENT in shown.text()
            await shown.press("v")
            await shown.until(lambda: not _picture(shown).display, "no picture")


async def test_the_reader_shows_the_page_that_is_read(printed: Assistant) -> None:
    """If it fails, v does nothing where a whole document is read."""
    item = _item(printed, "contract.pdf", RENT)
    database = printed.library.database("printed")
    place = item.location
    reader = ReaderScreen(database, item.entry_id, place.start, place.end)
    async with hosted(reader) as shown:
        await shown.sees(RENT)
        await shown.press("v")
        await shown.sees("page 2 of 2  v hides it")


async def test_a_damaged_or_missing_page_is_one_sentence(
    printed: Assistant, tmp_path: Path
) -> None:
    """If it fails, a broken file ends the reading or shows nothing at all."""
    citation = Citation(1, _item(printed, "contract.pdf", RENT))
    file = tmp_path / "printed" / "contract.pdf"
    async with hosted(Panel(printed.library, (citation,))) as shown:
        for content, said in (
            (pdf([lines(["Only one."])]), "contract.pdf has no page 2: it has 1."),
            (b"%PDF-1.7 nonsense", "broken PDF"),
        ):
            file.write_bytes(content)
            await shown.press("1", "v")
            await shown.sees(said)
        file.unlink()
        await shown.press("v")
        await shown.sees("contract.pdf is not in")
        assert not _picture(shown).display


async def test_what_has_no_pages_says_so(printed: Assistant) -> None:
    """If it fails, v is silent on a text file."""
    citation = Citation(1, _item(printed, "notes.md", "Nothing is printed"))
    async with hosted(Panel(printed.library, (citation,))) as shown:
        await shown.press("1", "v")
        await shown.sees("Only pages of PDF files have pictures.")


async def test_without_the_extra_it_is_named(
    printed: Assistant, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, nobody learns what to install."""
    monkeypatch.setitem(sys.modules, "PIL", None)
    citation = Citation(1, _item(printed, "contract.pdf", RENT))
    async with hosted(Panel(printed.library, (citation,))) as shown:
        await shown.press("1", "v")
        await shown.sees("[images]")
        assert shown.app.screen.query_one(EvidencePanel).display


def test_the_words_are_marked_where_they_stand(printed: Assistant, tmp_path: Path) -> None:
    """If it fails, the mark is on other words, or on none."""
    file = tmp_path / "printed" / "contract.pdf"
    image = page_image(file, 2, "The rent of  the\nworkshop", 600)
    (box,) = image.boxes
    assert box[0] == pytest.approx(72 / 612, abs=0.01)
    assert box[3] == pytest.approx((792 - 700 + 15) / 792, abs=0.02)
    assert image.png.startswith(b"\x89PNG")
    assert page_image(file, 2, "words that are not there", 600).boxes == ()
    with pytest.raises(ImageError, match="no page 3"):
        page_image(file, 3, "", 600)
    file.write_bytes(b"no pdf")
    with pytest.raises(ImageError, match="broken PDF"):
        page_image(file, 1, "", 600)


def patterned(depth: int, step: float) -> bytes:
    """Write a page filled with a pattern that is filled with a pattern, and so on."""
    objects = [
        b"<< /Type /Catalog /Pages 2 0 R >>",
        b"<< /Type /Pages /Count 1 /Kids [3 0 R] >>",
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 1000 1000] /Contents 4 0 R"
        b" /Resources << /Pattern << /P 5 0 R >> >> >>",
    ]
    fill = b"/Pattern cs /P scn 0 0 1000 1000 re f"
    objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(fill), fill))
    for level in range(depth):
        inner = b" /Resources << /Pattern << /P %d 0 R >> >>" % (6 + level)
        drawn = fill if level < depth - 1 else b"1 0 0 rg 0 0 1 1 re f"
        objects.append(
            b"<< /Type /Pattern /PatternType 1 /PaintType 1 /TilingType 1 /BBox [0 0 1000 1000]"
            b" /XStep %g /YStep %g%s /Length %d >>\nstream\n%s\nendstream"
            % (step, step, inner if level < depth - 1 else b" /Resources << >>", len(drawn), drawn)
        )
    written, places = b"%PDF-1.7\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(written))
        written += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    head = b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    trailer = b"trailer << /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF"
    return written + head + table + trailer % (len(objects) + 1, len(written))


def test_a_page_that_wants_too_much_is_given_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it fails, two kilobytes take the interface down, or hold it for minutes."""
    monkeypatch.setattr("rag_assistant.library.page_image.SECONDS", 1)
    file = tmp_path / "pattern.pdf"
    file.write_bytes(patterned(12, 7))
    with pytest.raises(ImageError, match=r"Page 1 of pattern.pdf was given up") as caught:
        page_image(file, 1, "", 600)
    assert caught.value.hint == "o opens the file."
    file.write_bytes(patterned(1, 100))
    assert page_image(file, 1, "", 600).pages == 1


def drawing() -> list[psutil.Process]:
    """Give the processes of ours that draw a page."""
    found = []
    for one in psutil.Process().children(recursive=True):
        with suppress(psutil.Error):  # it has ended meanwhile
            if "rag_assistant.library.page_drawing" in one.cmdline():
                found.append(one)
    return found


async def test_a_page_that_takes_long_is_told_and_given_up_by_v_or_by_leaving(
    printed: Assistant, tmp_path: Path
) -> None:
    """If it fails, v seems dead for twenty seconds, each v starts one more process, and the
    interface cannot be closed before the last of them has ended."""
    citation = Citation(1, _item(printed, "contract.pdf", RENT))
    page = patterned(3, 1).replace(b"/Count 1 /Kids [3 0 R]", b"/Count 2 /Kids [3 0 R 3 0 R]")
    async with hosted(Panel(printed.library, (citation,))) as shown:
        await shown.press("1")
        await shown.sees("quote found: these are")
        (tmp_path / "printed" / "contract.pdf").write_bytes(page)
        await shown.press("v")
        await shown.sees("the page is being drawn  v gives it up")
        assert len(drawing()) == 1
        await shown.press("v")
        await shown.until(lambda: not drawing(), "no drawing")
        assert not _picture(shown).display
        await shown.press("v")
        await shown.until(lambda: len(drawing()) == 1, "a drawing")
    _, left = psutil.wait_procs(drawing(), timeout=5)
    assert not left


def test_a_passage_of_a_pdf_knows_its_entry(printed: Assistant) -> None:
    """If it fails, the panel cannot tell a PDF from other files."""
    citation = Citation(1, _item(printed, "contract.pdf", RENT))
    entry = read_passage(printed.library, citation).entry
    assert entry is not None
    assert entry.media_type == "application/pdf"


def test_terminals_are_known_by_name() -> None:
    """If it fails, escape sequences go to a terminal that prints them."""
    assert graphics_of({"TERM": "xterm-kitty"}) == "TGPImage"
    assert graphics_of({"TERM": "xterm-256color", "TERM_PROGRAM": "WezTerm"}) == "SixelImage"
    assert graphics_of({"TERM": "tmux-256color", "KITTY_WINDOW_ID": "1"}) == HALF_BLOCKS
    assert graphics_of({"TERM": "xterm-256color"}) == HALF_BLOCKS


def test_nothing_of_it_is_loaded_before_the_first_picture() -> None:
    """If it fails, every start pays for pictures, and the terminal is asked what it can."""
    code = (
        "import sys, rag_assistant.tui.app, rag_assistant.tui.reader.screen;"
        "print([m for m in ('PIL', 'textual_image', 'pypdfium2') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
