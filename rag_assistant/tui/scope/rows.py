"""The tree of what can be asked as a list: a line for each node, drawn when it is seen."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message

from rag_assistant.tui.drawing.layout import Indented, LayoutBlock, Row, Text
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, QUIET
from rag_assistant.tui.lists.pick_list import PickItem, PickList
from rag_assistant.tui.scope.tree import Node, ScopeTree
from rag_assistant.values.scope import Scope, Wanted

INDENT = 2
"""Cells that each level stands further in."""

MARKER = 2
"""Cells that the list itself puts before a line."""

_BOXES = {"all": plain("[x] ", GOOD), "some": plain("[-] ", GOOD), "none": plain("[ ] ", QUIET)}
_MOST_NAMED = 40


@dataclass(frozen=True, slots=True)
class NodeRow:
    """A node of the tree `depth` levels in; `arrow` says whether it is open, or cannot be."""

    tree: ScopeTree
    node: Node
    depth: int = 0
    arrow: str = "  "
    whole_path: bool = False

    def lines(self, width: int) -> list[Content]:
        """Draw it as it is ticked now."""
        node = self.node
        branch = self.tree.branches[node.database]
        ticked, count = self.tree.count(node)
        indent = plain(" " * (INDENT * self.depth) + self.arrow, QUIET)
        name = one_line(self._name, "bold" if not node.path else "")
        left = joined([indent, _BOXES[self.tree.ticks(node)], name])
        if branch.problem:
            return Row(left, one_line(branch.problem, BAD)).lines(width)
        if node.is_file and count == 1:
            return Row(left).lines(width)
        said = f"{count:,}" if ticked in (0, count) else f"{ticked:,} of {count:,}"
        return Row(left, plain(said, QUIET)).lines(width)

    @property
    def _name(self) -> str:
        node = self.node
        if not node.path:
            return node.database
        if self.whole_path:
            return node.path
        return node.path.rstrip("/").rsplit("/", 1)[-1] + "/" * node.path.endswith("/")

    @property
    def box_ends(self) -> int:
        """The column behind its box."""
        return MARKER + INDENT * self.depth + len(self.arrow) + 3


def tree_items(tree: ScopeTree, opened: set[str]) -> tuple[PickItem, ...]:
    """Give the databases, and what is in those nodes that are open."""
    items: list[PickItem] = []

    def add(node: Node, depth: int) -> None:
        is_open = node.key in opened
        arrow = "  " if node.first == node.end or node.is_file else "▾ " if is_open else "▸ "
        items.append(PickItem(NodeRow(tree, node, depth, arrow), node.key))
        if is_open:
            for child in tree.children(node):
                add(child, depth + 1)

    for root in tree.roots():
        add(root, 0)
    return tuple(items)


def fitting_items(tree: ScopeTree, typed: str) -> tuple[PickItem, ...]:
    """Give the folders and files that a filter means, below their databases."""
    items: list[PickItem] = []
    last = ""
    for node in tree.fitting(typed):
        if node.database != last:
            last = node.database
            items.append(PickItem(Text(one_line(last, QUIET))))
        items.append(PickItem(NodeRow(tree, node, whole_path=True), node.key))
    return tuple(items)


def choice_blocks(tree: ScopeTree) -> tuple[LayoutBlock, ...]:
    """Give what is chosen, for reading beside the tree."""
    wanted = tree.wanted()
    ticked = [tree.count(root) for root in tree.roots()]
    count, every = sum(some for some, _ in ticked), sum(all_ for _, all_ in ticked)
    said = f"{count:,} of {every:,} documents will be asked" if wanted else "Nothing is chosen yet."
    blocks: list[LayoutBlock] = [Text(plain(said, "bold")), Text()]
    for one in wanted:
        blocks += _chosen(one)
    return tuple(blocks)


def _chosen(wanted: Wanted) -> list[LayoutBlock]:
    if not isinstance(wanted, Scope):
        return [Row(one_line(wanted), plain("all of it", QUIET))]
    names = [one_line(path) for path in wanted.paths[:_MOST_NAMED]]
    more = len(wanted.paths) - len(names)
    if wanted.entries:
        names.append(plain(f"{len(wanted.entries):,} single records", QUIET))
    if more > 0:
        names.append(plain(f"… and {more:,} more", QUIET))
    lines = [Indented(Text(name), plain("  ")) for name in names]
    return [Text(one_line(wanted.database)), *lines]


class TickList(PickList):
    """Lists nodes; a click on a box ticks it, one on a name opens or closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,l", "open(True)", "Open", show=False),
        Binding("left,h", "open(False)", "Close, or go to what it is in", show=False),
    ]

    class Ticked(Message):
        """A node is to be chosen or left out."""

        def __init__(self, key: str) -> None:
            super().__init__()
            self.key = key

    class Opened(Message):
        """A node is to be opened or closed; by a click, whichever it is not."""

        def __init__(self, key: str, wanted: bool | None) -> None:
            super().__init__()
            self.key = key
            self.wanted = wanted

    def action_open(self, wanted: bool) -> None:
        """Open or close the node at the cursor."""
        if self.key:
            self.post_message(self.Opened(self.key, wanted))

    def on_click(self, event: events.Click) -> None:
        """Tick, or open."""
        event.prevent_default()  # a second click chooses nothing here
        item = self.item_at(event.y)
        if item is None or not item.key:
            return
        self.go_to(item.key)
        row = item.block
        in_box = isinstance(row, NodeRow) and event.x < row.box_ends
        if in_box or (isinstance(row, NodeRow) and not row.arrow.strip()):
            self.post_message(self.Ticked(item.key))
        else:
            self.post_message(self.Opened(item.key, None))
