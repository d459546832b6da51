"""Where the entries that a run read stood in the searches that found them, stage by stage."""

from collections.abc import Iterable, Sequence

from rag_assistant.values.documents import Hit
from rag_assistant.values.evidence import Retrieved, StageRank

WHOLE = "search"
"""Stands for all stages together."""


class RetrievalRanks:
    """Keeps, of each entry that searches found, where it stood highest."""

    def __init__(self) -> None:
        self._known: dict[int, Retrieved] = {}

    def note(self, keyword: str, hits: Sequence[Hit]) -> None:
        """Take in what a search found."""
        by_stage = {
            stage: sorted((hit.explanation.get(stage, 0.0) for hit in hits), reverse=True)
            for stage in dict.fromkeys(name for hit in hits for name in hit.explanation)
        }
        for hit in hits:
            before = self._known.get(hit.entry_id)
            if before and before.ranks[0].rank <= hit.rank:
                continue
            stages = [
                StageRank(stage, by_stage[stage].index(share) + 1)
                for stage, share in hit.explanation.items()
                if share > 0
            ]
            ranks = (StageRank(WHOLE, hit.rank), *stages)
            self._known[hit.entry_id] = Retrieved(hit.entry_id, keyword, ranks)

    def of(self, entry_ids: Iterable[int]) -> tuple[Retrieved, ...]:
        """Give what is known of some entries; one that no search found is left out."""
        return tuple(self._known[number] for number in entry_ids if number in self._known)
