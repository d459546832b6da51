"""`rag-assistant get`: an entry's text, a span of it, passages round a place, or its outline."""

import sys
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import library_of, print_json, print_prose, print_text, say
from rag_assistant.errors import LibraryError, RagError
from rag_assistant.library.database import Database
from rag_assistant.text.fact_words import fact_words
from rag_assistant.values.documents import EntryText, Suspicion
from rag_assistant.values.entry_span import EntrySpan
from rag_assistant.values.json_shapes import entry_facts_json, location_json, text_json


def run_get(options: Namespace) -> int:
    """Print an entry: made safe on a terminal, to the letter into a pipe."""
    library = library_of(options)
    databases = library.databases([options.database] if options.database else None)
    if len(databases) > 1:
        names = ", ".join(database.name for database in databases)
        raise LibraryError("Which database?", hint=f"Give one with -d: {names}.")
    if options.outline:
        return _outline(databases[0], options)
    if options.at is not None:
        return _around(databases[0], options)
    if options.around is not None:
        raise RagError("--around needs a place.", hint="Give one: --at OFFSET.")
    database = databases[0]
    entry = database.entry(options.id)
    text = database.text(options.id, options.start, options.end)
    start = min(options.start, entry.length)
    marked = _marked(database, options.id, (start, start + len(text)))
    if options.json:
        shape = text_json(EntrySpan(database.name, entry, text, start))
        print_json({**shape, "suspicions": [asdict(one) for one in marked]})
    else:
        _tell(marked)
        _print(text)
    return Exit.DONE


def _around(database: Database, options: Namespace) -> int:
    """Print the passage at a character with its neighbours; their place goes to standard error."""
    if options.start or options.end is not None:
        raise RagError(
            "--at does not go with --start and --end.", hint="Give the one or the other."
        )
    found = database.read_around(options.id, options.at, options.around or 0)
    text = "".join(passage.text for passage in found.passages)
    marked = _marked(database, options.id, _span(found))
    if options.json:
        shape = _around_json(database.name, found, text, options.at)
        print_json({**shape, "suspicions": [asdict(one) for one in marked]})
        return Exit.DONE
    _tell(marked)
    if found.passages:
        first, last = found.passages[0].location, found.passages[-1].location
        place = f"characters {first.start} to {last.end} of {found.entry.length}"
        say(" · ".join(filter(None, [found.entry.title, place, describe(first)])))
    _print(text)
    return Exit.DONE


def _outline(database: Database, options: Namespace) -> int:
    """Print where the parts of an entry begin, or the ids of the mails of its thread.

    What is known of it goes to standard error.
    """
    if options.start or options.end is not None or options.at is not None:
        raise RagError("--outline is of the whole entry.", hint="Leave out the places.")
    entry, facts = database.entry(options.id), database.facts(options.id)
    thread = database.thread(options.id)
    if options.json:
        named = {"id": entry.id, "title": entry.title, "path": entry.path, "length": entry.length}
        told = {"facts": entry_facts_json(facts), "thread": [asdict(mail) for mail in thread]}
        print_json({"database": database.name, **named, **told})
        return Exit.DONE
    say(" · ".join([entry.title, *fact_words(facts)]))
    if not facts.outline and not thread:
        say("It has no parts that are named.")
    top = min((one.level for one in facts.outline), default=1)
    for one in facts.outline:
        page = "" if one.page is None or one.kind == "page" else f"  p. {one.page}"
        print_text(f"{one.start:>9}  {'  ' * (one.level - top)}{one.label}{page}")
    for mail in thread:
        here = "*" if mail.entry_id == entry.id else " "
        print_text(f"{mail.entry_id:>9}{here} {mail.sent[:16]}  {mail.author}: {mail.title}")
    return Exit.DONE


def _span(found: EntryText) -> tuple[int, int]:
    places = [passage.location for passage in found.passages]
    return (places[0].start, places[-1].end) if places else (0, 0)


def _marked(database: Database, entry_id: int, span: tuple[int, int]) -> list[Suspicion]:
    """Give what is suspicious in a span of an entry, and in its names."""
    found = [row.suspicion for row in database.suspicions(entry_id)]
    start, end = span
    return [one for one in found if one.place != "text" or (one.start < end and one.end > start)]


def _tell(marked: Sequence[Suspicion]) -> None:
    for one in marked:
        state = "models may read it" if one.allowed else "hidden from the model"
        place = f"characters {one.start} to {one.end}" if one.place == "text" else one.place
        say(f"! {place}, {state}: {one.reason}")


def _around_json(database: str, found: EntryText, text: str, at: int) -> dict[str, Any]:
    start = found.passages[0].location.start if found.passages else 0
    return {
        **text_json(EntrySpan(database, found.entry, text, start)),
        "at": at,
        "passages": [
            {
                "location": location_json(passage.location),
                "holds_at": passage.location.start <= at < passage.location.end,
                "text": passage.text,
            }
            for passage in found.passages
        ],
        "passages_left_out": found.omitted,
    }


def _print(text: str) -> None:
    if sys.stdout.isatty():
        print_prose(text, hang=0)
    else:
        sys.stdout.write(text)
