"""Full-text search over kept questions, answers and titles. Any text is legal.

What holds all words comes first; only where nothing does, what holds some of them is found.
"""

import unicodedata
from collections.abc import Iterator
from sqlite3 import Connection

from rag_assistant.history.kept import FoundExchange
from rag_assistant.history.reading import read_summary
from rag_assistant.search.phrases import exactly
from rag_assistant.search.query_language import Parsed, parse
from rag_assistant.store.sqlite.match import all_of
from rag_assistant.text.terms import STOP_WORDS, words_in

LONGEST_TEXT = 10_000
"""Characters of a text that are read as a query."""

_SEARCH = """
    WITH
    answers AS MATERIALIZED (
        SELECT rowid AS exchange, bm25(exchanges_fts, 2.0, 1.0, 1.0) AS score,
            snippet(exchanges_fts, 1, '', '', '…', 24) AS snippet
        FROM exchanges_fts WHERE exchanges_fts MATCH :match
    ),
    titles AS MATERIALIZED (
        SELECT exchanges.id AS exchange, bm25(conversations_fts) AS score,
            substr(answer, 1, 160) AS snippet
        FROM conversations_fts JOIN exchanges ON conversation = conversations_fts.rowid
        WHERE conversations_fts MATCH :match AND ordinal = 1 AND :titles
    )
    SELECT conversation, ordinal, question, snippet, min(score)
    FROM (SELECT * FROM answers UNION ALL SELECT * FROM titles)
    JOIN exchanges ON exchanges.id = exchange
    JOIN conversations ON conversations.id = conversation
    GROUP BY exchange ORDER BY min(score), exchange DESC LIMIT :limit OFFSET :offset
"""


def search(connection: Connection, text: str, limit: int, offset: int) -> list[FoundExchange]:
    """Find exchanges, the best first."""
    readable = text[:LONGEST_TEXT].encode("utf-8", "replace").decode()
    parsed = parse(unicodedata.normalize("NFC", readable))
    # A title without an excluded word says nothing of the answer below it.
    paged = {"titles": not parsed.excluded, "limit": limit, "offset": offset}
    for match in _expressions(parsed):
        values = {"match": match, **paged}
        rows = connection.execute(_SEARCH, values).fetchall()
        if rows or offset:
            return [
                FoundExchange(read_summary(connection, conversation), ordinal, question, snippet)
                for conversation, ordinal, question, snippet, _ in rows
            ]
    return []


def _expressions(parsed: Parsed) -> Iterator[str]:
    """Give expressions of FTS5 for a text, the strictest first; none where it holds no word."""
    # Filters are of documents; here they are words like any other.
    words = words_in(" ".join([parsed.plain, *(wanted.value for wanted in parsed.filters)]))
    telling = [word for word in words if word.lower() not in STOP_WORDS] or words
    plain = [all_of(exactly(word)) for word in dict.fromkeys(telling)]
    plain += [f'"{prefix}" *' for prefix in map(" ".join, map(words_in, parsed.prefixes))]
    demanded = [all_of(exactly(phrase)) for phrase in parsed.phrases]
    excluded = "".join(f" NOT {all_of(exactly(phrase))}" for phrase in parsed.excluded)
    if plain or demanded:
        yield f"({' AND '.join([*demanded, *plain])}){excluded}"
    if len(plain) > 1 or (plain and demanded):
        # What is demanded again, so that all the other words may be missing.
        some = f"({' OR '.join([*demanded[:1], *plain])})"
        yield f"({' AND '.join([*demanded, some])}){excluded}"
