"""The extractive model as the main model: what to say next, from the messages and tools alone.

It searches every database it is given, reads the best entries of each, and answers with the
sentences that cover the question, or says that the documents do not hold the answer.
"""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Any

from rag_assistant.models.extractive.folder_questions import folder_step
from rag_assistant.models.extractive.sentences import SourceEntry, rank_quotes
from rag_assistant.text.about_databases import is_about_databases
from rag_assistant.text.terms import terms_of
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    ToolCall,
    ToolMessage,
    UserMessage,
)

ENTRIES_READ = 5
"""Hits of each search that are read."""

MOST_QUOTES = 3
"""Quotes that an answer gives."""

NOTHING = "The documents do not hold the answer: no entry shares a telling word with the question."
"""What is said where there is nothing to quote."""

_DATABASES = "These databases can be asked: {}. What they hold: rag-assistant databases."

_ROW = re.compile(r"[|*+-]|\d+[.)] ")
_SEARCH = re.compile(r"search_(\w+)_database")
_QUERY = re.compile(r"query_(\w+)_database")
_READ = re.compile(r"query_\w+")
_OTHER = re.compile(r"(?!search_)\w+")
_ANY = re.compile(r"\w+")


def next_message(request: Request) -> AssistantMessage:
    """Decide the next step of the run."""
    message, request = folder_step(request)  # what is asked of the whole folder is looked up in it
    return message or _from_passages(request)


def _from_passages(request: Request) -> AssistantMessage:
    """Decide the next step of a run for a question that passages answer."""
    question, results = _since_question(request.messages)
    tools = [spec.name for spec in request.tools]
    # What another model read by tools that this one has not is evidence of the same form.
    readings = _readings(results, _READ) or _readings(results, _OTHER)
    if any("found_before" in one for one in readings):  # what a search had shown already
        readings = _readings(results, _ANY)
    if readings:
        return AssistantMessage(compose_answer(question, readings))
    searches = {
        match[1]: found
        for message in results
        if (found := _json(message, _SEARCH)) is not None
        and (match := _SEARCH.fullmatch(message.name))
    }
    names = [match[1] for tool in tools if (match := _SEARCH.fullmatch(tool))]
    if names and not results and is_about_databases(question, names):
        return AssistantMessage(_DATABASES.format(", ".join(names)))
    if not results and (calls := _calls(tools, _SEARCH, {"": {"keyword": question}})):
        return AssistantMessage("", calls)
    # What could not be read will not be readable a moment later.
    tried = {match[1] for message in results if (match := _QUERY.fullmatch(message.name))}
    wanted = {
        name: {"query": question, "ids": ",".join(str(hit["id"]) for hit in hits[:ENTRIES_READ])}
        for name, found in searches.items()
        if name not in tried and (hits := _found(found))
    }
    calls = _calls(tools, _QUERY, wanted)
    if calls:
        return AssistantMessage("", calls)
    if shown := _readings(results, _ANY):
        return AssistantMessage(compose_answer(question, shown))
    return AssistantMessage(_failed(results) or _unread(searches.values()) or _nothing(results))


def _since_question(messages: Sequence[Message]) -> tuple[str, list[ToolMessage]]:
    """Give the last question and the tool results after it."""
    question = ""
    results: list[ToolMessage] = []
    for message in messages:
        if isinstance(message, UserMessage):
            question, results = message.text, []
        elif isinstance(message, ToolMessage):
            results.append(message)
    return question, results


def _json(message: ToolMessage, name: re.Pattern[str]) -> dict[str, Any] | None:
    """Read the result of a tool called so; None for another tool's or an error's."""
    if not name.fullmatch(message.name):
        return None
    try:
        found = json.loads(message.text)
    except ValueError:
        return None
    return found if isinstance(found, dict) else None


def _readings(results: Sequence[ToolMessage], name: re.Pattern[str]) -> list[dict[str, Any]]:
    """Give the evidence that tools called so gave."""
    given = (_json(message, name) for message in results)
    return [found for found in given if found is not None and "sources" in found]


def _found(search: dict[str, Any]) -> list[dict[str, Any]]:
    """Give the entries that a search found, the best first."""
    return [*search.get("sources", ()), *search.get("more", ())]


def _calls(
    tools: Sequence[str], name: re.Pattern[str], arguments: dict[str, dict[str, str]]
) -> tuple[ToolCall, ...]:
    """Call every tool called so; arguments go by database, under "" for all of them."""
    calls: list[ToolCall] = []
    for tool in tools:
        match = name.fullmatch(tool)
        if not match:
            continue
        given = arguments.get(match[1]) or arguments.get("")
        if given:
            written = json.dumps(given, ensure_ascii=False)
            calls.append(ToolCall(f"call_{tool}_{len(calls) + 1}", tool, written))
    return tuple(calls)


def _unread(searches: Iterable[dict[str, Any]]) -> str:
    """Say which entries were found and could not be read; empty when none was found."""
    hits = [hit for found in searches for hit in _found(found)]
    titles = list(dict.fromkeys(str(hit.get("title", "")) for hit in hits))[:3]
    return f"There was no step left to read what was found: {', '.join(titles)}." if titles else ""


def _failed(results: Sequence[ToolMessage]) -> str:
    """Say what went wrong with searching and reading; empty when nothing did."""
    errors = [message.text for message in results if message.text.startswith("Error")]
    return " ".join(("The documents could not be searched.", *errors)) if errors else ""


def _nothing(results: Sequence[ToolMessage]) -> str:
    if not results:
        return "The documents were not searched: there was nothing to search them with."
    return NOTHING


def compose_answer(question: str, readings: Sequence[dict[str, Any]]) -> str:
    """Write an answer of quoted sentences with their numbers, or say that nothing was found.

    Whether the quotes bear an answer out is not decided here: each model's answer is judged alike.
    """
    condensed = [one for one in readings if one["sources"] and "confidence" in one]
    if condensed:
        best = max(condensed, key=lambda reading: int(reading["confidence"]))
        # The numbers go by how telling the quotes are, which sources by entry do not.
        quotes = sorted(_quotes([best]), key=lambda quote: int(quote["cite"]))
    else:
        quotes = _telling(question, _quotes(readings))
    lines = [
        _cited(quote["quote"], f"[{quote['cite']}] — {_name_of(quote)}")
        for quote in _chosen(quotes)
    ]
    return "\n\n".join(lines) or NOTHING


def _quotes(readings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give all quotes, each with the title of its entry."""
    return [
        {**quote, "title": source["title"]}
        for reading in readings
        for source in reading["sources"]
        for quote in source["quotes"]
    ]


def _telling(question: str, passages: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give the sentences of whole passages that bear on a question, the most telling first."""
    by_number = {int(passage["cite"]): passage for passage in passages}
    sources = [
        SourceEntry(number, str(passage["title"]), str(passage["quote"]))
        for number, passage in by_number.items()
    ]
    picked = rank_quotes(question, sources, MOST_QUOTES)
    return [{**by_number[one.source], "quote": one.text} for one in picked]


def _cited(words: str, source: str) -> str:
    """Write a quote with its source: rows of a table or list below one another, text as text."""
    lines = [line.strip() for line in words.splitlines() if line.strip()]
    if len(lines) > 1 and all(_ROW.match(line) for line in lines):
        return "\n".join((*lines, "", source))
    return f"“{' '.join(lines)}” {source}"


def _chosen(quotes: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Choose the first quotes, leaving out one that says little that another has not said."""
    chosen: list[dict[str, Any]] = []
    for quote in quotes:
        terms = set(terms_of(quote["quote"]))
        repeats = any(
            len(terms & set(terms_of(other["quote"]))) > 0.8 * len(terms) for other in chosen
        )
        if not repeats:
            chosen.append(quote)
        if len(chosen) == MOST_QUOTES:
            break
    return chosen


def _name_of(quote: dict[str, Any]) -> str:
    page = f", page {quote['page']}" if "page" in quote else ""
    return f"{quote['title']}{page}"
