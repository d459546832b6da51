"""The form that a document is rendered in, by what it is: made in threads, and kept a while."""

from functools import lru_cache

from rag_assistant.library.database import Database
from rag_assistant.tui.rendering.code_styles import MOST_CHARACTERS, language_at, styles_of
from rag_assistant.tui.rendering.forms import Form, MarkdownForm, PlainForm
from rag_assistant.tui.rendering.text_form import TextForm
from rag_assistant.values.documents import Entry

KEPT = 8
"""Documents whose form is kept: going from one citation to the next mostly stays in a few."""

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
        return MarkdownForm(database.text(entry_id))
    if media_type == "text/plain":
        language = language_at(path)
        if not language or length > MOST_CHARACTERS:
            return PlainForm()
        return PlainForm(styles_of(database.text(entry_id), language))
    outline = database.facts(entry_id).outline
    return TextForm(
        outline,
        lambda start, end: database.text(entry_id, start, end),
        headed=media_type == _RECORDS,
    )
