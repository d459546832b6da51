"""Markdown to blocks, with the citations in it made clickable.

Every character of the source text that is not Markdown's own stays visible: HTML, unknown markers
and the addresses of links are shown as they are, and nothing can be followed by a click but a
citation.
"""

import re
from collections.abc import Callable, Mapping, Sequence

from markdown_it.tree import SyntaxTreeNode
from textual.content import Content

from rag_assistant.text.safe_text import clean
from rag_assistant.text.shown_markdown import count_cells, markdown_parser
from rag_assistant.tui.drawing.layout import Divider, Indented, LayoutBlock, Text, Verbatim
from rag_assistant.tui.drawing.safe_widgets import (
    NEWLINE,
    clickable,
    joined,
    plain,
)
from rag_assistant.tui.drawing.table import Table
from rag_assistant.tui.drawing.unsupported import HARD_SIGN, SIGN, spare_sign, with_signs
from rag_assistant.values.evidence import QuoteState
from rag_assistant.values.support import Sentence

_MARKER = re.compile(r"(?<!\w)\[(\d{1,4})(\??)\]")
_PARSER = markdown_parser()
_STYLES = {"strong": "bold", "em": "italic", "s": "strike", "code_inline": "$text-secondary"}
_BREAKS = {"softbreak": plain(" "), "hardbreak": NEWLINE}
_BAR = plain("▎ ", "$foreground 40%")
_UNCONFIRMED = plain(SIGN, "$foreground 60%")
_OTHERWISE = plain(HARD_SIGN, "$text-warning")


def markdown_blocks(
    text: str, marks: Mapping[int, QuoteState], sentences: Sequence[Sentence] = ()
) -> list[LayoutBlock]:
    """Give the blocks of a Markdown text.

    `marks` has the markers that are citations, and how the quote of each stands to its source. Of
    `sentences`, those that the sources do not bear out get a sign behind them.
    """
    sign = spare_sign(text)
    cleaned = clean(with_signs(text, sentences, sign) if sign else text)
    root = SyntaxTreeNode(_PARSER.parse(cleaned))
    return _Writer(marks, cleaned.split("\n"), sign).blocks(root.children)


def citation_mark(marker: int, state: QuoteState) -> Content:
    """Give the mark of a citation: `[1]`, or with the sign of what is not right, `[1!]`."""
    style = "bold $text-accent" if state is QuoteState.FOUND else "bold $text-warning"
    return clickable(plain(f"[{marker}{state.sign}]", style), {"citation": marker})


class _Writer:
    """Turns the nodes of one text into blocks."""

    def __init__(self, marks: Mapping[int, QuoteState], lines: Sequence[str], sign: str) -> None:
        self._marks = marks
        self._lines = lines
        self._sign = sign
        self._writers: dict[str, Callable[[SyntaxTreeNode], list[LayoutBlock]]] = {
            "paragraph": lambda node: [Text(self._inline(node))],
            "heading": lambda node: [Text(self._inline(node).stylize_before("bold"))],
            "bullet_list": self._list,
            "ordered_list": self._list,
            "blockquote": self._quote,
            "fence": self._code,
            "code_block": self._code,
            "hr": lambda _: [Divider()],
            "table": self._table,
        }

    def blocks(self, nodes: Sequence[SyntaxTreeNode], *, tight: bool = False) -> list[LayoutBlock]:
        """Give the blocks of sibling nodes, with an empty line between them unless `tight`."""
        blocks: list[LayoutBlock] = []
        for node in nodes:
            writer = self._writers.get(node.type)
            written = writer(node) if writer else [Text(self._words(node.content))]
            if blocks and not tight:
                blocks.append(Text())
            blocks += written
        return blocks

    def _list(self, node: SyntaxTreeNode) -> list[LayoutBlock]:
        number = int(node.attrs.get("start", 1))
        bullets = [
            f"{number + index}. " if node.type == "ordered_list" else "• "
            for index in range(len(node.children))
        ]
        widest = max(len(bullet) for bullet in bullets)
        tight = all(_is_tight(item) for item in node.children)
        blocks: list[LayoutBlock] = []
        for bullet, item in zip(bullets, node.children, strict=True):
            if blocks and not tight:
                blocks.append(Text())
            inner = self.blocks(item.children, tight=tight) or [Text()]
            first = plain(bullet.rjust(widest), "$foreground 60%")
            blocks += _behind(inner, first, plain(" " * widest))
        return blocks

    def _quote(self, node: SyntaxTreeNode) -> list[LayoutBlock]:
        return _behind(self.blocks(node.children), _BAR, _BAR)

    def _code(self, node: SyntaxTreeNode) -> list[LayoutBlock]:
        words = node.content.removesuffix("\n")
        code = plain(self._unsigned(words), "$foreground 85%")
        blocks: list[LayoutBlock] = [Indented(Verbatim(code), _BAR, _BAR)]
        if self._unsigned(words) != words:
            blocks.append(Text(_OTHERWISE if 2 * self._sign in words else _UNCONFIRMED))
        return blocks

    def _table(self, node: SyntaxTreeNode) -> list[LayoutBlock]:
        rows = [row for part in node.children for row in part.children]
        right = {
            index
            for row in rows[:1]
            for index, cell in enumerate(row.children)
            if "right" in str(cell.attrs.get("style", ""))
        }
        written = self._lines[node.map[0] : node.map[1]] if node.map else []
        if any(count_cells(line) > len(rows[0].children) for line in written):
            # The parser drops the cells that the head has no column for.
            return [Verbatim(self._words("\n".join(written)))]
        cells = tuple(tuple(self._inline(cell) for cell in row.children) for row in rows)
        heads = tuple(cell.stylize_before("bold") for cell in cells[0])
        return [Table((heads, *cells[1:]), frozenset(right))]

    def _inline(self, node: SyntaxTreeNode) -> Content:
        """Give the words inside a node with their styles."""
        if node.type == "text":
            return self._text(node.content)
        if node.type == "link":
            return self._link(node)
        if node.type in _BREAKS:
            return _BREAKS[node.type]
        style = _STYLES.get(node.type, "")
        if not node.children:
            return self._words(node.content, style)
        return joined(self._inline(child) for child in node.children).stylize_before(style)

    def _words(self, text: str, style: str = "") -> Content:
        """Give words as they are, with what is shown for the signs of marked sentences."""
        if not self._sign:
            return plain(text, style)
        hard = [part.split(self._sign) for part in text.split(2 * self._sign)]
        soft = [joined([plain(one, style) for one in part], _UNCONFIRMED) for part in hard]
        return joined(soft, _OTHERWISE)

    def _unsigned(self, text: str) -> str:
        return text.replace(self._sign, "") if self._sign else text

    def _link(self, node: SyntaxTreeNode) -> Content:
        """Show where a link leads; nothing follows it."""
        words = joined(self._inline(child) for child in node.children).stylize_before("underline")
        address = self._unsigned(str(node.attrs.get("href", "")))
        title = str(node.attrs.get("title", ""))
        if address == words.plain and not title:
            return words
        more = f'{address} "{title}"' if title else address
        return joined([words, plain(f" ({more})", "$foreground 60%")])

    def _text(self, text: str) -> Content:
        parts: list[Content] = []
        end = 0
        for match in _MARKER.finditer(text):
            known = self._marks.get(int(match[1])) if not match[2] else None
            parts.append(self._words(text[end : match.start()]))
            if known is None:
                # A number that no evidence has, or one still to be resolved: seen, not clickable.
                parts.append(plain(match[0], "$text-warning" if match[2] else ""))
            else:
                parts.append(citation_mark(int(match[1]), known))
            end = match.end()
        return joined([*parts, self._words(text[end:])])


def _is_tight(item: SyntaxTreeNode) -> bool:
    """Tell whether a list item is tight: the parser hides its paragraphs."""
    return all(child.hidden for child in item.children if child.type == "paragraph")


def _behind(blocks: list[LayoutBlock], first: Content, rest: Content) -> list[LayoutBlock]:
    return [Indented(block, rest if number else first, rest) for number, block in enumerate(blocks)]
