"""Which formats there are files of, what writes each, and what such a file shows."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib.util import find_spec

from scripts.benchmarks.ingest.known_files import binary, markup, packed, records, source
from scripts.benchmarks.ingest.known_files.texts import KnownText, is_western
from scripts.benchmarks.ingest.pdf_tables.contents import Known

Said = Callable[[KnownText], str]


@dataclass(frozen=True, slots=True)
class WrittenFormat:
    """A format that files are written in: its suffix, what writes a text, and what that shows.

    `tables` says that the cells of its tables are told; `western`, that it has no other letters.
    """

    suffix: str
    write: Callable[[KnownText], bytes]
    said: Said
    tables: bool = False
    western: bool = False


@dataclass(frozen=True, slots=True)
class KnownFile:
    """A file, what it shows, and its tables as far as its format tells their cells."""

    name: str
    data: bytes
    words: str
    tables: tuple[Known, ...] = ()


def all_words(text: KnownText) -> str:
    """Give everything that a text says."""
    return text.words


def prose_words(text: KnownText) -> str:
    """Give it without tables."""
    return text.prose.words


def table_words(text: KnownText) -> str:
    """Give its tables alone."""
    return KnownText(text.title, text.language, text.tables).words


def named_cells(text: KnownText) -> str:
    """Give the heads of its tables, then each row whose cells say the name of their column."""
    lines = []
    for table in text.tables:
        names = [words for words, _ in table.heads[0]]
        lines.append(" ".join(names))
        for row in table.rows:
            said = zip(names, row, strict=True)
            lines.append(" ".join(f"{name}: {words}" for name, words in said))
    return "\n".join(lines)


def slide_words(text: KnownText) -> str:
    """Give its parts, then its tables."""
    return f"{prose_words(text)}\n{table_words(text)}"


FORMATS = (
    WrittenFormat("md", markup.as_markdown, all_words, tables=True),
    WrittenFormat("json", records.as_json, prose_words),
    WrittenFormat("jsonl", records.as_json_lines, prose_words),
    WrittenFormat("ipynb", records.as_notebook, prose_words),
    WrittenFormat("zst", records.as_pixi, prose_words),
    WrittenFormat("srt", records.as_subrip, records.said_in_subtitles),
    WrittenFormat("vtt", records.as_webvtt, records.said_in_subtitles),
    WrittenFormat("csv", markup.as_csv, named_cells, tables=True),
    WrittenFormat("tsv", markup.as_tsv, named_cells, tables=True),
    WrittenFormat("py", source.as_python, lambda text: source.as_python(text).decode()),
    WrittenFormat("c", source.as_c, lambda text: source.as_c(text).decode()),
    WrittenFormat("txt", markup.as_plain, all_words),
    WrittenFormat("html", markup.as_html, all_words, tables=True),
    WrittenFormat("xhtml", markup.as_xhtml, all_words, tables=True),
    WrittenFormat("pdf", binary.as_pdf, prose_words, western=True),
    WrittenFormat("eml", records.as_mail, records.said_by_mail),
    WrittenFormat("emlx", records.as_emlx, records.said_by_mail),
    WrittenFormat("mbox", records.as_mbox, records.said_by_mail),
    WrittenFormat("docx", packed.as_docx, all_words, tables=True),
    WrittenFormat("pptx", packed.as_pptx, slide_words, tables=True),
    WrittenFormat("xlsx", packed.as_xlsx, table_words, tables=True),
    WrittenFormat("odt", packed.as_odt, all_words, tables=True),
    WrittenFormat("fodt", packed.as_fodt, all_words, tables=True),
    WrittenFormat("ods", packed.as_ods, table_words, tables=True),
    WrittenFormat("odp", packed.as_odp, prose_words),
    WrittenFormat("epub", packed.as_epub, all_words, tables=True),
    WrittenFormat("rtf", markup.as_rtf, all_words, tables=True),
    WrittenFormat("doc", binary.as_doc, all_words, tables=True),
    WrittenFormat("ppt", binary.as_ppt, prose_words),
    WrittenFormat("xls", binary.as_xls, binary.said_in_sheets, tables=True),
    WrittenFormat("mhtml", markup.as_mhtml, all_words, tables=True),
    WrittenFormat("xml", packed.as_word_2003, all_words, tables=True),
    WrittenFormat("dbk", markup.as_docbook, all_words),
    WrittenFormat("rss", records.as_rss, prose_words),
    WrittenFormat("atom", records.as_atom, prose_words),
    WrittenFormat("fb2", markup.as_fb2, prose_words),
    WrittenFormat("tex", markup.as_latex, all_words),
    WrittenFormat("org", markup.as_org, all_words),
    WrittenFormat("adoc", markup.as_asciidoc, all_words),
    WrittenFormat("rst", markup.as_rst, all_words),
    WrittenFormat("vcf", records.as_vcard, prose_words),
    WrittenFormat("ics", records.as_calendar, prose_words),
    WrittenFormat("bib", records.as_bibtex, records.said_by_bibtex),
    WrittenFormat("ris", records.as_ris, prose_words),
    WrittenFormat("pages", binary.as_pages, prose_words),
    WrittenFormat("numbers", binary.as_numbers, binary.said_in_numbers, tables=True),
    WrittenFormat("key", binary.as_keynote, prose_words),
)


def known_files(texts: list[KnownText]) -> Iterator[KnownFile]:
    """Write each text in each format that can hold it."""
    for one in FORMATS:
        if one.suffix == "zst" and not find_spec("zstandard"):
            continue
        for text in texts:
            if not one.western or is_western(text):
                tables = text.tables if one.tables else ()
                name = f"{text.language}.{one.suffix}"
                yield KnownFile(name, one.write(text), one.said(text), tables)
