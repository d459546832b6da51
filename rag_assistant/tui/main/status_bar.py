"""The line at the top: what is asked, what answers, and what is going on."""

from dataclasses import replace

from textual.content import Content
from textual.reactive import reactive
from textual.timer import Timer

from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.models.endpoint import host_of, is_loopback
from rag_assistant.tui.drawing.laid_text import LaidText
from rag_assistant.tui.drawing.layout import Row
from rag_assistant.tui.drawing.safe_widgets import joined, one_line, plain
from rag_assistant.tui.drawing.signs import BAD, GOOD, QUIET, SEPARATOR
from rag_assistant.tui.library.indexing import IndexingProgress
from rag_assistant.tui.library.indexing_bar import indexing_in_short
from rag_assistant.tui.main.database_rows import DatabaseRow
from rag_assistant.tui.main.endpoint_watch import Reach

FLASH_SECONDS = 4.0
"""How long a passing remark stands."""


class StatusBar(LaidText):
    """Shows the scope on the left, the model on the right, and a remark in between for a while."""

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    remark: reactive[str] = reactive("")
    title: reactive[str] = reactive("")
    scope: reactive[str] = reactive("")
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

    def watch_scope(self) -> None:
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
        asked = [row for row in self.rows if row.name not in self.left_out]
        if self.remark:
            left = one_line(self.remark, "$text-warning")
        elif self.progress:
            left = one_line(indexing_in_short(self.progress[0]), "$text-accent")
        elif not self.rows:
            left = plain("no database yet. Open a folder: Ctrl+O", QUIET)
        else:
            names = ", ".join(row.name for row in asked) or "nothing ticked"
            entries = f"{sum(row.entries for row in asked)} entries"
            much = plain(self.scope, "$text-accent") if self.scope else plain(entries, QUIET)
            left = joined([one_line(names), SEPARATOR, much])
            if self.title:
                left = joined([one_line(self.title, "bold"), plain(" │ ", QUIET), left])
            if self.changed:
                files = f"{self.changed} file{'' if self.changed == 1 else 's'} changed: F5"
                left = joined([plain(files, "$text-warning"), SEPARATOR, left])
        self.blocks = (Row(left, self._answers()),)

    def _answers(self) -> Content:
        """Say what answers, whether it can be reached, and where passages go."""
        place = one_line(_place(replace(self.config, model=self.model)), QUIET)
        if self.model == EXTRACTIVE:
            return joined([plain("no model: quotes (F3)"), SEPARATOR, place])
        if self.reach.state == "down":
            where = one_line(f"{self.reach.where} {self.reach.reason}", BAD)
            return joined([one_line(self.model), plain(" ✗ ", BAD), where])
        mark = plain(" ● ", GOOD) if self.reach.state == "up" else SEPARATOR
        return joined([one_line(self.model), mark, place])


def _place(config: Config) -> str:
    """Say where questions and passages of documents go when a question is answered."""
    models = [name for name in (config.model, config.helper) if name not in ("", EXTRACTIVE)]
    addresses = [config.models[name].base_url for name in models if name in config.models]
    embedder = config.embedders.get(config.embedder)
    if embedder and embedder.kind == "endpoint":
        addresses.append(embedder.base_url)
    reranker = config.rerankers.get(config.reranker)
    if reranker and reranker.kind == "endpoint":
        addresses.append(reranker.base_url)
    elif reranker and reranker.model in config.models:
        addresses.append(config.models[reranker.model].base_url)
    hosts = list(dict.fromkeys(map(host_of, addresses)))
    if any(name not in config.models for name in models):
        return "sends passages to its endpoint"
    remote = [host for host in hosts if not is_loopback(host)]
    return f"sends passages to {', '.join(remote)}" if remote else "stays on this computer"
