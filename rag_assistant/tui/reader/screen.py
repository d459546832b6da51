"""Reading a whole document: opened at what was found or cited, with search and outline."""

from functools import partial
from typing import ClassVar

from textual import events, on
from textual.binding import Binding, BindingType
from textual.widgets import Input

from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET
from rag_assistant.tui.keys.help_screen import HelpScreen
from rag_assistant.tui.lists.pick_list import Item, PickList
from rag_assistant.tui.reader.document import Read, Source
from rag_assistant.tui.reader.handing import HandingScreen
from rag_assistant.tui.sources.reading import (
    LONGEST_WORDS,
    MOST_HITS,
    Hits,
    Outline,
    find_all,
    read_outline,
)
from rag_assistant.tui.sources.source_text import SourceText

NO_HITS = Hits("", ())


class ReaderScreen(HandingScreen):
    """Shows a document, to read and to search."""

    CSS_PATH = "screen.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "Back"),
        Binding("slash", "search", "Search", key_display="/"),
        Binding("n", "hit(1)", "Next hit", show=False),
        Binding("N,upper_n", "hit(-1)", "Hit before", show=False),
        Binding("t", "outline", "Outline"),
        Binding("right,ctrl+g", "step(1)", "Next citation"),
        Binding("left", "step(-1)", "Citation before", show=False),
        *(
            Binding(str(digit), f"cite({digit})", "Open the citation of that number", show=False)
            for digit in range(1, 10)
        ),
        Binding("e", "all", "All that was retrieved", show=False),
        Binding("x", "mark_wrong", "Mark the citation as wrong", show=False),
        Binding("y", "copy", "Copy"),
        Binding("Y,upper_y", "copy_with_reference", "Copy with title, page and path", show=False),
        Binding("v", "picture", "The page as a picture", show=False),
        Binding("o", "open", "Open in your program"),
        Binding("f5", "rescan", "Read changed files again", show=False),
        Binding("h", "home", "Back to the words", show=False),
        Binding("enter", "choose", "Go there", show=False),
        Binding("f1", "help", "Help"),
    ]

    _hits = NO_HITS
    _hit = -1

    @on(Read)
    def _take(self, event: Read) -> None:
        match event.value:
            case Hits() as hits:
                self._take_hits(hits)
            case Outline() as outline:
                self._take_outline(outline)

    def show_source(self, source: Source) -> None:
        """Open a document, in which nothing is looked for yet."""
        self._hits = NO_HITS
        super().show_source(source)

    # Searching in it

    def action_search(self) -> None:
        """Ask what to look for."""
        box = self.query_one("#reader-search", Input)
        box.display = True
        box.value = self._hits.words
        box.focus()

    @on(Input.Submitted, "#reader-search")
    def _search(self, event: Input.Submitted) -> None:
        event.stop()
        self._close_search()
        words, source = event.value.strip(), self._source
        if len(words) > LONGEST_WORDS:
            self.remark(one_line(f"at most {LONGEST_WORDS} characters can be looked for"))
        elif words and source:
            self.remark(one_line("searching…", QUIET))
            entry = source.entry
            self.read(partial(find_all, source.database, entry.id, entry.length, words))
        else:
            self._take_hits(NO_HITS)

    def _close_search(self) -> None:
        self.query_one("#reader-search", Input).display = False
        self.text.focus()

    def _take_hits(self, hits: Hits) -> None:
        self._hits, self._hit = hits, -1
        self.text.mark(self.text.span, hits.spans)
        if hits.spans:
            top = self.text.top()
            after = next((n for n, hit in enumerate(hits.spans) if hit[0] >= top), 0)
            self._go_to_hit(after)
        else:
            said = f"“{hits.words}” is nowhere in this document" if hits.words else ""
            self.remark(one_line(said))

    def action_hit(self, step: int) -> None:
        """Go to the next hit, or the one before, round and round."""
        if self._hits.spans:
            self._go_to_hit((self._hit + step) % len(self._hits.spans))
        else:
            self.remark(one_line("nothing is looked for yet: / searches this document"))

    def _go_to_hit(self, number: int) -> None:
        self._hit = number
        count = len(self._hits.spans)
        of = f"the first {count}" if count == MOST_HITS else str(count)
        self.remark(
            joined(
                [
                    plain(f"{number + 1} of {of}  "),
                    one_line(f"“{self._hits.words}”", "bold"),
                    plain("  n next, N before", QUIET),
                ]
            )
        )
        self.jump(self._hits.spans[number][0])

    # Its outline

    def action_outline(self) -> None:
        """Show or hide the headings."""
        if self.query_one(PickList).display:
            self._close_outline()
        elif self._source:
            self.read(partial(read_outline, self._source.database, self._source.entry.id))

    def _take_outline(self, outline: Outline) -> None:
        if not outline.lines:
            self.remark(one_line("this document has no headings"))
            return
        listing = self.query_one(PickList)
        listing.show(
            tuple(
                Item(Row(one_line("  " * line.depth + line.title)), f"{number} {line.start}")
                for number, line in enumerate(outline.lines)
            )
        )

        here = [n for n, line in enumerate(outline.lines) if line.start <= self.at()]
        if here:
            listing.go_to(f"{here[-1]} {outline.lines[here[-1]].start}")
        listing.display = True
        self.add_class("-outlined")
        listing.focus()

    def _close_outline(self) -> None:
        self.query_one(PickList).display = False
        self.remove_class("-outlined")
        self.text.focus()

    @on(PickList.Chosen)
    def action_choose(self) -> None:
        """Go to the heading with the cursor."""
        listing = self.query_one(PickList)
        if listing.display and listing.key:
            at = int(listing.key.split()[1])
            self._close_outline()
            self.call_after_refresh(self.jump, at)

    # Keys

    def action_back(self) -> None:
        """Close what is open over the text, or leave."""
        if self.query_one("#reader-search", Input).has_focus:
            self._close_search()
        elif self.query_one(PickList).display:
            self._close_outline()
        else:
            self.dismiss(None)

    def on_key(self, event: events.Key) -> None:
        """Say so when a letter does nothing here."""
        if event.is_printable and event.key not in self.active_bindings:
            self.remark(one_line("Reading: Esc goes back, F1 lists the keys"))

    def action_help(self) -> None:
        """List the keys."""
        groups = [("Reader", ReaderScreen.BINDINGS), ("Text", SourceText.BINDINGS)]
        self.app.push_screen(HelpScreen(groups))
