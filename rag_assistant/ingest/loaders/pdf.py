"""PDF, by PDFium: the text of each page with its number, headings from the outline or from the
size of type, and the title, author and dates the file gives. What repeats at the edges of pages is
taken out. Pages that are images, or whose fonts say no letters, are recognised where that is
installed; it says why when there is no text.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from ctypes import POINTER, c_ushort, cast, create_string_buffer
from dataclasses import replace
from itertools import accumulate, chain
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError, NothingToRead
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.images import ocr
from rag_assistant.ingest.parsing.pdf.furniture import without_furniture
from rag_assistant.ingest.parsing.pdf.headings import from_outline, from_sizes, outline_of
from rag_assistant.ingest.parsing.pdf.notes import notes_of
from rag_assistant.ingest.parsing.pdf.opening import opened
from rag_assistant.ingest.parsing.pdf.page import PageLines, read_page, shows_anything, shows_images
from rag_assistant.ingest.parsing.pdf.scan import recognised
from rag_assistant.ingest.parsing.pdf.tables.placing import continued, in_text, lines_with
from rag_assistant.ingest.parsing.pdf.words import mended, vocabulary_of
from rag_assistant.values.documents import Document, Heading, HiddenText, PageStart
from rag_assistant.values.tables import DocumentTable

if TYPE_CHECKING:
    from pypdfium2 import PdfDocument

_MOST_UNREADABLE = 0.2
_LONGEST_LANGUAGE = 80  # bytes of UTF-16, two of them its end
_BULLETS = 40  # that a page may have
_MOST_NUMBERS_NAMED = 20
_FILE_NAME = re.compile(
    r"(?i)\.(?:pdf|docx?|odt|rtf|txt|tex|dvi|p?ps|pptx?|xlsx?|indd|qxd|pmd|pm\d|cdr|html?)\"?$"
    r"|^(?:microsoft word|untitled|document\s?\d*$|slide 1$|title$|print$)"
    r"|^[\w:\\/.-]*[\\/][\w\\/.-]*$"
)
_DATE = re.compile(r"D?:?(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?")


def load(source: LoadInput) -> list[Document]:
    """Read a PDF. Raises LoadError for encryption, damage, and pages without readable text."""
    with opened(source.data) as pdf:
        read = list(_pages(pdf))
        outline, metadata = outline_of(pdf), _metadata(pdf)
    unreadable = _unreadable(read)
    pages = [
        PageLines((), (), image=True) if n in unreadable else page for n, page in enumerate(read)
    ]
    tesseract = ocr.find() if any(page.image for page in pages) else None
    scanned: list[int] = []
    if tesseract:
        pages, scanned = recognised(pages, lambda: opened(source.data), tesseract)
    if all(page.blank for page in pages):
        raise _why_no_text(read, tesseract)
    for number in unreadable.difference(scanned):
        pages[number] = PageLines((), (), broken=True)
    text, starts, pages, tables = _joined(without_furniture(pages))
    headings = from_outline(outline, text, starts)
    if tesseract and scanned:
        metadata["ocr"] = tesseract.version
        metadata["pages_by_ocr"] = _numbers([index + 1 for index in scanned])
    by_size = from_sizes(pages, text, starts)
    title = metadata.pop("title", "")
    if not title or _FILE_NAME.search(title):
        title = _first_big_line(by_size, starts)
    metadata |= _gaps(pages)
    marks = tuple(PageStart(start, number) for number, start in enumerate(starts, 1))
    return [
        Document(
            text,
            "application/pdf",
            title=title,
            headings=headings or by_size,
            pages=marks,
            metadata=metadata,
            hidden=tuple(_hidden(pages, text, starts)),
            tables=tables,
        )
    ]


def _pages(pdf: "PdfDocument") -> Iterator[PageLines]:
    from pypdfium2 import PdfiumError  # noqa: PLC0415

    for index in range(len(pdf)):
        try:
            page = pdf[index]
        except PdfiumError:  # one bad page; the others are kept
            yield PageLines((), (), broken=True)
            continue
        try:
            read = read_page(page)
            if read.blank and shows_images(page):
                read = PageLines((), (), image=True)
            elif read.blank:
                read = PageLines((), (), drawn=shows_anything(page))
            notes = notes_of(page)
            if notes:
                sizes = (*read.sizes, *(0.0,) * len(notes))
                read = replace(read, lines=(*read.lines, *notes), sizes=sizes)
        except PdfiumError:
            read = PageLines((), (), broken=True)
        finally:
            page.close()
        yield read


def _joined(
    pages: list[PageLines],
) -> tuple[str, list[int], list[PageLines], tuple[DocumentTable, ...]]:
    """Join the pages, each ending its last line, their tables put in.

    Gives the text, where each page starts, the pages with the lines that they have in it, and the
    tables with their places.
    """
    joined = continued([(page.tables, page.lines) for page in pages])
    whole = [
        lines_with(page.lines, tables) if tables else (page.lines, ())
        for page, tables in zip(pages, joined, strict=True)
    ]
    raw = ["\n".join(lines) for lines, _ in whole]
    vocabulary = vocabulary_of(raw)
    texts = [mended(page, vocabulary) + "\n" for page in raw]
    *starts, _ = accumulate(map(len, texts), initial=0)
    text = "".join(texts)
    found: list[DocumentTable] = []
    shown: list[PageLines] = []
    for number, (page, (lines, numbers)) in enumerate(zip(pages, whole, strict=True)):
        if numbers:
            span = starts[number], starts[number] + len(texts[number])
            found.extend(in_text(joined[number], numbers, text, span))
        shown.append(_renumbered(page, lines, numbers) if numbers else page)
    return text, starts, shown, tuple(sorted(found, key=lambda table: table.start))


def _renumbered(page: PageLines, lines: Sequence[str], numbers: Sequence[int]) -> PageLines:
    """Give a page with the lines of its tables among its own; their type is of no known size."""
    sizes = [0.0] * len(lines)
    for number, size in zip(numbers, page.sizes, strict=False):
        sizes[number] = size
    hidden = tuple(replace(line, line=numbers[line.line]) for line in page.hidden)
    return replace(page, lines=tuple(lines), sizes=tuple(sizes), hidden=hidden)


def _hidden(pages: list[PageLines], text: str, starts: list[int]) -> Iterator[HiddenText]:
    """Give the spans of the lines that nobody sees; a page has its lines in the text."""
    for page, start, end in zip(pages, starts, [*starts[1:], len(text)], strict=True):
        if page.hidden:
            ends = list(accumulate(len(line) + 1 for line in text[start:end].split("\n")))
            for line in page.hidden:
                first = start + (ends[line.line - 1] if line.line else 0)
                yield HiddenText(first, start + ends[line.line] - 1, line.reason)


def _unreadable(pages: list[PageLines]) -> set[int]:
    """Give the indices of the pages whose fonts do not say which letters they show.

    Bullets of a symbol font are odd, too: a page of a document that can be read has many more.
    """
    counts = [_counted(page) for page in pages]
    odd, written = map(sum, zip(*counts, strict=True)) if counts else (0, 0)
    least = 0 if odd > _MOST_UNREADABLE * written else _BULLETS
    return {
        number
        for number, (odd, written) in enumerate(counts)
        if odd > max(_MOST_UNREADABLE * written, least)
    }


def _counted(page: PageLines) -> tuple[int, int]:
    """Count the characters of a page that no script has, and all that are printed."""
    counts = Counter[str]()
    for line in chain(page.lines, *(table.lines for table in page.tables)):
        counts.update(line)
    odd = sum(
        count
        for character, count in counts.items()
        # U+FFFE and U+0002 are PDFium's marks of a word broken at the end of a line.
        if character not in "\n\t\ufffe\x02"
        and (character == "\ufffd" or unicodedata.category(character) in {"Cc", "Co", "Cn"})
    )
    return odd, sum(count for character, count in counts.items() if not character.isspace())


def _why_no_text(pages: list[PageLines], tesseract: ocr.Recognizer | None) -> LoadError:
    if not all(page.blank for page in pages):
        return LoadError(
            "unreadable text layer: its fonts do not say which letters they show",
            hint="Print it to a new PDF with text recognition.",
        )
    if any(page.image for page in pages):
        hint = "" if tesseract else f"To read them, {ocr.INSTALL_HINT}"
        return LoadError("no text layer: the pages are images", hint=hint)
    if pages and all(page.broken for page in pages):
        return LoadError("broken PDF: no page can be read")
    if any(page.drawn for page in pages):
        return LoadError("no text: what the pages show is drawn")
    return NothingToRead("no text: the pages are blank")


def _gaps(pages: list[PageLines]) -> dict[str, str]:
    """Name the pages whose content is not in the text, so that nobody takes it for complete."""
    images = [number for number, page in enumerate(pages, 1) if page.image]
    broken = [number for number, page in enumerate(pages, 1) if page.broken]
    named = {"pages_without_text": _numbers(images), "pages_unreadable": _numbers(broken)}
    return {name: numbers for name, numbers in named.items() if numbers}


def _numbers(numbers: list[int]) -> str:
    listed = ", ".join(str(number) for number in numbers[:_MOST_NUMBERS_NAMED])
    more = len(numbers) - _MOST_NUMBERS_NAMED
    return f"{listed} and {more} more" if more > 0 else listed


def _metadata(pdf: "PdfDocument") -> dict[str, str]:
    values = {
        "title": pdf.get_metadata_value("Title"),
        "author": pdf.get_metadata_value("Author"),
        "created": _date(pdf.get_metadata_value("CreationDate")),
        "modified": _date(pdf.get_metadata_value("ModDate")),
        "language": _language(pdf),
    }
    # Some producers write NULs or surrogates into these strings.
    folded = {
        name: " ".join(value.encode("utf-8", "ignore").decode().replace("\0", " ").split())[:1000]
        for name, value in values.items()
    }
    return {name: value for name, value in folded.items() if value}


def _language(pdf: "PdfDocument") -> str:
    """Read the language that the catalog names (ISO 32000-1, 14.9.2), "" where it names none."""
    import pypdfium2.raw as pdfium  # noqa: PLC0415 - it is loaded already

    size = pdfium.FPDFCatalog_GetLanguage(pdf, None, 0)
    if not 2 < size <= _LONGEST_LANGUAGE:
        return ""
    buffer = create_string_buffer(size)
    pdfium.FPDFCatalog_GetLanguage(pdf, cast(buffer, POINTER(c_ushort)), size)
    return buffer.raw.decode("utf-16-le", "ignore")


def _date(written: str) -> str:
    """Give a date of PDF (ISO 32000-1, 7.9.4: `D:YYYYMMDDHHmmSS`) in ISO 8601, without its zone."""
    found = _DATE.match(written.strip())
    if found is None:
        return ""
    day = "-".join(part for part in found.groups()[:3] if part)
    hours, minutes, seconds = found.groups()[3:]
    return f"{day}T{hours}:{minutes}:{seconds or '00'}" if hours and minutes else day


def _first_big_line(headings: tuple[Heading, ...], starts: list[int]) -> str:
    """Give the largest heading of the first page: the title of most papers and reports."""
    end = starts[1] if len(starts) > 1 else None
    first = [heading for heading in headings if end is None or heading.start < end]
    return min(first, key=lambda heading: heading.level).title if first else ""


LOADER = Loader("pdf", 8, frozenset({".pdf"}), "application/pdf", load)
