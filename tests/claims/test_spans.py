"""What of a passage is shown for a sentence that cites it."""

from rag_assistant.claims.spans import with_spans
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.documents import Location
from rag_assistant.values.evidence import Answer, Citation, EvidenceItem
from rag_assistant.values.messages import Usage

HALL = (
    "The hall was built in 1931 by the parish. It holds 120 guests at tables and 180 without. "
    "The kitchen was renewed in 2019. It has two ovens and a cold store. "
    "Bookings are taken by Ann Moss until the end of May."
)
TABLE = (
    "| Firm | Price including VAT | Could start |\n|---|---|---|\n"
    "| Hallam & Pryce | £17,600 | July |\n| Roofwell | £18,940 | May |\n"
)


def quotes_of(answer: str, *passages: str, question: str = "How many guests?") -> list[str]:
    """Give what is shown of passages that an answer cites by their numbers."""
    at, citations = 100, []
    for marker, text in enumerate(passages, 1):
        place = Location(at, at + len(text))
        item = EvidenceItem("d", 1, "Hall", "hall.md", text, place, True, is_passage=True)
        citations.append(Citation(marker, item))
        at += len(text)
    said = Answer(question, answer, tuple(citations), (), Coverage(), "m", Usage(), 1)
    found = []
    for before, after in zip(citations, with_spans(said).citations, strict=True):
        low = after.item.location.start - before.item.location.start
        high = after.item.location.end - before.item.location.start
        assert before.item.quote[low:high] == after.item.quote
        assert not after.item.is_passage
        found.append(after.item.quote)
    return found


def test_the_sentence_that_bears_it_out_is_shown() -> None:
    """A person would have to look for the words in a whole passage."""
    assert quotes_of("It holds 120 guests at tables [1].", HALL) == [
        "It holds 120 guests at tables and 180 without."
    ]
    assert quotes_of("Ann Moss takes the bookings [1].", HALL) == [
        "Bookings are taken by Ann Moss until the end of May."
    ]


def test_what_refers_back_comes_with_its_subject() -> None:
    """ "It has two ovens" would be shown without saying what has them."""
    assert quotes_of("The kitchen has two ovens [1].", HALL) == [
        "The kitchen was renewed in 2019. It has two ovens and a cold store."
    ]


def test_all_that_is_quoted_before_a_number_is_shown() -> None:
    """Of three sentences in quotation marks the last alone bears the number."""
    quoted = "The kitchen was renewed in 2019. It has two ovens\nand a cold store."
    assert quotes_of(f"“{quoted}” [1] — Hall", HALL) == [" ".join(quoted.split())]
    assert quotes_of("“It holds 120 guests.” [1]", HALL) == [
        "It holds 120 guests at tables and 180 without."
    ]


def test_a_quoted_word_does_not_widen_what_is_cited() -> None:
    """The first place of the word in the passage is not where the sentence rests."""
    text = "The hall is for hire. " + HALL
    assert quotes_of("Ann Moss takes bookings of the “hall” [1].", text) == [
        "Bookings are taken by Ann Moss until the end of May."
    ]


def test_several_claims_share_a_stretch_and_passages_are_apart() -> None:
    """One number stands for one place, whatever rests on it."""
    answer = "The kitchen is of 2019 [1]. Bookings end in May [1]. Roofwell asks £18,940 [2]."
    assert quotes_of(answer, HALL, TABLE) == [
        HALL[HALL.index("The kitchen") :],
        "| Roofwell | £18,940 | May |",
    ]


def test_without_a_claim_the_question_chooses_and_without_any_words_nothing_is_cut() -> None:
    """A passage that is only pointed at would be shown by its first words, or by none."""
    (shown,) = quotes_of("See [1].", HALL)
    assert shown == "It holds 120 guests at tables and 180 without."
    assert quotes_of("Zebras graze [1].", HALL, question="Xylophones?") == [HALL]
