"""Markdown: the document is the file's own text, with its headings, its code and its front matter.

Headings are those outside of quotes and lists, which name a section of the document.
"""

import re
from collections.abc import Iterator, Sequence

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.text.blocks import Block, BlockKind
from rag_assistant.text.inline_marks import without_marks
from rag_assistant.text.markdown import MARKDOWN_SUFFIXES, blocks
from rag_assistant.text.table_rows import unescaped
from rag_assistant.values.documents import Document, Heading
from rag_assistant.values.tables import DocumentTable, TableCell

_READ = frozenset(
    {BlockKind.FRONT_MATTER, BlockKind.HEADING, BlockKind.FENCE, BlockKind.TABLE, BlockKind.ROW}
)
_ATTRIBUTES = re.compile(r"[ \t]*\{[#.:][^{}]*\}$")
_SCALAR = re.compile(r"([A-Za-z][\w .-]{0,60}?)[ \t]*:[ \t]+(\S.*)")
_LONGEST_TITLE = 200
_MOST_ROWS = 2_000  # of a table whose cells are kept; those of a larger one are its first


def load(source: LoadInput) -> list[Document]:
    """Read Markdown; the title is the front matter's, or else the first heading of level 1."""
    start = decode_start(source.data, source.most)
    decoded = start.decoded
    text = decoded.text
    found = blocks(text, _READ)
    metadata = _front_matter(text, found[0]) if found else {}
    headings = tuple(
        Heading(block.start, block.level, title)
        for block in found
        if block.kind is BlockKind.HEADING and not block.depth and (title := _title(text, block))
    )
    title = metadata.get("title") or next((h.title for h in headings if h.level == 1), "")
    if decoded.encoding != "utf-8":
        metadata["encoding"] = decoded.encoding
    return [
        Document(
            text,
            "text/markdown",
            title=title,
            headings=headings,
            code=tuple(
                (block.start, block.end) for block in found if block.kind is BlockKind.FENCE
            ),
            metadata=metadata,
            tables=tuple(_tables(text, found)),
            lines_match_file=True,
            left_out=start.left_out(),
        )
    ]


def _front_matter(text: str, block: Block) -> dict[str, str]:
    """Read the `key: value` lines of front matter; of any other block there are none.

    Only simple values count: lists, maps and blocks of YAML are left out, as are nested lines.
    """
    values: dict[str, str] = {}
    for start, end in block.words if block.kind is BlockKind.FRONT_MATTER else ():
        pair = _SCALAR.fullmatch(text[start:end].rstrip())
        if pair and pair[2][0] not in "[{|>&*!%@`#":
            values.setdefault(pair[1].lower(), _scalar(pair[2]))
    return {key: value for key, value in values.items() if value}


def _scalar(value: str) -> str:
    quote = value[0]
    if quote in "\"'" and (end := value.find(quote, 1)) > 0:
        return value[1:end].strip()
    return re.split(r"[ \t]#", value, maxsplit=1)[0].strip()[:1000]


def _tables(text: str, found: Sequence[Block]) -> Iterator[DocumentTable]:
    """Give the tables with their cells, whose head is the first row."""
    rows: list[Block] = []
    for block in [*found, None]:
        if block is not None and block.kind is BlockKind.ROW:
            rows.append(block)
        elif rows and (block is None or block.start >= rows[-1].end):
            yield from _table(text, rows)
            rows = []


def _table(text: str, rows: Sequence[Block]) -> Iterator[DocumentTable]:
    cells = tuple(
        TableCell(number, column, unescaped(text[start:end]), start=start, end=end)
        for number, row in enumerate(rows[:_MOST_ROWS])
        for column, (start, end) in enumerate(row.words)
        if start < end
    )
    columns = 1 + max((cell.column for cell in cells), default=0)
    if len(rows) > 1 and columns > 1:
        end = rows[-1].end - text[rows[-1].start : rows[-1].end].endswith("\n")
        yield DocumentTable(len(rows), columns, cells, 1, start=rows[0].start, end=end)


def _title(text: str, heading: Block) -> str:
    """Give a heading's words without marks and attributes, cut where nobody's heading ends."""
    words = " ".join(text[start:end] for start, end in heading.words[:_LONGEST_TITLE])
    words = _ATTRIBUTES.sub("", " ".join(words[: 2 * _LONGEST_TITLE].split()))
    return without_marks(words, labels=True).strip()[:_LONGEST_TITLE]


LOADER = Loader("markdown", 5, MARKDOWN_SUFFIXES, "text/markdown", load, plain=True)
