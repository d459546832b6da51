"""Choosing what is asked: databases, folders and files with boxes to tick, in a tree.

It gives what was chosen, or nothing where it is left as it was. A choice of nothing is not taken.
"""

from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.message import Message

from rag_assistant.library.library import Library
from rag_assistant.tui.drawing.safe_widgets import plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import PickItem
from rag_assistant.tui.scope.rows import (
    NodeRow,
    TickList,
    choice_blocks,
    fitting_items,
    tree_items,
)
from rag_assistant.tui.scope.tree import MOST_FITTING, Node, ScopeTree, read_tree
from rag_assistant.values.scope import Wanted


class TreeRead(Message):
    """What there is to choose from was read."""

    def __init__(self, tree: ScopeTree) -> None:
        super().__init__()
        self.tree = tree


class ScopeScreen(BrowseScreen[tuple[Wanted, ...]]):
    """Begins with what is `wanted` ticked."""

    NAME = "Scope"
    PLACEHOLDER = "type to find folders and files"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "Ask these"),
        Binding("space", "tick", "Tick"),
        Binding("o", "only", "Only this"),
        Binding("a", "all(True)", "All"),
        Binding("n", "all(False)", "None"),
        *BROWSE_KEYS,
    ]

    def __init__(self, library: Library, wanted: tuple[Wanted, ...]) -> None:
        super().__init__()
        self._library = library
        self._wanted = wanted
        self._tree = ScopeTree({})
        self._opened: set[str] = set()
        self._shown: dict[str, Node] = {}
        self._items: tuple[PickItem, ...] = ()

    def make_list(self) -> TickList:
        """List nodes that can be ticked."""
        return TickList(id="browse-list")

    @work(thread=True, exclusive=True, exit_on_error=False)
    def reload(self) -> None:
        """Read what there is."""
        self.post_message(TreeRead(read_tree(self._library, self._wanted)))

    @on(TreeRead)
    def _take_tree(self, event: TreeRead) -> None:
        self._tree = event.tree
        roots = self._tree.roots()
        self._opened = {root.key for root in roots if len(roots) == 1 or self._is_part(root)}
        self._list()

    def _is_part(self, node: Node) -> bool:
        return self._tree.ticks(node) == "some"

    def filter_changed(self, text: str) -> None:
        """List what fits, or the tree again."""
        self._list()

    def _list(self) -> None:
        typed = self.filter_text
        tree = self._tree
        self._items = fitting_items(tree, typed) if typed else tree_items(tree, self._opened)
        self._shown = {
            item.key: item.block.node for item in self._items if isinstance(item.block, NodeRow)
        }
        nothing = "Nothing has that name." if typed else "There is no database yet."
        self.listing.show(self._items, plain(nothing, QUIET))
        many = typed and len(self._shown) == MOST_FITTING
        said = f"the likeliest {MOST_FITTING}; type on for others" if many else ""
        self.remark(plain(said, QUIET))
        self._tell()

    def _tell(self) -> None:
        """Show what is chosen by now."""
        self.listing.refresh()
        self.detail(*choice_blocks(self._tree))

    # Keys and clicks

    @property
    def _node(self) -> Node | None:
        return self._shown.get(self.listing.key)

    def action_tick(self) -> None:
        """Choose what is at the cursor, or leave it out."""
        if node := self._node:
            self._tree.tick(node, on=self._tree.ticks(node) != "all")
            self._tell()

    def action_only(self) -> None:
        """Choose what is at the cursor and nothing else."""
        if node := self._node:
            self._tree.tick_only(node)
            self._tell()

    def action_all(self, on: bool) -> None:
        """Choose, or leave out, all that is listed."""
        for node in self._shown.values():
            self._tree.tick(node, on=on)
        self._tell()

    @on(TickList.Ticked)
    def _ticked(self) -> None:
        self.action_tick()

    @on(TickList.Opened)
    def _open(self, event: TickList.Opened) -> None:
        node = self._shown.get(event.key)
        if node is None or self.filter_text:
            return
        is_open = node.key in self._opened
        wanted = not is_open if event.wanted is None else event.wanted
        if wanted == is_open or node.is_file:
            self._beside(node, inside=wanted)
        else:
            self._opened ^= {node.key}
            self._list()

    def _beside(self, node: Node, *, inside: bool) -> None:
        """Go into a node that is open, or to what one is in."""
        if inside:
            self.listing.action_move(1)
        elif node.path:
            folder, stroke, _ = node.path.rstrip("/").rpartition("/")
            self.listing.go_to(f"{node.database}:{folder}{stroke}")

    def choose(self) -> None:
        """Ask these from now on."""
        wanted = self._tree.wanted()
        if wanted:
            self.dismiss(wanted)
        else:
            self.remark(plain("nothing is chosen: Space ticks, Esc leaves it as it was"))
