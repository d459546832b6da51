"""Terms must be those of the index, and sentences must keep their places."""

import re
import sqlite3
import unicodedata
from itertools import chain, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.text.mark_ranges import MARKS
from rag_assistant.text.sentences import sentences_of
from rag_assistant.text.terms import TOKENIZER, content_terms, terms_of


def index_terms(text: str) -> set[str]:
    """Ask FTS5 itself which terms it makes of a text."""
    connection = sqlite3.connect(":memory:")
    try:
        connection.execute(f"CREATE VIRTUAL TABLE t USING fts5(x, tokenize='{TOKENIZER}')")
        connection.execute("INSERT INTO t VALUES (?)", (text,))
        connection.execute("CREATE VIRTUAL TABLE v USING fts5vocab('t', 'row')")
        return {row[0] for row in connection.execute("SELECT term FROM v")}
    finally:
        connection.close()


def test_all_marks_of_the_scripts_in_use_belong_to_words() -> None:
    """A word of Hindi or Thai would fall into single letters at the mark that is missing."""
    mark = re.compile(f"[{MARKS}]")
    blocks = chain(range(0x300, 0x1E00), range(0x302A, 0x309B), range(0xA66F, 0xABEE))
    for code in blocks:
        # One of a later Unicode than this Python's has no category yet.
        category = unicodedata.category(chr(code))
        if category != "Cn":
            assert bool(mark.match(chr(code))) == (category in ("Mn", "Mc")), hex(code)


def test_terms_are_those_of_the_full_text_index() -> None:
    """Snippets and the extractive model would miss words that the search matched."""
    text = (
        "Parental leave policies were running generously; the Café's naïve flying agreements "
        "controlled happiness, relational databases, HP-4410-2B, snake_case and 16 weeks' pay. "
        "Possibly generalizations oscillate: ties, caresses, ponies, sized, failing, hopping."
    )
    assert set(terms_of(text)) == index_terms(text)


@given(st.lists(st.sampled_from("running Flying HP-4410-2B naïve 16 the ponies".split())))
def test_terms_keep_the_order_and_number_of_the_words(words: list[str]) -> None:
    """Terms learnt together would be taken for one another's."""
    assert terms_of(" ".join(words)) == [term for word in words for term in terms_of(word)]


def test_a_question_of_stop_words_can_still_be_searched() -> None:
    """Searching for "The Who" would find nothing at all."""
    assert content_terms("The Who") == {"the": "The", "who": "Who"}
    assert content_terms("Who pays the fees, any fee?") == {"pai": "pays", "fee": "fees"}


@given(st.text(max_size=300))
def test_sentences_are_spans_in_order_that_miss_no_word(text: str) -> None:
    """A sentence with wrong offsets would be quoted with another one's words."""
    spans = sentences_of(text)
    assert all(start < end for start, end in spans)
    assert spans == sorted(spans)
    assert all(a[1] <= b[0] for a, b in pairwise(spans))
    assert "".join("".join(text[s:e] for s, e in spans).split()) == "".join(text.split())


def test_sentences_do_not_end_at_abbreviations_or_decimals() -> None:
    """Quotes would break off in the middle: "We paid Dr."."""
    text = "We paid Dr. Ames 3.5 times, e.g. in May. Was it enough? It was."
    assert [text[s:e] for s, e in sentences_of(text)] == [
        "We paid Dr. Ames 3.5 times, e.g. in May.",
        "Was it enough?",
        "It was.",
    ]


MAIL = """Dear Priya,

The roof of the boat house was looked at on Monday, and the
carpenter thinks that the beams will last for another twelve
Winters if the gutter is mended before the frost. Please tell
the harbour board.

Items to bring:
- a ladder
- the long rope that hangs behind the door of the workshop and
  the red bucket

Anna Berg
12 Harbour Street
8010 Graz
"""


def test_a_sentence_goes_on_in_the_next_line_where_the_text_was_wrapped() -> None:
    """Of a mail half a sentence would be quoted, which may say the opposite of the whole."""
    assert [" ".join(MAIL[s:e].split()) for s, e in sentences_of(MAIL)] == [
        "Dear Priya,",
        "The roof of the boat house was looked at on Monday, and the carpenter thinks that the"
        " beams will last for another twelve Winters if the gutter is mended before the frost.",
        "Please tell the harbour board.",
        "Items to bring:",
        "- a ladder",
        "- the long rope that hangs behind the door of the workshop and the red bucket",
        "Anna Berg",
        "12 Harbour Street",
        "8010 Graz",
    ]


def test_sentences_go_on_in_lines_of_unequal_length_as_a_pdf_file_has_them() -> None:
    """Its letters are of unequal width, and no empty line parts a paragraph from an address."""
    page = (
        "Factual Information\n"
        "On Monday a small plane of the club was destroyed when it met the hill by the farm. The\n"
        "pilot and two passengers were hurt, and nobody on the ground. It is said that the last\n"
        "word on the radio was heard around 1203.\n"
        "More may be asked of:\n"
        "Civil Aviation Office\n"
        "Box 7615\n"
    )
    assert [" ".join(page[s:e].split()) for s, e in sentences_of(page)] == [
        "Factual Information",
        "On Monday a small plane of the club was destroyed when it met the hill by the farm.",
        "The pilot and two passengers were hurt, and nobody on the ground.",
        "It is said that the last word on the radio was heard around 1203.",
        "More may be asked of:",
        "Civil Aviation Office",
        "Box 7615",
    ]


def test_a_mark_of_a_reference_does_not_join_two_sentences() -> None:
    text = "They fled to Switzerland.[12] Others left for Brazil.[citation needed] None came back."
    assert len(sentences_of(text)) == 3


@pytest.mark.parametrize(
    "text",
    [
        "The parking permit for staff costs 40 euro a month\nBicycles are free",
        "total = price_of_everything(in_the_basket, without_tax)\nprint(total)",
        "| a cell of a table with many words | 12 |\n| and another one below it | 13 |",
        "# The heading of a chapter that is rather long\nand a line of text below it",
        "Date: the first Monday of the month after the next\nplace: the town hall",
        "roses for the garden behind the house\nbread\na lamp\nsoap",
    ],
)
def test_lines_that_were_not_wrapped_stay_lines(text: str) -> None:
    """Items of a list would be quoted as one sentence."""
    assert len(sentences_of(text)) == text.count("\n") + 1
