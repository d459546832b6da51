"""The text beside what was found, rendered, at its best words."""

from rag_assistant.tui.find.search import Preview
from rag_assistant.tui.sources.line_drawing import Marks
from rag_assistant.tui.sources.source_text import SourceText


class PreviewText(SourceText):
    """Shows the document of a hit: its best words bright, those that were looked for marked."""

    # A click does not take the keys from the words that are typed.
    FOCUS_ON_CLICK = False

    def show_preview(self, preview: Preview) -> None:
        """Show another hit, a little below the top."""
        place = preview.hit.location
        self.open_entry(preview.opened, preview.excerpt, (place.start, place.start))
        self.mark(Marks(hits=preview.words, bright=(place.start, place.end)))
