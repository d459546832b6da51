"""The Markdown of an answer laid out for a terminal: every character that is not Markdown's own
stays, and nothing in it leads anywhere."""

import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial

from markdown_it.tree import SyntaxTreeNode
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from rag_assistant.cli.drawn import MARK, QUIET, console_of, put, width_of, wrapped
from rag_assistant.cli.sources import state_style
from rag_assistant.text.safe_text import clean
from rag_assistant.text.shown_markdown import count_cells, markdown_parser
from rag_assistant.values.evidence import QuoteState

_MARKER = re.compile(r"(?<!\w)\[(\d{1,4})\]")
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "code_inline": "cyan"}
_BREAKS = {"softbreak": " ", "hardbreak": "\n"}
_GAP = "  "
_LEAST_COLUMN = 6


def draw_markdown(text: str, marks: Mapping[int, QuoteState] | None = None) -> None:
    """Draw a text on standard output; `marks` has the numbers that are citations."""
    console = console_of(sys.stdout)
    for line in markdown_lines(text, console, marks):
        put(console, [line])


def markdown_lines(
    text: str, console: Console, marks: Mapping[int, QuoteState] | None = None
) -> list[Text]:
    """Lay a text out in lines as wide as prose may be. Without `marks` every number is one."""
    cleaned = clean(text)
    root = SyntaxTreeNode(markdown_parser().parse(cleaned))
    return _Writer(console, cleaned.split("\n"), marks).blocks(root.children, width_of(console))


class _Writer:
    """Turns the nodes of one text into lines."""

    def __init__(
        self, console: Console, written: Sequence[str], marks: Mapping[int, QuoteState] | None
    ) -> None:
        self._console = console
        self._written = written
        self._marks = marks

    def blocks(
        self, nodes: Sequence[SyntaxTreeNode], width: int, *, tight: bool = False
    ) -> list[Text]:
        """Lay out sibling nodes, with an empty line between them unless `tight`."""
        lines: list[Text] = []
        for node in nodes:
            if lines and not tight:
                lines.append(Text())
            lines += self._block(node, width)
        return lines

    def _block(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        match node.type:
            case "bullet_list" | "ordered_list":
                return self._list(node, width)
            case "blockquote":
                return self._behind("▎ ", self.blocks(node.children, width - 2), QUIET)
            case "fence" | "code_block":
                code = node.content.removesuffix("\n").split("\n")
                return self._behind("▎ ", [Text(line, "cyan") for line in code], QUIET)
            case "hr":
                return [Text("─" * width, QUIET)]
            case "table":
                return self._table(node, width)
        words = self._inline(node) if node.children else self._text(node.content)
        if node.type == "heading":
            words.stylize_before("bold")
        return wrapped(words, max(width, _LEAST_COLUMN))

    def _behind(self, sign: str, lines: list[Text], style: str = "", rest: str = "") -> list[Text]:
        return [
            Text.assemble((rest if number and rest else sign, style), line)
            for number, line in enumerate(lines)
        ]

    def _list(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        number = int(node.attrs.get("start", 1))
        ordered = node.type == "ordered_list"
        bullets = [f"{number + n}. " if ordered else "• " for n in range(len(node.children))]
        widest = max(map(len, bullets))
        items = [item.children for item in node.children]
        tight = all(child.hidden for item in items for child in item if child.type == "paragraph")
        lines: list[Text] = []
        for bullet, item in zip(bullets, items, strict=True):
            if lines and not tight:
                lines.append(Text())
            inner = self.blocks(item, width - widest, tight=tight) or [Text()]
            lines += self._behind(bullet.rjust(widest), inner, QUIET, " " * widest)
        return lines

    def _table(self, node: SyntaxTreeNode, width: int) -> list[Text]:
        rows = [row.children for part in node.children for row in part.children]
        written = self._written[node.map[0] : node.map[1]] if node.map else []
        if any(count_cells(line) > len(rows[0]) for line in written):
            # The parser drops the cells that the head has no column for.
            return [line for row in written for line in wrapped(self._text(row), width)]
        right = {n for n, cell in enumerate(rows[0]) if "right" in str(cell.attrs.get("style"))}
        cells = [[self._inline(cell) for cell in row] for row in rows]
        for head in cells[0]:
            head.stylize_before("bold")
        widths = _fit(
            [max(cell_len(row[n].plain) for row in cells) or 1 for n in range(len(rows[0]))],
            width - len(_GAP) * (len(rows[0]) - 1),
        )
        lines: list[Text] = []
        for number, row in enumerate(cells):
            lines += self._row(row, widths, right)
            if number == 0:
                lines.append(Text(_GAP.join("─" * column for column in widths), QUIET))
        return lines

    def _row(self, row: list[Text], widths: list[int], right: set[int]) -> list[Text]:
        fold = partial(Text.wrap, console=self._console, overflow="fold")
        columns = [list(fold(cell, width=width)) for cell, width in zip(row, widths, strict=True)]
        lines: list[Text] = []
        for number in range(max(map(len, columns))):
            parts: list[Text | str] = []
            for index, (column, width) in enumerate(zip(columns, widths, strict=True)):
                cell = column[number] if number < len(column) else Text()
                cell.rstrip()
                space = " " * (width - cell_len(cell.plain))
                parts += [_GAP] if index else []
                parts += [space, cell] if index in right else [cell, space]
            line = Text.assemble(*parts)
            line.rstrip()
            lines.append(line)
        return lines

    def _inline(self, node: SyntaxTreeNode) -> Text:
        """Give the words inside a node with their styles."""
        if node.type == "text":
            return self._text(node.content)
        if node.type in _BREAKS:
            return Text(_BREAKS[node.type])
        if node.children:
            words = Text().join(self._inline(child) for child in node.children)
        else:
            words = Text(node.content)
        words.stylize_before(_STYLES.get(node.type, ""))
        return self._link(node, words) if node.type == "link" else words

    def _link(self, node: SyntaxTreeNode, words: Text) -> Text:
        """Show where a link leads; nothing follows it."""
        address, title = str(node.attrs.get("href", "")), str(node.attrs.get("title", ""))
        words.stylize_before("underline")
        if address != words.plain or title:
            words.append(f' ({address} "{title}")' if title else f" ({address})", QUIET)
        return words

    def _text(self, text: str) -> Text:
        words, end = Text(), 0
        for found in _MARKER.finditer(text):
            words.append(text[end : found.start()])
            state = self._marks.get(int(found[1])) if self._marks is not None else None
            if state:
                words.append(f"[{found[1]}{state.sign}]", state_style(state))
            else:
                words.append(found[0], f"bold {MARK}" if self._marks is None else "")
            end = found.end()
        return words.append(text[end:])


def _fit(natural: list[int], room: int) -> list[int]:
    """Narrow the widest columns until all fit, none below a readable least."""
    widths = list(natural)
    while sum(widths) > room and max(widths) > _LEAST_COLUMN:
        widths[widths.index(max(widths))] -= 1
    return widths
