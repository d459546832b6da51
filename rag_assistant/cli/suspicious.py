"""`rag-assistant databases suspicious` and `allow`: what is hidden from the model, and why."""

from argparse import Namespace
from typing import Any

from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import print_json, print_prose, say
from rag_assistant.errors import RagError
from rag_assistant.library.library import Library
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.documents import Location
from rag_assistant.values.suspicions import SuspicionCounts, SuspicionRow


def list_suspicious(library: Library, options: Namespace) -> int:
    """List each place with its reason; models read those that are allowed, and no others."""
    rows = library.database(options.name).suspicions(options.entry)
    if options.json:
        print_json({"database": options.name, "suspicious": [_row_json(row) for row in rows]})
        return Exit.DONE
    for row in rows:
        one = row.suspicion
        place = describe(_location(row)) if one.place == "text" else one.place
        at = f"at {one.start}" if one.place == "text" else ""
        state = "allowed" if one.allowed else "hidden from the model"
        head = [f"[{options.name} {row.entry_id}]", clean_line(row.path), clean_line(place), at]
        print_prose("  ".join(filter(None, head)))
        print_prose(f"   {state}: {clean_line(one.reason)}")
        if row.text:
            print_prose(f"   | {clean_line(row.text)[:200]}")
    if not rows:
        what = "is hidden from readers or reads like instructions to a model"
        say(f"Nothing in {options.name} {what}.")
    elif not all(row.suspicion.allowed for row in rows):
        say(
            "What is hidden from the model still shows in search, get and the interface. To let "
            f"models read it: rag-assistant databases allow {options.name} --entry ID"
        )
    return Exit.DONE


def allow_suspicious(library: Library, options: Namespace) -> int:
    """Let models read an entry, a place in it, or all of a database; or take that back."""
    if options.at is not None and options.entry is None:
        raise RagError("--at needs an entry.", hint="Give its id: --entry ID.")
    allowed = not options.withdraw
    library.allow(options.name, options.entry, start=options.at, allowed=allowed)
    counted = library.database(options.name).suspicion_counts()
    if options.json:
        print_json({"database": options.name, "suspicions": counts_json(counted)})
        return Exit.DONE
    what = options.name if options.entry is None else f"entry {options.entry} of {options.name}"
    place = "" if options.at is None else f" at {options.at}"
    done = "may read what is suspicious in" if allowed else "no longer read what is suspicious in"
    print_prose(f"models {done} {what}{place}: {counts_line(counted)}")
    return Exit.DONE


def counts_line(counted: SuspicionCounts) -> str:
    """Say in words how much is suspicious."""
    if not counted.places:
        return "none"
    allowed = f", {counted.allowed} of them allowed" if counted.allowed else ""
    entries = "entry" if counted.entries == 1 else "entries"
    reading = counted.places - counted.unseen
    kinds = [f"{reading} read like instructions to a model"] if reading else []
    kinds += [f"{counted.unseen} that no reader sees"] if counted.unseen else []
    return f"{counted.places} in {counted.entries} {entries} ({', '.join(kinds)}){allowed}"


def hidden_line(share: float) -> str:
    """Say how much of a database's text models may not read; empty for nothing."""
    return f"{100 * share:.2g} % of the text is hidden from models" if share else ""


def counts_json(counted: SuspicionCounts) -> dict[str, int]:
    """Give how much is suspicious."""
    return {
        "places": counted.places,
        "entries": counted.entries,
        "allowed": counted.allowed,
        "unseen": counted.unseen,
    }


def _location(row: SuspicionRow) -> Location:
    return Location(row.suspicion.start, row.suspicion.end, page=row.page, line=row.line)


def _row_json(row: SuspicionRow) -> dict[str, Any]:
    one = row.suspicion
    return {
        "id": row.entry_id,
        "title": row.title,
        "path": row.path,
        "place": one.place,
        "kind": one.kind,
        "start": one.start,
        "end": one.end,
        "page": row.page,
        "line": row.line,
        "reason": one.reason,
        "allowed": one.allowed,
        "text": row.text,
    }
