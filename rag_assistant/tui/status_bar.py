"""The line at the top: what is asked, what answers, and what is going on."""

from dataclasses import replace

from textual.reactive import reactive
from textual.timer import Timer

from rag_assistant.config import EXTRACTIVE, Config
from rag_assistant.models.endpoint import host_of, is_loopback
from rag_assistant.tui.database_rows import DatabaseRow
from rag_assistant.tui.exchange_blocks import QUIET, SEPARATOR
from rag_assistant.tui.indexing import IndexingProgress
from rag_assistant.tui.laid_text import LaidText
from rag_assistant.tui.layout import Row
from rag_assistant.tui.safe_widgets import joined, one_line, plain

FLASH_SECONDS = 4.0
"""How long a passing remark stands."""


class StatusBar(LaidText):
    """Shows the scope on the left, the model on the right, and a remark in between for a while."""

    rows: reactive[tuple[DatabaseRow, ...]] = reactive(())
    left_out: reactive[frozenset[str]] = reactive(frozenset())
    progress: reactive[tuple[IndexingProgress, ...]] = reactive(())
    remark: reactive[str] = reactive("")
    title: reactive[str] = reactive("")
    model: reactive[str] = reactive("")

    def __init__(self, config: Config) -> None:
        super().__init__(id="status")
        self._config = config
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

    def watch_model(self) -> None:
        """Name another model, and where it sends passages."""
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
            first = self.progress[0]
            name = first.folder.name or str(first.folder)
            count = f" {first.done}/{first.total}" if first.total else "…"
            left = one_line(f"indexing {name}{count}", "$text-accent")
        elif not self.rows:
            left = plain("no database yet", QUIET)
        else:
            names = ", ".join(row.name for row in asked) or "nothing ticked"
            entries = sum(row.entries for row in asked)
            left = joined([one_line(names), plain(f" · {entries} entries", QUIET)])
            if self.title:
                left = joined([one_line(self.title, "bold"), plain(" │ ", QUIET), left])
        place = _place(replace(self._config, model=self.model))
        right = joined([one_line(self.model), SEPARATOR, one_line(place, QUIET)])
        self.blocks = (Row(left, right),)


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
