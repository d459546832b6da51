"""One question set: what the last run says of each question, and whether it was so before."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import ClassVar

from textual import on, work
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.worker import Worker

from rag_assistant.assistant import Assistant
from rag_assistant.config import EXTRACTIVE
from rag_assistant.errors import RagError
from rag_assistant.evaluation.measuring.verdicts import Verdict
from rag_assistant.evaluation.questions import editing
from rag_assistant.evaluation.questions.reading import read_questions
from rag_assistant.evaluation.questions.values import Question
from rag_assistant.evaluation.running.kept_sets import LastRuns, last_runs
from rag_assistant.evaluation.running.running import RunProgress
from rag_assistant.evaluation.runs.header import Mode
from rag_assistant.evaluation.runs.store import RunStore
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import EMPTY, joined, one_line, plain
from rag_assistant.tui.drawing.signs import QUIET, WARN
from rag_assistant.tui.evaluate.rows import explained, summary, table
from rag_assistant.tui.evaluate.set_editing import write_page
from rag_assistant.tui.library.folder_paths import short
from rag_assistant.tui.lists.browse_screen import BROWSE_KEYS, BrowseScreen
from rag_assistant.tui.lists.pick_list import PickList
from rag_assistant.tui.terminal.outside_viewer import open_outside

WIDE = 100
"""Columns from which the file's name has room beside the figures."""

ALL_WELL = "Nothing went wrong here. w shows all questions."
NOT_RUN = "not run yet: r searches for each question, without a model; a asks them as well"


class QuestionsScreen(BrowseScreen[None]):
    """Runs the set at `path`, and shows what came of it."""

    NAME = "Questions"
    PLACEHOLDER = "type words of a question"
    STARTS_IN_LIST = True
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "See what is found"),
        Binding("r", "search_all", "Search all"),
        Binding("a", "ask_all", "Search and ask all"),
        Binding("p", "page", "Report"),
        Binding("w", "only_wrong", "Only the wrong ones"),
        Binding("e", "edit", "Edit"),
        Binding("n", "add", "Add"),
        Binding("x", "remove", "Remove"),
        *BROWSE_KEYS,
    ]

    class Read(Message):
        """It is known which questions there are, and what earlier runs said of them."""

        def __init__(
            self, runs: LastRuns, questions: tuple[Question, ...], failure: RagError | None
        ) -> None:
            super().__init__()
            self.runs = runs
            self.questions = questions
            self.failure = failure

    def __init__(self, assistant: Assistant, path: Path) -> None:
        super().__init__()
        self._assistant = assistant
        self._path = path
        self._runs = LastRuns()
        self._questions: tuple[Question, ...] = ()
        self._removing = ""
        self._told_how = False
        self._evaluation: Worker[None] | None = None
        self._only_wrong = False
        self._named = False

    @work(thread=True, exclusive=True, exit_on_error=False, group="kept")
    def reload(self) -> None:
        """Read what is kept."""
        runs = last_runs(RunStore(self._assistant.library.home), self._path)
        questions: tuple[Question, ...] = ()
        failure: RagError | None = None
        try:
            questions = read_questions(self._path).questions
        except RagError as error:
            failure = error
        self.post_message(self.Read(runs, questions, failure))

    @on(Read)
    def _show(self, event: Read) -> None:
        self._runs, self._questions = event.runs, event.questions
        self.filter_changed(self.filter_text)
        if event.failure:
            self.complain(event.failure.message, event.failure.hint)
        elif not event.runs.last and not self._told_how:
            self._told_how = True
            self.remark(plain(NOT_RUN, QUIET))

    # The run

    def action_search_all(self) -> None:
        """Search for each question; no model is asked."""
        self._begin("search")

    def action_ask_all(self) -> None:
        """Search for each question, and ask the model each as well; one that may cost is named."""
        model = self._assistant.config.model
        if model == EXTRACTIVE or self._named:
            self._begin("all")
        else:
            self._named = True
            self.remark(one_line(f"every question goes to {model}: press a again to begin", WARN))

    def _begin(self, mode: Mode) -> None:
        if self._evaluation and self._evaluation.is_running:
            self.remark(plain("it is running: Esc stops it", QUIET))
            return
        self._evaluation = self.run_worker(self._run(mode), group="run", exit_on_error=False)

    async def _run(self, mode: Mode) -> None:
        from rag_assistant.evaluation.running.evaluate import Evaluation  # noqa: PLC0415
        from rag_assistant.evaluation.running.wishes import EvaluationOptions  # noqa: PLC0415

        self.remark(plain("reading the questions…", QUIET))
        evaluation = Evaluation(self._assistant, tell=self._progressed, remark=self._remarked)
        try:
            report = await evaluation.run(self._path, EvaluationOptions(mode=mode))
        except RagError as error:
            self.complain(error.message, error.hint)
            return
        self.reload()
        left_out = [
            f"line {bad.line} is left out: {bad.reason}" for bad in report.header.bad_lines[:1]
        ]
        self.remark(one_line(". ".join([*report.notes, *left_out])))

    def _remarked(self, line: str) -> None:
        self.remark(one_line(line, QUIET))

    def _progressed(self, progress: RunProgress) -> None:
        far = f"{progress.doing} {progress.done} of {progress.total}"
        self.remark(plain(f"{far} · Esc stops", QUIET))

    def action_back(self) -> None:
        """Stop the run, or clear the filter, or leave."""
        if self._evaluation and self._evaluation.is_running:
            self._evaluation.cancel()
            self.remark(plain("stopped: what is done is kept, and the next run continues", QUIET))
            return
        super().action_back()

    # What is shown

    def filter_changed(self, text: str) -> None:
        """List the questions that hold what is typed."""
        words = text.casefold().split()
        shown = [
            verdict
            for verdict in self._verdicts
            if all(word in verdict.question.casefold() for word in words)
            and (verdict.wrong or not self._only_wrong)
        ]
        items = table([(verdict, self._before(verdict.id)) for verdict in shown])
        nothing = plain(
            ALL_WELL if self._only_wrong and not words else "No question fits the filter."
        )
        self.listing.show(items, nothing)
        self.head(one_line(self._path.name, QUIET))

    def head(self, told: Content = EMPTY) -> None:
        """Say at the top what the last run found; which file it is, where there is room."""
        title = joined([plain(self.NAME, "bold $text-primary"), plain("  "), summary(self._runs)])
        shown = told if self.size.width >= WIDE else EMPTY
        self.query_one("#browse-head", LaidText).blocks = (Row(title, shown),)

    def on_resize(self) -> None:
        """Fit the line at the top."""
        self.head(one_line(self._path.name, QUIET))

    @property
    def _verdicts(self) -> tuple[Verdict, ...]:
        """Give what the last run says of the questions that there are now."""
        last = {one.id: one for one in self._runs.last.verdicts} if self._runs.last else {}
        if not self._questions:  # a set that cannot be read any more
            return tuple(last.values())
        return tuple(
            last[one.id]
            if one.id in last and last[one.id].question == one.text
            else Verdict(one.id, one.text, one.databases, one.answerable, tuple(one.relevant))
            for one in self._questions
        )

    def _before(self, id: str) -> Verdict | None:
        before = self._runs.before.verdicts if self._runs.before else ()
        return next((verdict for verdict in before if verdict.id == id), None)

    @property
    def _chosen(self) -> Verdict | None:
        return next((each for each in self._verdicts if each.id == self.listing.key), None)

    @on(PickList.Moved)
    def _moved(self) -> None:
        chosen = self._chosen
        if chosen is None:
            self.detail()
            return
        made = any(one.id == chosen.id and one.generated for one in self._questions)
        self.detail(*explained(chosen, self._before(chosen.id), made=made))

    def action_only_wrong(self) -> None:
        """Leave out what is as it should be, or take it in again."""
        self._only_wrong = not self._only_wrong
        self.remark(
            plain("only what went wrong: w shows all", QUIET) if self._only_wrong else EMPTY
        )
        self.filter_changed(self.filter_text)

    # Changing the set

    def action_edit(self) -> None:
        """Give the question at the cursor other words."""
        chosen = self._chosen
        if chosen:
            label = plain("The question in other words", "bold")
            self.edit.open(label, chosen.question, partial(self._reword, chosen.id))

    def _reword(self, id: str, written: str) -> None:
        self._change(lambda: editing.reword(self._path, id, written), "reworded")

    def action_add(self) -> None:
        """Ask for another question, and then for the document that answers it."""
        self.edit.open(plain("A question of your own", "bold"), "", self._ask_document)

    def _ask_document(self, question: str) -> None:
        label = plain("The path of the document that answers it; nothing where none does", "bold")

        def add(document: str) -> None:
            self._change(lambda: editing.add(self._path, question, document), "added")

        self.edit.open(label, "", add)

    def action_remove(self) -> None:
        """Take the question at the cursor out, at the second press."""
        id = self.listing.key
        if self._removing != id:
            self._removing = id
            self.remark(plain("x again removes this question from the set", WARN))
        else:
            self._removing = ""
            self._change(lambda: editing.remove(self._path, id), "removed")

    @work(thread=True, exclusive=True, exit_on_error=False, group="change")
    def _change(self, change: Callable[[], object], said: str) -> None:
        try:
            change()
        except RagError as error:
            self.app.call_from_thread(self.complain, error.message, error.hint)
        else:
            self.app.call_from_thread(self._changed, said)

    def _changed(self, said: str) -> None:
        if self.edit.display:
            self.edit.close()
        self.remark(one_line(f"{said}, saved in {short(self._path)}", QUIET))
        self.reload()

    # The page

    @work(thread=True, exclusive=True, exit_on_error=False, group="page")
    def action_page(self) -> None:
        """Write the report of the last run as a page, and open it."""
        last = self._runs.last
        tell = partial(self.app.call_from_thread, self.remark)
        if last is None:
            tell(plain(NOT_RUN, QUIET))
            return
        try:
            path = write_page(self._assistant.library.home, self._path.stem, last.number)
            program = open_outside(path, None, "text/html", os.environ)
        except RagError as error:
            self.app.call_from_thread(self.complain, error.message, error.hint)
        else:
            tell(one_line(f"opened {short(path)} with {program}", QUIET))

    def choose(self) -> None:
        """Show what the search finds for the question."""
        from rag_assistant.tui.find.screen import FindScreen  # noqa: PLC0415

        chosen = self._chosen
        if chosen:
            self.app.push_screen(FindScreen(self._assistant, chosen.databases, chosen.question))
