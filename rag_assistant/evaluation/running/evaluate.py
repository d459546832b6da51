"""The evaluation of a question set, from its file to the report; what a front end calls."""

import asyncio
import shlex
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from rag_assistant.assistant import Assistant
from rag_assistant.errors import LibraryError, QuestionSetError
from rag_assistant.evaluation.measuring.measured import report_of
from rag_assistant.evaluation.measuring.report import Report
from rag_assistant.evaluation.questions.addressing import (
    addressed,
    own_databases,
    unknown_documents,
    wanted_by,
)
from rag_assistant.evaluation.questions.collections import indexed_collection
from rag_assistant.evaluation.questions.found_as_documents import found_as_documents
from rag_assistant.evaluation.questions.gathering import BadLines
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.values import Question, QuestionSet
from rag_assistant.evaluation.running import circumstances
from rag_assistant.evaluation.running.answering import answered
from rag_assistant.evaluation.running.budget import EvaluationBudget
from rag_assistant.evaluation.running.judging import cleared_judge
from rag_assistant.evaluation.running.preconditions import cleared_models
from rag_assistant.evaluation.running.retrieving import retrieved
from rag_assistant.evaluation.running.running import Tell, silently, take_all
from rag_assistant.evaluation.running.searching import searched
from rag_assistant.evaluation.running.wishes import (
    ALL_OF_IT,
    NO_LIMITS,
    EvaluationOptions,
    check_wishes,
    settings_of,
    stages_of,
    with_config,
)
from rag_assistant.evaluation.runs.header import Header, Settings
from rag_assistant.evaluation.runs.outcomes import Outcome, QuestionCost, SearchOutcome, Stage
from rag_assistant.evaluation.runs.store import OpenRun, RunStore
from rag_assistant.evaluation.runs.trec_runs import TrecRun, read_run, unmatched
from rag_assistant.tools.permission import Decision, PermissionRequest, Permit, deny

Remark = Callable[[str], None]


class Evaluation:
    """Puts question sets to an assistant, keeps the runs, and measures them.

    `tell` hears how far a run is, `remark` what a person must know on the way, a line at a time;
    both are called in the event loop. `permit` is asked before text leaves this machine.
    """

    def __init__(
        self,
        assistant: Assistant,
        *,
        tell: Tell = silently,
        remark: Remark = lambda _: None,
        permit: Permit = deny,
    ) -> None:
        self.store = RunStore(assistant.library.home)
        self._assistant = assistant
        self._tell = tell
        self._remark = remark
        self._permit = asked_once(permit)

    async def run(self, path: Path, wishes: EvaluationOptions = ALL_OF_IT) -> Report:
        """Ask the questions of a file or folder, and measure.

        A question goes to the databases of the wishes; when they name none to its own; else to the
        one that the question set is named after. Raises QuestionSetError, LibraryError, ModelError.
        """
        check_wishes(wishes)
        found = await asyncio.to_thread(
            read_questions, path, qrels=wishes.qrels, split=wishes.split
        )
        ranking = await asyncio.to_thread(read_run, wishes.ranking) if wishes.ranking else None
        if ranking is None:
            await self._index(path, wishes)
        header, questions = await asyncio.to_thread(self._header, path, found, wishes)
        header = (
            await self._cleared(header, wishes.budget)
            if ranking is None
            else _of_ranking(header, ranking, questions)
        )
        run = await asyncio.to_thread(self._opened, header, questions, wishes)
        return await self._take(run, wishes.budget, ranking)

    async def resume(self, number: int, budget: EvaluationBudget = NO_LIMITS) -> Report:
        """Go on with a run that was broken off; its questions are those that were kept of it.

        Raises QuestionSetError where there is no such run, it is done, or the indexes are others.
        """
        header = await asyncio.to_thread(self.store.header, number)
        if header.ended is not None:
            raise QuestionSetError(
                f"Run {number} is done.", hint=f"Show it: `rag-assistant eval report {number}`."
            )
        run = await asyncio.to_thread(self.store.resume, number)
        try:
            await asyncio.to_thread(self._check_same, run)
            run.gone_on(await self._cleared(run.header, budget))
        except BaseException:
            run.close()
            raise
        return await self._take(run, budget)

    async def _cleared(self, header: Header, budget: EvaluationBudget) -> Header:
        """Settle before the first question what may be asked of whom."""
        settings, names = header.settings, [stamp.database for stamp in header.indexes]
        notes = await cleared_models(self._assistant, settings, names, budget, self._permit)
        if settings.judge:
            notes += await cleared_judge(self._assistant, settings.judge, names, self._permit)
        return replace(header, notes=tuple(dict.fromkeys((*header.notes, *notes))))

    def _check_same(self, run: OpenRun) -> None:
        """Make sure that the rest of a run is asked as its beginning was."""
        header, config = run.header, self._assistant.config
        settings, now = header.settings, None
        anew = f"Begin anew: rag-assistant eval {shlex.quote(header.set_path)}"
        if settings.ranking:
            now = f"Run {header.number} judges the ranking {settings.ranking}"
        elif circumstances.stamps(self._assistant.library, run.kept.questions) != header.indexes:
            now = f"The databases of run {header.number} have changed since"
        elif with_config(settings, config) != settings:
            now = f"The models of run {header.number} are not those of the settings any more"
        if now:
            raise QuestionSetError(f"{now}: its halves would not agree.", hint=anew)

    async def _index(self, path: Path, wishes: EvaluationOptions) -> None:
        """A collection of records that has no database yet gets one."""
        if path.is_dir() and not wishes.databases:
            library = self._assistant.library
            indexed = await asyncio.to_thread(indexed_collection, library, path)
            if indexed is None:
                return
            if (report := indexed.report) and (report.added or report.updated or report.deleted):
                done = f"{path} is indexed as the database {indexed.database}"
                again = f"The database {indexed.database} is brought into step with {path}"
                self._remark(f"{done if indexed.made else again}.")
            for note in indexed.notes:
                self._remark(note)

    def _header(
        self, path: Path, found: QuestionSet, wishes: EvaluationOptions
    ) -> tuple[Header, tuple[Question, ...]]:
        library, config = self._assistant.library, self._assistant.config
        notes: tuple[str, ...] = ()
        if wishes.ranking is None:
            questions = addressed(library, found, wishes.databases, path)
            notes = unknown_documents(library, questions)
            notes += found_as_documents(library, questions, path)
            notes += own_databases(found, wishes.databases)
            indexes = circumstances.stamps(library, questions)
        else:
            questions, indexes = found.questions, ()
        stages, left_out = stages_of(wishes, questions)
        header = Header(
            number=0,
            set_path=str(path.absolute()),
            set_name=path.absolute().name,
            set_digest=circumstances.set_digest(questions),
            questions=len(questions),
            started=time.time(),
            settings=settings_of(wishes, config, stages),
            indexes=indexes,
            versions=circumstances.versions(),
            machine=circumstances.machine(),
            bad_lines=found.bad_lines,
            notes=(*found.notes, *notes, *left_out),
        )
        return header, questions

    def _opened(
        self, header: Header, questions: Sequence[Question], wishes: EvaluationOptions
    ) -> OpenRun:
        anew = wishes.anew or wishes.ranking  # which may have another content by now
        broken_off = None if anew else self.store.unfinished(header)
        if broken_off is None:
            return self.store.begin(header, questions)
        run = self.store.resume(broken_off.number)
        run.gone_on(header)
        done, total = len(run.done()), len(questions) * len(header.settings.stages)
        self._remark(
            f"Run {broken_off.number} was broken off at {done} of {total}, and goes on"
            " (--anew begins another)."
        )
        return run

    async def _take(
        self, run: OpenRun, budget: EvaluationBudget, ranking: TrecRun | None = None
    ) -> Report:
        settings = run.header.settings
        try:

            async def take(stage: Stage, question: Question) -> Outcome:
                if ranking is not None:
                    return _from_ranking(question, ranking)
                return await self._taken(stage, question, settings)

            limit = await take_all(run, take, replace(budget, at_once=settings.at_once), self._tell)
            if limit:
                number = run.header.number
                hint = f"go on: rag-assistant eval resume {number}"
                kept = run.so_far()
                note = f"Not all was asked, because {limit}; {hint}"
                return await asyncio.to_thread(report_of, replace(kept, notes=(*kept.notes, note)))
            notes = (*run.header.notes, *await asyncio.to_thread(self._changed, run.header))
            await asyncio.to_thread(run.finish, time.time(), notes)
            return await asyncio.to_thread(report_of, run.so_far())
        finally:
            run.close()

    def _changed(self, header: Header) -> tuple[str, ...]:
        """Say which databases changed while they were asked: by another process that indexes."""
        changed = []
        for stamp in header.indexes:
            try:
                now = circumstances.stamp(self._assistant.library, stamp.database)
            except LibraryError:  # it was there for each question, and is gone since
                now = None
            if now != stamp:
                changed.append(stamp.database)
        named = ", ".join(changed)
        again = "questions were asked of different states of it; measure again: --anew"
        return (f"Changed while the run was going on: {named}; {again}",) if changed else ()

    async def _taken(self, stage: Stage, question: Question, settings: Settings) -> Outcome:
        library = self._assistant.library
        wanted = await asyncio.to_thread(wanted_by, library, question)
        if stage == "search":
            return await asyncio.to_thread(searched, library, question, wanted, settings.depth)
        if stage == "retrieve":
            return await retrieved(self._assistant, question, wanted, permit=self._permit)
        return await answered(
            self._assistant, question, wanted, judge=settings.judge, permit=self._permit
        )


def asked_once(permit: Permit) -> Permit:
    """Let a person decide once on what many questions ask for, whose words are the same."""
    decided: dict[tuple[str, str, str], Decision] = {}
    deciding = asyncio.Lock()

    async def once(request: PermissionRequest) -> Decision:
        if not request.heading:  # a call of a tool is a decision of its own each time
            return await permit(request)
        key = (request.tool, request.heading, request.explanation)
        async with deciding:
            if key not in decided:
                decided[key] = await permit(request)
        return decided[key]

    return once


def _of_ranking(header: Header, ranking: TrecRun, questions: Sequence[Question]) -> Header:
    """Say in the header of a run what of the ranking that it judges could not be used."""
    bad = BadLines()
    for one in ranking.bad_lines:
        bad.add(one.file, one.line, one.reason)
    return replace(
        header,
        bad_lines=(*header.bad_lines, *bad.all()),
        notes=(*header.notes, *map(_sentence, unmatched(ranking, questions))),
    )


def _sentence(note: str) -> str:
    return note[:1].upper() + note[1:]


def _from_ranking(question: Question, ranking: TrecRun) -> SearchOutcome:
    return SearchOutcome(
        question.id, ranking.rankings.get(question.id, ()), question.relevant, QuestionCost(0.0)
    )
