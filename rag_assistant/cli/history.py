"""`rag-assistant history`: what was asked before, listed, found, shown, exported and deleted."""

import json
import sys
from argparse import Namespace
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path

from rag_assistant.cli.conversations import place_of, say_notes, store_of
from rag_assistant.cli.drawn import MARK, DrawnWords, bold, draw, is_drawn, quiet
from rag_assistant.cli.main import Exit
from rag_assistant.cli.places import describe
from rag_assistant.cli.session import file_finder, library_of, print_json, print_text, say
from rag_assistant.cli.sources import print_sources
from rag_assistant.errors import HistoryError
from rag_assistant.history.export import conversation_json, conversation_markdown, summary_json
from rag_assistant.history.kept import KeptCitation, KeptExchange, Summary
from rag_assistant.history.store import ConversationStore
from rag_assistant.library.library import Library
from rag_assistant.text.safe_text import clean_line
from rag_assistant.values.coverage import coverage_statement

_CHANGES = {"changed": "the entry has changed since", "gone": "the entry is gone"}


def run_history(options: Namespace) -> int:
    """Do one thing with kept conversations; without an action list them."""
    action = options.action or "list"
    if action == "resume":
        from rag_assistant.cli.ask import run_ask

        return run_ask(options)
    store = store_of(options)
    if action == "recheck":
        from rag_assistant.cli.recheck import run_recheck

        return run_recheck(store, options)
    try:
        return {
            "list": _list,
            "search": _search,
            "show": _show,
            "export": _export,
            "rename": _rename,
            "delete": _delete,
        }[action](store, options)
    finally:
        say_notes(store)


def _list(store: ConversationStore, options: Namespace) -> int:
    found = store.conversations(options.limit, options.offset)
    total = store.count()
    if options.json:
        print_json({"conversations": [summary_json(line) for line in found], "total": total})
        return Exit.DONE
    for line in found:
        _draw_line(line)
    if not total:
        say("No conversation is kept yet. Ask something: rag-assistant ask QUESTION")
    elif total > len(found):
        say(f"{len(found)} of {total}; more with --offset and --limit.")
    return Exit.DONE


def _draw_line(summary: Summary) -> None:
    when = datetime.fromisoformat(summary.updated).astimezone().strftime("%Y-%m-%d %H:%M")
    count = f"{summary.exchanges} question{'s' if summary.exchanges > 1 else ''}"
    told = [count, ", ".join(summary.databases), summary.model]
    told += [f"branch of {summary.parent}"] if summary.parent else []
    told += [summary.state] if summary.state != "answered" else []
    number, rest = f"{summary.id:>4}", quiet(f"  ({' · '.join(told)})")
    draw(DrawnWords(number, MARK), quiet(f"  {when}  "), bold(summary.title), rest, hang=6)


def _search(store: ConversationStore, options: Namespace) -> int:
    query = " ".join(options.query)
    found = store.search(query, options.limit, options.offset)
    if options.json:
        rows = [
            {
                "conversation": match.conversation.id,
                "title": match.conversation.title,
                "exchange": match.ordinal,
                "question": match.question,
                "snippet": match.snippet,
            }
            for match in found
        ]
        print_json({"query": query, "found": rows})
        return Exit.DONE
    for match in found:
        place = f"{match.conversation.id}:{match.ordinal}"
        title = quiet(f"  ({match.conversation.title})")
        draw(DrawnWords(f"{place:>6}  ", MARK), bold(match.question), title, hang=8)
        if match.snippet:
            draw(match.snippet, indent=8)
    if not found:
        say("Nothing found. Try other words, or fewer.")
    return Exit.DONE


def _show(store: ConversationStore, options: Namespace) -> int:
    place = place_of(store, options.id)
    kept = store.show(place.conversation)
    if options.json:
        print_json(conversation_json(kept))
        return Exit.DONE
    _draw_line(kept.summary)
    library = library_of(options)
    for exchange in kept.exchanges:
        if place.ordinal in (None, exchange.ordinal):
            print_exchange(store, library, exchange)
    return Exit.DONE


def print_exchange(store: ConversationStore, library: Library, exchange: KeptExchange) -> None:
    """Print a kept question with its answer and sources, and what became of them."""
    draw()
    draw(bold(f"{exchange.ordinal}. {exchange.question}"), hang=3)
    draw()
    if exchange.answer:
        _print_answer(exchange)
    remarked = ((kept.citation, ", ".join(_remarks(store, kept))) for kept in exchange.citations)
    print_sources(remarked, exchange.answer, file_finder(library))
    if exchange.coverage:
        draw()
        draw(quiet(coverage_statement(exchange.coverage)))
    if exchange.state != "answered" or exchange.reason:
        draw(quiet(f"({exchange.state}) {exchange.reason}"))


def _print_answer(exchange: KeptExchange) -> None:
    if not is_drawn():
        print_text(exchange.answer)
        return
    from rag_assistant.cli.drawn_markdown import draw_markdown

    cited = (kept.citation for kept in exchange.citations)
    draw_markdown(exchange.answer, {each.marker: each.item.state for each in cited})


def _remarks(store: ConversationStore, kept: KeptCitation) -> Iterator[str]:
    """Say what became of a cited entry, and what the person holds of the citation."""
    if change := store.change_since(kept):
        yield _CHANGES[change]
    if kept.wrong:
        yield "marked wrong"


def _export(store: ConversationStore, options: Namespace) -> int:
    kept = store.show(place_of(store, options.id).conversation)
    if options.format == "json":
        # ASCII alone, so that nothing in it can steer a terminal, and every character is kept.
        text = json.dumps(conversation_json(kept), indent=2) + "\n"
    else:
        text = conversation_markdown(kept, describe)
    if not options.output:
        sys.stdout.write(text)
        return Exit.DONE
    try:
        Path(options.output).write_text(text, encoding="utf-8")
    except OSError as error:
        raise HistoryError(
            f"{options.output} cannot be written: {error.strerror or error}.",
            hint="Choose another file: -o FILE.",
        ) from error
    say(f"Conversation {kept.summary.id} is in {options.output}.")
    return Exit.DONE


def _rename(store: ConversationStore, options: Namespace) -> int:
    conversation = place_of(store, options.id).conversation
    store.rename(conversation, " ".join(options.title))
    title = store.show(conversation).summary.title
    if options.json:
        print_json({"renamed": conversation, "title": title})
    else:
        print_text(clean_line(f"{conversation} is now {title}"))
    return Exit.DONE


def _delete(store: ConversationStore, options: Namespace) -> int:
    if options.all == bool(options.ids):
        say("rag-assistant history delete: name conversations, or give --all")
        return Exit.USAGE
    if options.all:
        if not options.yes and not _agreed(store.count()):
            say("Nothing was deleted.")
            return Exit.FAILED
        return _tell_deleted(options, store.delete_all())
    places = [place_of(store, written) for written in options.ids]
    for place in places:
        if place.ordinal:
            raise HistoryError(
                "Single questions cannot be deleted.",
                hint=f"Delete conversation {place.conversation} as a whole.",
            )
    for conversation in dict.fromkeys(place.conversation for place in places):
        store.delete(conversation)
    return _tell_deleted(options, len(places))


def _agreed(count: int) -> bool:
    """Ask the person. Raises HistoryError where there is nobody to ask."""
    if not sys.stdin.isatty():
        raise HistoryError(
            f"This deletes all {count} conversations.", hint="Say that you mean it: --yes."
        )
    sys.stderr.write(f"Delete all {count} conversations? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _tell_deleted(options: Namespace, count: int) -> int:
    if options.json:
        print_json({"deleted": count})
    else:
        print_text(f"{count} conversation{'s' if count != 1 else ''} deleted")
    return Exit.DONE
