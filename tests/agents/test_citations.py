"""Citation numbers while the answer streams."""

import json
from dataclasses import replace
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.agents.citations import CitationStream, References
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Evidence, EvidenceItem


def item(number: int, *, verified: bool = True) -> EvidenceItem:
    return EvidenceItem(
        "handbook", number, f"Page {number}", f"p{number}.md", f"words {number}",
        Location(0, 7), verified,
    )  # fmt: skip


def references() -> References:
    found = References()
    found.add(Evidence("handbook", "q", tuple(item(n) for n in range(1, 8)), 8))
    return found


def rewrite(pieces: list[str]) -> tuple[str, list[int]]:
    stream = CitationStream(references())
    text = "".join(stream.feed(piece)[0] for piece in pieces) + stream.finish()[0]
    return text, [citation.item.entry_id for citation in stream.citations]


EXAMPLES = [
    ("It is so [5]. And so [2][5].", "It is so [1]. And so [2][1].", [5, 2]),
    ("Both [3, 1].", "Both [1][2].", [3, 1]),
    ("Invented [9] and [0].", "Invented [9?] and [0?].", []),
    ("A [link](x), [3](http://x), a[3] and [x] [ ] stay.", None, []),
    ("At the end [7]", "At the end [1]", [7]),
    ("Open [3", "Open [3", []),
    ("", "", []),
]


@pytest.mark.parametrize(("written", "shown", "cited"), EXAMPLES)
def test_numbers_follow_the_order_of_the_answer(
    written: str, shown: str | None, cited: list[int]
) -> None:
    """A reader would open the wrong source, or an invented number would look like a source."""
    assert rewrite([written]) == (written if shown is None else shown, cited)


@given(st.sampled_from(EXAMPLES), st.data())
def test_however_the_text_is_cut_the_answer_is_the_same(
    example: tuple[str, str | None, list[int]], data: st.DataObject
) -> None:
    """A marker split over two pieces of the stream would be lost."""
    written = example[0]
    cuts = sorted(data.draw(st.lists(st.integers(0, len(written)), max_size=8)))
    bounds = [0, *cuts, len(written)]
    pieces = [written[a:b] for a, b in pairwise(bounds)]
    assert rewrite(pieces) == rewrite([written])


def test_the_same_words_keep_their_number_and_doubt_is_told() -> None:
    """A model would cite one sentence by two numbers, or an unverified one unawares."""
    found = References()
    found.add(Evidence("handbook", "q", (item(1),), 8))
    shown = json.loads(found.add(Evidence("handbook", "r", (item(1), item(2, verified=False)), 3)))
    first, second = (source["quotes"][0] for source in shown["sources"])
    assert (first["cite"], second["cite"]) == (1, 2)
    assert "unverified" in second
    assert "unverified" not in first


def test_a_passage_is_shown_once_in_a_run() -> None:
    """Each search would cost what those before it found, or not say that it was found."""
    found = References()
    passages = tuple(replace(item(n), is_passage=True) for n in (1, 2, 3))
    found.add(Evidence("handbook", "q", passages[:2], 0))
    again = json.loads(found.add(Evidence("handbook", "r", passages[1:], 0)))
    assert [source["quotes"][0]["cite"] for source in again["sources"]] == [3]
    assert again["found_before"] == [2]
    assert "found_before" not in json.loads(
        found.copy().add(Evidence("handbook", "r", passages, 0))
    )
    found.only_shown([json.dumps(again)])
    told = json.loads(found.add(Evidence("handbook", "s", passages, 0)))
    assert told["found_before"] == [3], "what had no room any more is shown again"


def test_references_of_a_document_are_no_citations_of_ours() -> None:
    """A paper's own [2], copied into an answer, would open another document as its source."""
    paper = "As was shown [2], and again [1, 3]; see weeks[1] and [12–14]."
    cited = EvidenceItem("papers", 9, "P", "p.txt", paper, Location(0, len(paper)), True)
    found = references()
    told = json.loads(found.add(Evidence("papers", "q", (cited,), 8)))
    (shown,) = told["sources"][0]["quotes"]
    assert shown["quote"] == "As was shown (2), and again (1, 3); see weeks[1] and [12–14]."
    stream = CitationStream(found)
    said = stream.feed(f"“{shown['quote']}” [{shown['cite']}]")[0] + stream.finish()[0]
    assert [citation.item.quote for citation in stream.citations] == [paper]
    assert said.endswith("” [1]")
