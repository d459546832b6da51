"""markdown-it-py's rules for blocks, each tried only where a line begins with its sign.

Its own parser tries every rule on every line and makes several tokens of a block. Here one value is
kept for each block that is wanted, and what stands within the lines is not read at all: Markdown
files are indexed with it.
"""

import re
from bisect import bisect_left
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from itertools import islice

from markdown_it import MarkdownIt
from markdown_it.ruler import Ruler
from markdown_it.rules_block import (
    StateBlock,
    blockquote,
    code,
    fence,
    heading,
    hr,
    html_block,
    lheading,
    list_block,
    reference,
    table,
)

from rag_assistant.text.block_state import BlockState, DraftToken
from rag_assistant.text.blocks import (
    CODE_INDENT,
    DEEPEST,
    MOST_LINES,
    MOST_QUOTES,
    Block,
    BlockKind,
)

Rule = Callable[[StateBlock, int, int, bool], bool]

_LINE_END = re.compile(r"\r\n?|\n")
_PAIR = re.compile(r"\r\n")
_RULE = re.compile(r"([-*_])[ \t]*(?:\1[ \t]*){2,}\Z")
_DELIMITER = re.compile(r"[|:][-|: \t]|-[-|:]")


def read_blocks(
    text: str, begin: int, kinds: frozenset[BlockKind], *, answer: bool
) -> Iterator[Block]:
    """Read the blocks of a text from `begin` on, as `markdown.blocks` promises."""
    end = _end_of_lines(text, begin)
    body = text[begin:end]
    lines = _LINE_END.sub("\n", body) if "\r" in body else body
    state = BlockState(lines.replace("\0", "\ufffd"), _parser(), kinds, answer=answer)
    if state.lineMax:
        _parser().block.tokenize(state, 0, state.lineMax)
    # Where the parser's text has one character for a line end, and the file two.
    pairs = [found.start() - n for n, found in enumerate(_PAIR.finditer(body))]

    def place(at: int) -> int:
        return begin + at + bisect_left(pairs, at)

    for draft in state.found:
        if draft.kind not in kinds:
            continue
        start, stop = place(state.starts[draft.map[0]]), place(state.starts[draft.end])
        words = tuple((place(first), place(last)) for first, last in draft.words)
        yield Block(draft.kind, start, stop, draft.depth, words, draft.level, _info(draft))
    if end < len(text) and BlockKind.PARAGRAPH in kinds:
        yield Block(BlockKind.PARAGRAPH, end, len(text), words=((end, len(text)),))


def _end_of_lines(text: str, begin: int) -> int:
    """Give where the lines end that are read."""
    if text.count("\n", begin) + text.count("\r", begin) <= MOST_LINES:
        return len(text)
    ends = islice(_LINE_END.finditer(text, begin), MOST_LINES - 1, None)
    last = next(ends, None)
    return last.end() if last else len(text)


def _info(draft: DraftToken) -> str:
    if draft.kind is BlockKind.FENCE:
        return draft.info.strip()
    return draft.info + draft.markup if draft.kind in (BlockKind.LIST, BlockKind.ITEM) else ""


def _quote(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    assert isinstance(state, BlockState)
    if state.quotes >= MOST_QUOTES or state.level >= DEEPEST:
        return False
    state.quotes += 1
    found = blockquote(state, line, end, silent)
    state.quotes -= 1
    return found


def _list(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    return state.level < DEEPEST and list_block(state, line, end, silent)


def _break(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    at = state.bMarks[line] + state.tShift[line]
    found = _RULE.match(state.src, at, state.eMarks[line])
    if found is None or state.is_code_block(line):
        return False
    return silent or hr(state, line, end, silent)


# What may interrupt a list, and what a paragraph, a quote or a table, by the sign of the line.
_ENDS_LISTS: Mapping[str, tuple[Rule, ...]] = {
    **dict.fromkeys("`~", (fence,)),
    ">": (_quote,),
    **dict.fromkeys("-*_", (_break,)),
}
_ANSWER: Mapping[str, tuple[Rule, ...]] = {
    **_ENDS_LISTS,
    **dict.fromkeys("-*", (_break, _list)),
    **dict.fromkeys("+0123456789", (_list,)),
    "#": (heading,),
}
_DOCUMENT: Mapping[str, tuple[Rule, ...]] = {**_ANSWER, "<": (html_block,)}
_INTERRUPTS = {True: _ANSWER, False: _DOCUMENT}
_BEGINS = {True: _ANSWER, False: {**_DOCUMENT, "[": (reference,)}}
"""By whether the text is an answer. A definition of a link interrupts nothing."""


def _begin(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Read the block that begins with a line."""
    assert isinstance(state, BlockState)
    first = len(state.found)
    if _has_delimiter(state, line, end) and table(state, line, end, True):
        _table(state, line, end)
        state.settle(first)
        return True
    rules = _BEGINS[state.answer].get(state.src[state.bMarks[line] + state.tShift[line]], ())
    if rules or state.sCount[line] >= CODE_INDENT:
        for rule in (code, *rules):
            if rule(state, line, end, silent):
                if rule not in (_quote, _list):
                    state.settle(first)
                return True
    if not (state.may_be_underlined(line) and lheading(state, line, end, silent)):
        _paragraph(state, line)
    state.settle(first)
    return True


def _table(state: BlockState, line: int, end: int) -> None:
    """Read a table whose head and the line below it were recognised: all lines to a blank one, to
    one that interrupts it, or to indented code.

    The rule of the parser does the same and makes tokens of each cell, those as well that are not
    written.
    """
    parent, state.parentType = state.parentType, "table"
    outer = state.push("table_open", "table", 0)
    row = line
    while row == line or _is_row(state, row, end):
        state.push("tr_open", "tr", 0).map = [row, row + 1]
        row += 2 if row == line else 1
    outer.map = [line, row]
    state.line, state.parentType = row, parent


def _is_row(state: BlockState, line: int, end: int) -> bool:
    return (
        line < end
        and 0 <= state.sCount[line] - state.blkIndent < CODE_INDENT
        and not state.isEmpty(line)
        and not _interrupts(state, line, end, True)
    )


def _paragraph(state: BlockState, line: int) -> None:
    """Read a paragraph: all lines to a blank one, or to one that interrupts it.

    The rule of the parser does the same and copies the words, which takes a third of the time of a
    list. The words of an indented line, and of one that lazily goes on (-1), interrupt nothing.
    """
    parent, state.parentType = state.parentType, "paragraph"
    draft = state.push("paragraph_open", "p", 0)
    starts, shifts, ends, indents = state.bMarks, state.tShift, state.eMarks, state.sCount
    code, last, end = state.blkIndent + CODE_INDENT, state.lineMax, line + 1
    while end < last and starts[end] + shifts[end] < ends[end]:
        if 0 <= indents[end] < code and _interrupts_words(state, end, last, True):
            break
        end += 1
    draft.map = [line, end]
    state.line, state.parentType = end, parent


def _interrupts(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Say whether a line ends the quote or the table before it."""
    assert isinstance(state, BlockState)
    rules = _INTERRUPTS[state.answer].get(state.src[state.bMarks[line] + state.tShift[line]], ())
    for rule in rules:  # noqa: SIM110 - `any` takes half as long again, for every line of a text
        if rule(state, line, end, True):
            return True
    return False


def _interrupts_words(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Say whether a line ends the paragraph, or the definition, before it."""
    return _interrupts(state, line, end, True) or (
        _has_delimiter(state, line, end) and table(state, line, end, True)
    )


def _ends_list(state: StateBlock, line: int, end: int, silent: bool) -> bool:
    """Say whether a line ends the list before it."""
    rules = _ENDS_LISTS.get(state.src[state.bMarks[line] + state.tShift[line]], ())
    for rule in rules:  # noqa: SIM110 - as above
        if rule(state, line, end, True):
            return True
    return False


def _has_delimiter(state: StateBlock, line: int, end: int) -> bool:
    """Whether the line after may be the one below the head of a table."""
    if line + 1 >= end:
        return False
    at = state.bMarks[line + 1] + state.tShift[line + 1]
    return _DELIMITER.match(state.src, at) is not None


class _Chains(Ruler[Rule]):
    """Gives for each place in the grammar the one rule that chooses among those of its own."""

    def getRules(self, chainName: str = "") -> list[Rule]:  # noqa: N802, N803 - not our names
        """Give the rule for what may begin anywhere, or what may end the block of that name."""
        return _CHAINS[chainName]

    def get_active_rules(self) -> list[str]:
        """Give the one name that matters: by it a parser knows that indented lines are code."""
        return ["code"]


_CHAINS: Mapping[str, list[Rule]] = {
    "": [_begin],
    "paragraph": [_interrupts_words],
    "reference": [_interrupts_words],
    "blockquote": [_interrupts],
    "list": [_ends_list],
}


@cache
def _parser() -> MarkdownIt:
    options = {"html": True, "inline_definitions": True, "maxNesting": DEEPEST + 5}
    parser = MarkdownIt("commonmark", options)
    parser.block.ruler = _Chains()
    return parser
