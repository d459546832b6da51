"""Making a question set from the documents of one database, without a model or with one.

A question asks for a sentence, a cell of a table or an item of a list in other words; about a fifth
cannot be answered, because they name something else than any document does or the documents that
hold the answer are taken away. The same index and seed give the same questions, as long as no model
words them.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from rag_assistant.assistant import Assistant
from rag_assistant.evaluation.making.by_model import worded_by_model
from rag_assistant.evaluation.making.choosing import MakingProgress, OnProgress, choose
from rag_assistant.evaluation.making.source import SelectedDraft, SourceDatabase
from rag_assistant.evaluation.questions.values import Question


@dataclass(frozen=True, slots=True)
class Wish:
    """How many questions are wanted, by which chance, and which model words them, "" for none."""

    count: int = 50
    seed: int = 0
    model: str = ""


@dataclass(frozen=True, slots=True)
class Made:
    """The questions that were made, and what there is to say of it, one line each."""

    questions: tuple[Question, ...]
    notes: tuple[str, ...] = ()


def _silently(_: MakingProgress) -> None:
    return


async def make_questions(
    assistant: Assistant, database: str, wish: Wish, on_progress: OnProgress = _silently
) -> Made:
    """Make questions about what a database holds; `on_progress` is called from other threads, too.

    Raises LibraryError where there is no such database or nothing in it, ModelError for a model
    that cannot word questions, EgressError where the text may not go to it.
    """
    opened = await asyncio.to_thread(assistant.library.database, database)
    source = await asyncio.to_thread(SourceDatabase.of, opened)
    chosen = await asyncio.to_thread(choose, source, wish.count, wish.seed, on_progress)
    notes = source.notes(chosen, wish.count)
    if wish.model:
        chosen, said = await worded_by_model(assistant, wish.model, source, chosen, on_progress)
        notes = (*notes, *said)
    return Made(as_questions(chosen, database), notes)


def as_questions(chosen: Sequence[SelectedDraft], database: str) -> tuple[Question, ...]:
    """Give chosen drafts as questions of a database, with ids in order."""
    return tuple(_question(one, database, number) for number, one in enumerate(chosen, 1))


def _question(one: SelectedDraft, database: str, number: int) -> Question:
    draft, name = one.draft, f"{database}-{number:03d}"
    if not one.answerable:
        return Question(
            name,
            draft.question,
            answerable=False,
            databases=(database,),
            without=one.without,
            kind="unanswerable",
            generated=draft.by,
        )
    return Question(
        name,
        draft.question,
        relevant=dict.fromkeys(one.relevant, 1),
        quotes=draft.quotes,
        answers=draft.answers,
        databases=(database,),
        kind=draft.kind,
        generated=draft.by,
    )
