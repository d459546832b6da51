"""Prompts for usual tasks: what a person picks in their client, and what its model is then told."""

from collections.abc import Mapping
from dataclasses import dataclass

from mcp_types import GetPromptResult, Prompt, PromptArgument, PromptMessage, TextContent

from rag_assistant.errors import ToolFailed

LONGEST = 4_000
"""Characters of an argument at most."""


@dataclass(frozen=True, slots=True)
class _Task:
    """A prompt: `words` has its arguments in braces; those in `optional` may be left out."""

    name: str
    title: str
    description: str
    words: str
    arguments: Mapping[str, str]


_CITE = "Cite each statement by the title and `uri` of its passage, and say what you did not find."

_TASKS = {
    task.name: task
    for task in (
        _Task(
            "answer_from_documents",
            "Answer from my documents",
            "Answers a question from the indexed documents alone, with citations.",
            "Answer this from my documents alone: {question}\n\nCall `ask` first. Where it refuses "
            f"or is not sure, use `search` with other words, and `read` around what you find. "
            f"{_CITE}",
            {"question": "What you want to know"},
        ),
        _Task(
            "summarise_document",
            "Summarise a document",
            "Summarises one document by its parts.",
            "Summarise the document {document} of my databases. Find it with `list_documents`, "
            f"take its parts from `outline`, and `read` each of them to its end. {_CITE}",
            {"document": "Its title, path or id"},
        ),
        _Task(
            "compare_documents",
            "Compare what documents say",
            "Gathers what all documents say about something, and where they disagree.",
            "What do my documents say about {topic}, and where do they disagree? Use `search` and "
            "`list_documents` to find all of them, the date of each, and `digest` where there are "
            f"many. Put the newest first. {_CITE}",
            {"topic": "What they are to be compared on"},
        ),
        _Task(
            "whats_new",
            "What is new",
            "Lists documents that came or changed since a day, with what is new in them.",
            "What is new in my documents since {since}? Call `list_documents` with the query "
            f"`after:{{since}}` and sort newest, then read what matters. {_CITE}",
            {"since": "A day, as 2026-11-01"},
        ),
    )
}


def prompts() -> list[Prompt]:
    """List all prompts."""
    return [
        Prompt(
            name=task.name,
            title=task.title,
            description=task.description,
            arguments=[
                PromptArgument(name=name, description=words, required=True)
                for name, words in task.arguments.items()
            ],
        )
        for task in _TASKS.values()
    ]


def prompt(name: str, given: Mapping[str, str]) -> GetPromptResult:
    """Give a prompt with its arguments filled in. Raises ToolFailed."""
    task = _TASKS.get(name)
    if task is None:
        known = ", ".join(_TASKS)
        raise ToolFailed(f"There is no prompt {name[:60]!r}.", hint=f"There are: {known}.")
    if missing := [one for one in task.arguments if not given.get(one, "").strip()]:
        raise ToolFailed(f"The prompt {name} needs {', '.join(missing)}.", hint="Give a text.")
    if any(len(given[one]) > LONGEST for one in task.arguments):
        raise ToolFailed(f"An argument has more than {LONGEST:,} characters.", hint="Shorten it.")
    words = task.words
    for one in task.arguments:
        words = words.replace(f"{{{one}}}", given[one])
    message = PromptMessage(role="user", content=TextContent(type="text", text=words))
    return GetPromptResult(description=task.description, messages=[message])
