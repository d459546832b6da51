"""What is kept of searches, to say why an entry was read."""

from rag_assistant.history.decoding import value_of
from rag_assistant.tools.retrieval_ranks import RetrievalRanks
from rag_assistant.values.documents import Hit, Location
from rag_assistant.values.evidence import Evidence, StageRank
from rag_assistant.values.json_shapes import evidence_json


def _hit(rank: int, entry: int, **shares: float) -> Hit:
    place = Location(0, 1)
    return Hit(rank, "staff", entry, "", "a.md", place, 1.0, "a", explanation=shares)


def test_an_entry_keeps_its_best_search() -> None:
    """If it fails, a card names a search in which the entry hardly stood."""
    ranks = RetrievalRanks()
    ranks.note("leave", [_hit(1, 7, words=3.0, title=0.5), _hit(2, 8, words=2.0, title=1.5)])
    ranks.note("days", [_hit(1, 8, words=4.0), _hit(2, 7, words=1.0, title=0.0)])
    seven, eight = ranks.of((7, 9, 8))
    assert (seven.keyword, eight.keyword) == ("leave", "days")
    assert seven.ranks == (StageRank("search", 1), StageRank("words", 1), StageRank("title", 2))
    assert eight.ranks == (StageRank("search", 1), StageRank("words", 1))


def test_it_is_kept_with_the_conversation() -> None:
    """If it fails, a resumed conversation has forgotten why its sources were read."""
    ranks = RetrievalRanks()
    ranks.note("leave", [_hit(1, 7, words=3.0)])
    evidence = Evidence("staff", "leave?", (), 5, (7,), retrieved=ranks.of((7,)))
    assert value_of(Evidence, evidence_json(evidence)) == evidence
