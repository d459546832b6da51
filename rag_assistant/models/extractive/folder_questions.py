"""Questions about a folder as a whole, answered by the tools that list and count all of it.

The built-in model takes this way where a question reads as one of them and the folder has what it
names; else it searches as for every other question.
"""

import json
import re
from collections.abc import Generator, Sequence
from dataclasses import replace
from datetime import date
from typing import Any

from rag_assistant.models.extractive.folder_answers import MOST_LISTED, folder_answer
from rag_assistant.models.extractive.folder_kinds import (
    DOCUMENTS,
    DocumentKind,
    in_folders,
    in_paths,
)
from rag_assistant.models.extractive.folder_parts import FolderQuestion
from rag_assistant.models.extractive.folder_reading import read_folder_question
from rag_assistant.models.extractive.run_so_far import json_of, since_question
from rag_assistant.text.terms import content_terms
from rag_assistant.values.messages import (
    AssistantMessage,
    JsonObject,
    Message,
    Request,
    SystemMessage,
    ToolCall,
    ToolMessage,
)

_LIST, _GREP = "list_documents", "grep"
_CALL = "folder_"
"""What the ids of these calls begin with."""

_DESCRIPTION = 3
"""Telling words from which a text describes something rather than names it."""

_TODAY = re.compile(r"^Today is \w+, (\d{4}-\d\d-\d\d)\.", re.MULTILINE)
_PLAIN = re.compile(r"[^\W_]+")
_SPELLED = re.compile(r"[\w\s'’.-]+")
"""What the index of words holds; what has other marks is looked up letter by letter."""

Steps = Generator[ToolCall, JsonObject, str | None]
"""Calls, each of which is given its result; in the end the answer, or None for no such question."""


def folder_step(request: Request) -> tuple[AssistantMessage | None, Request]:
    """Give the next message of a question about the whole folder.

    None for every other question: then the request as it is without what was looked up here.
    """
    question, since = since_question(request.messages)
    ours, rest = _parted(since)
    asked = read_folder_question(question, _today(request.messages))
    others = any(isinstance(one, ToolMessage) for one in rest)
    if asked is None or others or not (ours or _is_offered(request)):
        return None, request
    message = _replayed(_steps(asked), ours)
    begun = request.messages[: len(request.messages) - len(since)]
    return message, replace(request, messages=(*begun, *rest))


def _replayed(steps: Steps, results: Sequence[ToolMessage]) -> AssistantMessage | None:
    """Go through the steps again with what was looked up until now, to the next one."""
    try:
        call = next(steps)
        for result in results:
            found = json_of(result)
            if found is None or "documents" not in found:
                return None  # a tool failed: the documents can still be searched
            call = steps.send(found)
    except StopIteration as end:
        return AssistantMessage(end.value) if end.value else None
    return AssistantMessage("", (replace(call, id=f"{_CALL}{len(results) + 1}"),))


def _steps(asked: FolderQuestion) -> Steps:
    if asked.kind.name:
        kind = yield from _kind_here(asked.kind)
        if kind is None:
            return None
        asked = replace(asked, kind=kind)
    result = yield _call(asked)
    if not result["of"]:
        return None  # there is nothing that could be listed
    if not result["documents"] and asked.author:
        # Mail says who wrote it; of other documents many are by people whom they do not name.
        mail = asked.kind.filter if asked.kind.filter == "type:email" else ""
        known = (yield _counted(mail)) if mail else {"documents": 0}
        if not known["documents"]:
            return None
    several = len(content_terms(asked.words)) > 1 and asked.shape != "places"
    if not result["documents"] and asked.together and several and _SPELLED.fullmatch(asked.words):
        asked = replace(asked, together=False)
        result = yield _call(asked)
    if not result["documents"] and len(content_terms(asked.words)) >= _DESCRIPTION:
        return None
    return folder_answer(asked, result)


def _kind_here(kind: DocumentKind) -> Generator[ToolCall, JsonObject, DocumentKind | None]:
    """Find how the folder tells a kind that only names tell: by folders, else by any part of paths.

    None where it has none of it.
    """
    ways = (in_folders(kind),) if kind.loose else (in_folders(kind), in_paths(kind))
    for way in ways:
        if (yield _counted(way.filter))["documents"]:
            return way
    return DocumentKind(DOCUMENTS) if kind.loose else None


def _call(asked: FolderQuestion) -> ToolCall:
    """Make the call that answers a question."""
    filters = _filters(asked)
    if asked.words and (asked.shape == "places" or not _SPELLED.fullmatch(asked.words)):
        return _written(_GREP, _sought(asked.words) | {"query": filters, "limit": MOST_LISTED})
    arguments: dict[str, Any] = {"query": f"{_words(asked)} {filters}".strip()}
    if asked.shape == "groups":
        return _written(_LIST, {**arguments, "count_by": asked.by, "limit": 0})
    limit = MOST_LISTED if asked.shape == "list" else asked.count
    sort = "newest" if asked.shape == "list" else asked.shape
    return _written(_LIST, {**arguments, "sort": sort, "limit": limit})


def _counted(query: str) -> ToolCall:
    return _written(_LIST, {"query": query, "limit": 0})


def _written(tool: str, arguments: JsonObject) -> ToolCall:
    return ToolCall("", tool, json.dumps(arguments, ensure_ascii=False))


def _filters(asked: FolderQuestion) -> str:
    parts = [
        asked.kind.filter,
        f'author:"{asked.author}"' if asked.author else "",
        f"after:{asked.start}" if asked.start else "",
        f"before:{asked.end}" if asked.end else "",
        f"lang:{asked.language}" if asked.language else "",
        f'path:"{asked.folder}/"' if asked.folder else "",
    ]
    return " ".join(filter(None, parts))


def _words(asked: FolderQuestion) -> str:
    """Write words in the query language: one alone counts in any form of its stem."""
    if asked.together and " " in asked.words:
        return f'"{asked.words}"'
    words = asked.words.split()
    return " ".join(word if _PLAIN.fullmatch(word) else f'"{word}"' for word in words)


def _sought(words: str) -> dict[str, Any]:
    """Write what is looked up letter by letter: words whole, and no number within a longer one."""
    if not re.search(r"\w$|^\w", words):
        return {"pattern": words}
    pattern = r"\s+".join(map(re.escape, words.split()))
    before = r"(?<!\w)" if words[0].isalnum() else ""
    after = r"(?![.,]?\d)" if words[-1].isdigit() else r"(?!\w)" if words[-1].isalnum() else ""
    return {"pattern": f"{before}{pattern}{after}", "regex": True}


def _is_offered(request: Request) -> bool:
    return {_LIST, _GREP} <= {spec.name for spec in request.tools}


def _parted(since: Sequence[Message]) -> tuple[list[ToolMessage], list[Message]]:
    """Give what was looked up here, and everything else."""
    ours: list[ToolMessage] = []
    rest: list[Message] = []
    for one in since:
        if isinstance(one, ToolMessage) and one.call_id.startswith(_CALL):
            ours.append(one)
        elif not (isinstance(one, AssistantMessage) and _is_ours(one)):
            rest.append(one)
    return ours, rest


def _is_ours(message: AssistantMessage) -> bool:
    return any(call.id.startswith(_CALL) for call in message.tool_calls)


def _today(messages: Sequence[Message]) -> date:
    """Give the day that the prompt tells; that of the clock where it tells none."""
    prompts = (one.text for one in messages if isinstance(one, SystemMessage))
    told = next((found for text in prompts if (found := _TODAY.search(text))), None)
    return date.fromisoformat(told[1]) if told else date.today()
