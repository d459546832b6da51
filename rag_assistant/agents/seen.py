"""What a run has looked at, gathered for its statement of coverage."""

from dataclasses import dataclass, field, replace

from rag_assistant.tools.run_cache import RunCache
from rag_assistant.tools.toolkit import ToolOutput
from rag_assistant.values.coverage import Coverage, EntryRead, SearchMade, Tally


@dataclass(slots=True)
class ReadingLog:
    """The searches made, the entries read, what was counted, and the limits that were met."""

    searches: list[SearchMade] = field(default_factory=list)
    read: list[EntryRead] = field(default_factory=list)
    entries: set[tuple[str, int]] = field(default_factory=set)
    limits: list[str] = field(default_factory=list)
    tallies: list[Tally] = field(default_factory=list)
    other_tools: int = 0
    told: set[tuple[str, int]] = field(default_factory=set)
    """Entries whose words the model was given."""
    run_cache: RunCache = field(default_factory=RunCache)

    def take(self, output: ToolOutput, kind: str) -> None:
        """Count what a tool of a kind looked at; see `Tool`."""
        self.searches += output.searches
        self.tallies += output.tallies
        self.read += output.read
        if output.found:
            self.run_cache.searches.append(output.found)
        self.run_cache.texts += output.texts
        self.other_tools += output.ok and kind == "other"
        self.told.update(output.entries)
        self.entries.update((one.database, one.entry_id) for one in output.read)
        if found := output.evidence:
            self.entries.update((found.database, id_) for id_ in found.entries_read)
            self.told.update((item.database, item.entry_id) for item in found.items)

    def coverage(self, there: Coverage, searches: int) -> Coverage:
        """Add to what there is to search what was looked at, in so many searches."""
        return replace(
            there,
            searches=searches,
            entries_read=len(self.entries),
            searches_made=tuple(self.searches),
            read=tuple(dict.fromkeys(self.read)),
            limits=tuple(dict.fromkeys(self.limits)),
            other_tools=self.other_tools,
            tallies=tuple(dict.fromkeys(self.tallies)),
        )
