"""The form that a document is rendered in, by what it is: made in threads, and kept a while."""

from functools import lru_cache

from rag_assistant.library.database import Database
from rag_assistant.tui.rendering.code_styles import MOST_CHARACTERS, language_at, styles_of
from rag_assistant.tui.rendering.forms import Form, MarkdownForm, PlainForm
from rag_assistant.tui.rendering.text_form import TextForm
from rag_assistant.values.documents import Entry

KEPT = 4
"""Documents whose form is kept: going from one citation to the next mostly stays in a few."""

MOST_MARKDOWN = 3_000_000
"""Characters of Markdown that is rendered, which is read as a whole for it: half a second or so."""

_RECORDS = "text/csv"


def form_of(database: Database, entry: Entry) -> Form:
    """Give the form of an entry. It blocks, in proportion to the text: call it in a thread.

    Raises RagError where the text cannot be read.
    """
    return _form(database, entry.id, entry.text_hash, entry.media_type, entry.path, entry.length)


@lru_cache(maxsize=KEPT)
def _form(
    database: Database, entry_id: int, text_hash: str, media_type: str, path: str, length: int
) -> Form:
    if media_type == "text/markdown":
        if length > MOST_MARKDOWN:
            return PlainForm(remark=f"shown as written: longer than {MOST_MARKDOWN:,} characters")
        return MarkdownForm(database.text(entry_id))
    if media_type == "text/plain":
        language = language_at(path)
        if not language:
            return PlainForm()
        styles = styles_of(database.text(entry_id), language) if length <= MOST_CHARACTERS else []
        uncoloured = "" if styles or not length else "without colours: too long, or in its lines"
        return PlainForm(styles, uncoloured)
    outline = database.facts(entry_id).outline
    return TextForm(
        outline,
        lambda start, end: database.text(entry_id, start, end),
        headed=media_type == _RECORDS,
    )
