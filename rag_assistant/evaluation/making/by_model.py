"""Questions worded by a model from the passages that were chosen without one.

A reply is used only where its answer stands in the passage and its question copies no long run of
it; otherwise the question that was made without the model stays.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from rag_assistant.assistant import Assistant
from rag_assistant.claims.quotes import QuoteFinder
from rag_assistant.config import EXTRACTIVE
from rag_assistant.egress.provenance import Provenance, carrying
from rag_assistant.errors import BadReply, EgressError, ModelError
from rag_assistant.evaluation.making.choosing import MakingProgress, OnProgress
from rag_assistant.evaluation.making.drafts import GENERATED, QuestionDraft
from rag_assistant.evaluation.making.source import SelectedDraft, SourceDatabase
from rag_assistant.evaluation.making.wording import has_no_operators, longest_run
from rag_assistant.injection.naming import prompt_heading, prompt_title
from rag_assistant.library.passage_facts import Fact
from rag_assistant.models.protocol import Model, whole_reply
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.text.likeness import lower_words
from rag_assistant.text.sentences import sentences_of
from rag_assistant.tools.json_replies import read_object
from rag_assistant.values.documents import EntryText, Passage
from rag_assistant.values.messages import (
    AssistantMessage,
    Message,
    Request,
    SystemMessage,
    UserMessage,
)

TRIES = 2
"""How often a model is asked for one question."""

AT_ONCE = 4
LONGEST_COPY = 5
"""Words in a row that a question may have as the passage has them."""

_LONGEST_QUESTION, _LONGEST_ANSWER = 300, 200
_SCHEMA: dict[str, Any] = {
    "type": "object",
    "properties": {
        "question": {"type": "string", "minLength": 8, "maxLength": _LONGEST_QUESTION},
        "answer": {"type": "string", "minLength": 1, "maxLength": _LONGEST_ANSWER},
    },
    "required": ["question", "answer"],
    "additionalProperties": False,
}


@dataclass(frozen=True, slots=True)
class _Worded:
    """What a model made of a passage: a question, its answer, and where that stands in it."""

    question: str
    answer: str
    start: int


async def worded_by_model(
    assistant: Assistant,
    name: str,
    source: SourceDatabase,
    chosen: Sequence[SelectedDraft],
    on_progress: OnProgress,
) -> tuple[list[SelectedDraft], tuple[str, ...]]:
    """Let a model word the chosen questions; give them with a note for those it did not.

    Raises ModelError for a model that is not there, EgressError where the text may not go to it.
    """
    if name == EXTRACTIVE:
        raise ModelError("The built-in model words no questions.", hint="Leave out --model.")
    work = _Work(
        assistant.models.model(name), source, Provenance("questions", (source.database.name,))
    )
    slots, done = asyncio.Semaphore(AT_ONCE), 0

    async def one(before: SelectedDraft) -> SelectedDraft:
        nonlocal done
        async with slots:
            after = await work.reworded(before)
        done += 1
        on_progress(MakingProgress(done, len(chosen)))
        return after

    worded = await asyncio.gather(*(one(before) for before in chosen))
    return list(worded), work.notes(sum(a is b for a, b in zip(worded, chosen, strict=True)))


class _Work:
    """One model at work on the questions of one database."""

    def __init__(self, model: Model, source: SourceDatabase, provenance: Provenance) -> None:
        self._model = model
        self._source = source
        self._provenance = provenance
        self._failed: ModelError | None = None
        self._last = ""

    async def reworded(self, before: SelectedDraft) -> SelectedDraft:
        """Give a question in the model's words, or as it was where that cannot be. Raises
        EgressError."""
        if self._failed or len(before.draft.facts) > 1 or not (before.relevant or before.without):
            return before
        passage, title = await asyncio.to_thread(self._passage, before.draft.facts[0])
        if passage is None:
            return before
        entry = before.draft.facts[0].entry_id
        try:
            with carrying(self._provenance.of("questions", [(self._source.database.name, entry)])):
                worded = await self._ask(passage, title)
        except EgressError:
            raise
        except ModelError as error:
            self._failed = error
            return before
        except BadReply as error:
            self._last = error.message
            return before
        return await asyncio.to_thread(self._placed, before, passage, worded) or before

    def notes(self, left: int) -> tuple[str, ...]:
        """Say how many questions the model did not word, and why; and what was masked."""
        said: list[str] = []
        if left:
            why = str(self._failed) if self._failed else self._last or "they pointed nowhere"
            plural = "question is" if left == 1 else "questions are"
            said.append(f"{left} {plural} not worded by {self._model.name}: {why}".rstrip("."))
        if masked := self._provenance.log.note():
            said.append(masked.rstrip("."))
        return tuple(said)

    def _passage(self, fact: Fact) -> tuple[Passage | None, str]:
        """Read the passage of a fact as models may, with what stands above it."""
        database = self._source.database
        found = database.passages_at([(fact.entry_id, fact.place)])[0]
        if found is None:
            return None, ""
        entry = self._source.entries[fact.entry_id]
        read = database.for_prompt([EntryText(entry, (found,))])[0]
        whole = read.passages[0] if len(read.passages) == 1 and not read.hidden else None
        above = prompt_heading(found.location.heading) or prompt_title(entry.title, entry.path)
        return whole, above

    async def _ask(self, passage: Passage, title: str) -> _Worded:
        boundary = new_boundary()
        fenced = fence("passage", passage.text, boundary=boundary, attributes={"title": title})
        messages: tuple[Message, ...] = (
            SystemMessage(load_prompt("make_question")),
            UserMessage(fenced),
        )
        problem = BadReply("it was not asked.")
        for _ in range(TRIES):
            reply = await whole_reply(self._model, Request(messages, reply_schema=_SCHEMA))
            try:
                return self._checked(reply.message.text, passage)
            except BadReply as error:
                problem = error
                again = load_prompt("make_question_retry", reason=error.message)
                messages = (
                    *messages,
                    AssistantMessage(reply.message.text),
                    UserMessage(again),
                )
        raise problem

    def _checked(self, written: str, passage: Passage) -> _Worded:
        """Read a reply. Raises BadReply, worded for the model."""
        read = read_object(written, _SCHEMA)
        restored = self._provenance.log.masker.restored
        question = " ".join(restored(read["question"], passage.text).split())
        answer = " ".join(restored(read["answer"], passage.text).split())
        found = QuoteFinder([passage]).find(answer) if answer else None
        if found is None:
            raise BadReply("the answer does not stand in the passage word for word.")
        if not has_no_operators(question):
            raise BadReply("the question holds signs of a query language: quotes, -word, word*.")
        if len(question.split()) < 3:
            raise BadReply("the question is too short.")
        if longest_run(question, passage.text) > LONGEST_COPY:
            raise BadReply(f"the question copies more than {LONGEST_COPY} words in a row.")
        if f" {' '.join(lower_words(answer))} " in f" {' '.join(lower_words(question))} ":
            raise BadReply("the answer stands in the question.")
        return _Worded(question, answer, found.location.start - passage.location.start)

    def _placed(
        self, before: SelectedDraft, passage: Passage, worded: _Worded
    ) -> SelectedDraft | None:
        """Say anew where the answer stands, and which documents hold it. It blocks."""
        start, end = next(
            span for span in sentences_of(passage.text) if span[0] <= worded.start < span[1]
        )
        entry, text = before.draft.facts[0].entry_id, passage.text[start:end]
        quote = " ".join(text.split())
        holders = self._source.pointing.holders(entry, quote)
        if not holders:
            self._last = "the sentence of its answer stands in several documents"
            return None
        place = passage.location.start + start
        fact = Fact(entry, quote, quote, before.draft.facts[0].heading, place)
        by, kind = f"{GENERATED}, {self._model.name}", before.draft.kind
        asked = worded.question
        draft = QuestionDraft(asked, (worded.answer,), (fact,), holders, kind, plain=asked, by=by)
        if before.without:
            return self._source.taken_away(draft)
        names = [self._source.names[one] for one in holders]
        return SelectedDraft(draft, tuple(dict.fromkeys(names))) if all(names) else None
