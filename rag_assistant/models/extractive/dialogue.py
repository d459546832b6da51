"""The extractive model as the main model: what to say next, from the messages and tools alone.

It searches the databases it is given and answers with the sentences that bear on the question, of
the passages that a search shows; or, where it has a tool that reads, of what a helper made of the
best entries. Where there are none it says that the documents do not hold the answer.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, NamedTuple

from rag_assistant.models.extractive.candidates import QuotableText
from rag_assistant.models.extractive.choosing import MOST_QUOTES, choose
from rag_assistant.models.extractive.folder_questions import folder_step
from rag_assistant.models.extractive.likeness import Likeness, no_likeness
from rag_assistant.models.extractive.run_so_far import json_of, since_question
from rag_assistant.models.extractive.short_answer import standing_out
from rag_assistant.text.about_databases import is_about_databases
from rag_assistant.values.messages import (
    AssistantMessage,
    Request,
    ToolCall,
    ToolMessage,
)
from rag_assistant.values.voice import ALSO

ENTRIES_READ = 5
"""Hits of each search that are read."""

SEARCH_ALL = "search_databases"
"""The tool that ranks what all databases hold as one."""

NOTHING = "The documents do not hold the answer: no entry shares a telling word with the question."
"""What is said where there is nothing to quote."""

_DATABASES = "These databases can be asked: {}. What they hold: rag-assistant databases."

SURE = 0.5
"""Likelihood of a sentence, if any answers, from which a value of it stands before all."""

_CELLS = re.compile(r"\|.*\|$")
_ROW = re.compile(r"[|*+-]|\d+[.)] ")
_SEARCH = re.compile(r"search_(\w+)_database")
_QUERY = re.compile(r"query_(\w+)_database")
_READ = re.compile(r"query_\w+")
_OTHER = re.compile(r"(?!search_)\w+")
_ANY = re.compile(r"\w+")


class Turn(NamedTuple):
    """What the model says next, and the signals of how well it answers; see `Reply`."""

    message: AssistantMessage
    signals: Mapping[str, float] = MappingProxyType({})


def next_message(request: Request) -> AssistantMessage:
    """Decide the next step of the run."""
    return next_turn(request).message


def next_turn(request: Request, likeness: Likeness = no_likeness) -> Turn:
    """Decide the next step of the run, and say how well it answers where it does."""
    message, request = folder_step(request)  # what is asked of the whole folder is looked up in it
    return Turn(message) if message else _from_passages(request, likeness)


def _from_passages(request: Request, likeness: Likeness) -> Turn:
    """Decide the next step of a run for a question that passages answer."""
    question, since = since_question(request.messages)
    results = [message for message in since if isinstance(message, ToolMessage)]
    tools = [spec.name for spec in request.tools]
    # What another model read by tools that this one has not is evidence of the same form.
    readings = _readings(results, _READ) or _readings(results, _OTHER)
    if any("found_before" in one for one in readings):  # what a search had shown already
        readings = _readings(results, _ANY)
    if readings:
        return _answer(question, readings, likeness)
    names = [match[1] for tool in tools if (match := _SEARCH.fullmatch(tool))]
    if names and not results and is_about_databases(question, names):
        return Turn(AssistantMessage(_DATABASES.format(", ".join(names))))
    if calls := _searches(question, tools) if not results else _reads(question, tools, results):
        return Turn(AssistantMessage("", calls))
    if shown := _readings(results, _ANY):
        return _answer(question, shown, likeness)
    found = _searched(results).values()
    return Turn(AssistantMessage(_failed(results) or _unread(found) or _nothing(results)))


def _searches(question: str, tools: Sequence[str]) -> tuple[ToolCall, ...]:
    """Search all databases as one, or each."""
    if SEARCH_ALL in tools:
        return (_call(SEARCH_ALL, {"keyword": question}, 1),)
    return _calls(tools, _SEARCH, {"": {"keyword": question}})


def _reads(
    question: str, tools: Sequence[str], results: Sequence[ToolMessage]
) -> tuple[ToolCall, ...]:
    """Read the best entries of each database, where there is a tool that does."""
    # What could not be read will not be readable a moment later.
    tried = {match[1] for message in results if (match := _QUERY.fullmatch(message.name))}
    wanted = {
        name: {"query": question, "ids": ",".join(str(hit["id"]) for hit in hits[:ENTRIES_READ])}
        for name, found in _searched(results).items()
        if name not in tried and (hits := _found(found))
    }
    return _calls(tools, _QUERY, wanted)


def _searched(results: Sequence[ToolMessage]) -> dict[str, dict[str, Any]]:
    """Give what the search of each database found."""
    return {
        match[1]: found
        for message in results
        if (found := _json(message, _SEARCH)) is not None
        and (match := _SEARCH.fullmatch(message.name))
    }


def _json(message: ToolMessage, name: re.Pattern[str]) -> dict[str, Any] | None:
    """Read the result of a tool called so; None for another tool's or an error's."""
    return json_of(message) if name.fullmatch(message.name) else None


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
            calls.append(_call(tool, given, len(calls) + 1))
    return tuple(calls)


def _call(tool: str, arguments: dict[str, str], number: int) -> ToolCall:
    return ToolCall(f"call_{tool}_{number}", tool, json.dumps(arguments, ensure_ascii=False))


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


def _answer(question: str, readings: Sequence[dict[str, Any]], likeness: Likeness) -> Turn:
    """Write an answer of quoted sentences with their numbers, or say that nothing was found.

    Whether the quotes bear an answer out is not decided here: each model's answer is judged alike.
    """
    condensed = [one for one in readings if one["sources"] and "confidence" in one]
    if condensed:
        best = max(condensed, key=lambda reading: int(reading["confidence"]))
        # The numbers go by how telling the quotes are, which sources by entry do not.
        quotes = sorted(_quotes([best]), key=lambda quote: int(quote["cite"]))[:MOST_QUOTES]
    else:
        quotes = _telling(question, _quotes(readings), likeness)
    if not quotes:
        return Turn(AssistantMessage(NOTHING))
    first, *others = quotes
    sure = first.get("signals", {}).get("chosen", 0.0) >= SURE
    value = standing_out(question, first["sentence"]) if sure else ""
    lines = [f"**{value}** [{first['cite']}]"] if value else []
    lines += [_cited(first), *([ALSO] if others else []), *map(_cited, others)]
    return Turn(AssistantMessage("\n\n".join(lines)), first.get("signals", {}))


def _quotes(readings: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Give all quotes, each with the title of its entry, and what tells that from others."""
    return [
        {**quote, "title": source["title"], "entry": _entry(reading, source)}
        for reading in readings
        for source in reading["sources"]
        for quote in source["quotes"]
    ]


def _entry(reading: Mapping[str, Any], source: Mapping[str, Any]) -> str:
    database = source.get("database", reading.get("database", ""))
    return f"{database}/{source['id']}" if "id" in source else ""


def _telling(
    question: str, passages: Sequence[dict[str, Any]], likeness: Likeness
) -> list[dict[str, Any]]:
    """Give the sentences of whole passages that bear on a question, the most telling first."""
    by_number = {int(passage["cite"]): passage for passage in passages}
    sources = [
        QuotableText(
            number, one["title"], one["quote"], str(one.get("heading") or ""), one["entry"]
        )
        for number, one in by_number.items()
    ]
    return [
        {
            **by_number[one.source],
            "quote": one.text,
            "sentence": one.sentence,
            "head": one.head,
            "signals": {**one.signals, "fits": one.fits} if one.signals else {},
        }
        for one in choose(question, sources, MOST_QUOTES, likeness)
    ]


def _cited(quote: dict[str, Any]) -> str:
    """Write a quote with its source: rows below the heads of their table, text as text."""
    marker, source = f"[{quote['cite']}]", f"— {_name_of(quote)}"
    lines = [line.strip() for line in quote["quote"].splitlines() if line.strip()]
    head = quote.get("head", "")
    if head and all(_CELLS.match(line) for line in lines):
        rows = (f"{line.removesuffix('|').rstrip()} {marker} |" for line in lines)
        return "\n".join((*head.splitlines(), *rows, "", source))
    if len(lines) > 1 and all(_ROW.match(line) for line in lines):
        return "\n".join((*lines, "", f"{marker} {source}"))
    return f"“{' '.join(lines)}” {marker} {source}"


def _name_of(quote: dict[str, Any]) -> str:
    page = f", page {quote['page']}" if "page" in quote else ""
    return f"{quote['title']}{page}"
