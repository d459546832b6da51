"""The line at the top: what is asked, what answers, and what is going on."""

from dataclasses import replace

from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer

from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.models.endpoint import Reached, apparent_host
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Either, Row
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, QUIET, SEPARATOR
from rag_assistant.tui.indexing.bar import indexing_in_short
from rag_assistant.tui.indexing.progress import IndexingProgress
from rag_assistant.tui.main.database_rows import DatabaseRow
from rag_assistant.tui.main.endpoint_watch import Reach

STAYS = "stays on this computer"

FLASH_SECONDS = 4.0
"""How long a passing remark stands."""


class StatusBar(LaidText):
    """Shows the scope on the left, the model on the right, and a remark in between for a while."""

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    remark: reactive[str] = reactive("")
    title: reactive[str] = reactive("")
    counted: reactive[str] = reactive("")
    model: reactive[str] = reactive("")
    config: reactive[Config] = reactive(Config)
    reach: reactive[Reach] = reactive(Reach())
    changed: reactive[int] = reactive(0)

    def __init__(self, config: Config) -> None:
        super().__init__(id="status")
        self.set_reactive(StatusBar.config, config)
        self.set_reactive(StatusBar.model, config.model)
        self._fading: Timer | None = None

    def on_mount(self) -> None:
        """Show what there is."""
        self._draw()

    def watch_rows(self) -> None:
        """Count other entries."""
        self._draw()

    def watch_left_out(self) -> None:
        """Name another scope."""
        self._draw()

    def watch_progress(self) -> None:
        """Say how far indexing is."""
        self._draw()

    def watch_title(self) -> None:
        """Name another conversation."""
        self._draw()

    def watch_counted(self) -> None:
        """Say how many documents are asked."""
        self._draw()

    def watch_model(self) -> None:
        """Name another model, and where it sends passages."""
        self._draw()

    def watch_config(self) -> None:
        """Know other models."""
        self._draw()

    def watch_reach(self) -> None:
        """Say whether the model can be reached."""
        self._draw()

    def watch_changed(self) -> None:
        """Say how many files have changed since they were indexed."""
        self._draw()

    def watch_remark(self) -> None:
        """Say something, and take it back after a while."""
        if self._fading:
            self._fading.stop()
        if self.remark:
            self._fading = self.set_timer(FLASH_SECONDS, self._fade)
        self._draw()

    def _fade(self) -> None:
        self.remark = ""

    def _draw(self) -> None:
        said = self._going_on()
        rows = [Row(one, answers) for one in said or self._asked() for answers in self._answers()]
        self.blocks = (Either(tuple(rows)),)

    def _going_on(self) -> list[Content]:
        """Say what is more urgent than what is asked, if anything is."""
        if self.remark:
            return [one_line(self.remark, "$text-warning")]
        if self.progress:
            return [one_line(indexing_in_short(self.progress[0]), "$text-accent")]
        return [] if self.rows else [plain("no database yet. Open a folder: Ctrl+O", QUIET)]

    def _asked(self) -> list[Content]:
        """Say what is asked, in ways that take less and less room: several go unnamed at last."""
        asked = [row for row in self.rows if row.name not in self.left_out]
        names = one_line(", ".join(row.name for row in asked) or "nothing ticked")
        count = sum(row.entries for row in asked)
        counted = plain(f"{count:,} document{'' if count == 1 else 's'}", QUIET)
        if self.counted:
            counted = plain(self.counted, "$text-accent")
        ways = [[names, counted], [names, counted] if self.counted else [names]]
        if len(asked) > 1:
            ways.append([plain(f"{len(asked)} databases"), counted])
        return [self._with_news(joined(way, SEPARATOR)) for way in ways]

    def _with_news(self, asked: Content) -> Content:
        """Put the title of the conversation before what is asked, and before that what changed."""
        if self.title:
            asked = joined([one_line(self.title, "bold"), plain(" │ ", QUIET), asked])
        if self.changed:
            files = f"{self.changed} file{'' if self.changed == 1 else 's'} changed: F5"
            asked = joined([plain(files, "$text-warning"), SEPARATOR, asked])
        return asked

    def _answers(self) -> list[Content]:
        """Say what answers, whether it can be reached, and where passages go.

        The last says the least: where they stay here, that is left out first.
        """
        where = _place(replace(self.config, model=self.model))
        place = one_line(where, QUIET)
        if self.reach.state == "down" and self.model != EXTRACTIVE:
            cause = one_line(f"{self.reach.where} {self.reach.reason}", BAD)
            return [joined([one_line(self.model), plain(" ✗ ", BAD), cause])]
        if self.model == EXTRACTIVE:
            model, mark = plain("no model: quotes (F3)"), SEPARATOR
        else:
            model = one_line(self.model)
            mark = plain(" ● ", GOOD) if self.reach.state == "up" else SEPARATOR
        whole = joined([model, mark, place])
        return [whole, model] if where == STAYS else [whole]


def _place(config: Config) -> str:
    """Say where questions and passages of documents go when a question is answered."""
    models = [name for name in (config.model, config.helper) if name not in ("", EXTRACTIVE)]
    reached: list[Reached] = [config.models[name] for name in models if name in config.models]
    embedder = config.embedders.get(config.embedder)
    if embedder and embedder.kind == "endpoint":
        reached.append(embedder)
    reranker = config.rerankers.get(config.reranker)
    if reranker and reranker.kind == "endpoint":
        reached.append(reranker)
    elif reranker and reranker.model in config.models:
        reached.append(config.models[reranker.model])
    if any(name not in config.models for name in models):
        return "sends passages to its endpoint"
    remote = list(dict.fromkeys(filter(None, map(apparent_host, reached))))
    return f"sends passages to {', '.join(remote)}" if remote else STAYS
