"""What the built-in model chooses of the passages that a search shows."""

from collections.abc import Sequence
from dataclasses import replace

import pytest

from rag_assistant.models.extractive.candidates import QuotableText, sentences_in
from rag_assistant.models.extractive.choosing import choose
from rag_assistant.models.extractive.features import NAMES, Asked, features_of
from rag_assistant.models.extractive.likeness import likeness_by
from rag_assistant.models.extractive.short_answer import standing_out
from rag_assistant.models.extractive.weights import WEIGHTS
from rag_assistant.text.kinds_asked import kind_asked
from tests.search.sense_embedder import SenseEmbedder

LEAVE = QuotableText(
    1,
    "Parental leave",
    "# Parental leave\n\nEvery parent gets sixteen weeks of leave at full pay. Send the form to the"
    " people team eight weeks before the birth.\n",
)
SITES = QuotableText(
    2,
    "Fire",
    "## Assembly points\n\n| Site | Assembly point | Alarm test |\n|---|---|---|\n"
    "| Tolvik | Chapel wall. Not the yard | Tuesday 09:30 |\n"
    "| Aldersund | Ferry slip | Friday 11:30 |\n",
)
QUESTIONS = QuotableText(
    3,
    "Questions that are often asked",
    "How many weeks of parental leave does every parent get?\n\nHow long is parental leave?\n",
)


def test_every_feature_has_a_weight_and_none_is_left_over() -> None:
    """A feature that the fit does not know would count nothing, and nobody would notice."""
    assert set(WEIGHTS) == set(NAMES)
    rows = features_of(Asked("How long is leave?"), sentences_in([LEAVE, SITES]))
    assert {len(row) for row in rows} == {len(NAMES)}


def test_a_question_is_never_answered_by_a_question() -> None:
    """A list of questions holds all words of each; the sample answered its own with it."""
    chosen = choose("How many weeks of parental leave are there?", [QUESTIONS, LEAVE], 4)
    assert chosen[0].source == LEAVE.id
    assert not any("?" in one.text for one in chosen)
    assert choose("How long is parental leave?", [QUESTIONS], 4) == []


def test_the_sentence_that_has_what_is_asked_for_comes_first() -> None:
    """Two spans of weeks stand side by side, and one of them is of leave."""
    [first, *_] = choose("How many weeks of parental leave?", [LEAVE], 4)
    assert first.sentence == "Every parent gets sixteen weeks of leave at full pay."


def test_a_row_is_whole_and_knows_its_heads() -> None:
    """ "Chapel wall" alone would not say of what; a full stop in a cell does not end a row."""
    [first, *_] = choose("Where is the assembly point of Tolvik?", [SITES], 4)
    assert first.sentence == "| Tolvik | Chapel wall. Not the yard | Tuesday 09:30 |"
    assert first.head == "| Site | Assembly point | Alarm test |\n|---|---|---|"


def test_neither_heads_nor_rules_of_a_table_are_candidates() -> None:
    """The heads hold the question's words and no answer."""
    texts = [one.text for one in sentences_in([SITES])]
    assert len(texts) == 2
    assert all("Site" not in text and "---" not in text for text in texts)


def test_text_before_a_table_is_not_quoted_with_its_rows() -> None:
    """The heads between them would be written as words of a sentence, bars and all."""
    rates = QuotableText(
        1,
        "Cars",
        "The mileage rate of a car falls with the mileage.\n| Vehicle | Mileage rate |\n|---|---|\n"
        "| Car, mileage up to 8,000 km | 0.42 |\n| Car, mileage above 8,000 km | 0.26 |\n",
    )
    for one in choose("What is the mileage rate of a car?", [rates], 4):
        assert bool(one.head) == one.text.startswith("|")
        assert "\n|---" not in one.text


def test_lines_that_only_name_what_follows_are_no_candidates() -> None:
    """The subject of a mail is its title, and a table of contents says where something stands."""
    mail = QuotableText(
        1, "The distance in the bee rule", "Subject: The distance in the bee rule\n\nHives"
    )
    contents = QuotableText(
        2, "Protocol", "Inclusion criteria.............11\nAdults may take part."
    )
    assert [one.text for one in sentences_in([mail, contents])] == [
        "Hives",
        "Adults may take part.",
    ]


def test_a_source_is_quoted_once_and_nothing_twice() -> None:
    """The same words from two copies would fill the answer."""
    copy = QuotableText(9, "Parental leave (old)", LEAVE.text)
    chosen = choose("How many weeks of parental leave at full pay?", [LEAVE, copy], 4)
    assert [one.source for one in chosen] == [LEAVE.id]


def test_a_long_source_is_quoted_at_several_places() -> None:
    """A helper is given whole entries: of a list that is asked for, one item would be left."""
    filler = "\n\n".join("The weather was fine, and nothing else happened." for _ in range(90))
    text = f"The roof costs £300 this year.\n\n{filler}\n\nThe roof will cost £400 next year.\n"
    chosen = choose("What does the roof cost?", [QuotableText(1, "Notes", text)], 4)
    assert {one.sentence for one in chosen} >= {
        "The roof costs £300 this year.",
        "The roof will cost £400 next year.",
    }


def test_words_that_nothing_shares_give_nothing() -> None:
    """An answer at random would be worse than none."""
    assert choose("Zanzibar?", [SITES], 4) == []
    assert choose("", [], 4) == []


HANDBOOK = QuotableText(
    1,
    "Handbook",
    "Each member of staff gets ten days of parking.\n\nThere are twenty days of vacation.\n",
)


def test_what_is_near_in_meaning_comes_first_where_an_embedder_is_here() -> None:
    """ "Vacation" answers a question about holiday, and no word of theirs is the same."""
    question = "How many days of holiday does the staff get?"
    by_words = choose(question, [HANDBOOK], 1)
    by_meaning = choose(question, [HANDBOOK], 1, likeness_by(SenseEmbedder()))
    assert "parking" in by_words[0].sentence
    assert "vacation" in by_meaning[0].sentence


def test_an_embedder_that_finds_everything_alike_has_its_say_too() -> None:
    """Some give .9 to the nearest sentence and .85 to one about something else."""
    question = "How many days of holiday does the staff get?"

    def close(question: str, sentences: Sequence[str]) -> Sequence[float]:
        return [0.85 + 0.05 * ("vacation" in sentence) for sentence in sentences]

    others = " ".join(f"The room on floor {number} is a quiet one." for number in range(9))
    handbook = replace(HANDBOOK, text=f"{HANDBOOK.text}\n{others}\n")
    assert "parking" in choose(question, [handbook], 1)[0].sentence
    assert "vacation" in choose(question, [handbook], 1, close)[0].sentence


def test_words_alone_count_where_an_embedder_fails_or_is_elsewhere() -> None:
    """The built-in model answers without a network, and sends nothing to anybody."""
    question = "How many days of holiday does each member of staff get?"
    dead, elsewhere = SenseEmbedder(), SenseEmbedder()
    dead.dead = elsewhere.dead = True
    elsewhere.destination = "embeddings.example"
    by_words = choose(question, [HANDBOOK], 2)
    assert choose(question, [HANDBOOK], 2, likeness_by(dead)) == by_words
    assert choose(question, [HANDBOOK], 2, likeness_by(elsewhere)) == by_words


@pytest.mark.parametrize(
    ("question", "kind"),
    [
        ("How many weeks of leave are there?", "time span"),
        ("When does the office open?", "moment"),
        ("Where do we meet when the alarm goes off?", "place"),
        ("Who pays the fee?", "person"),
        ("Why did the price rise?", "reason"),
        ("What does a permit cost?", "money"),
        ("What percentage of the members voted?", "share"),
        ("How many members voted?", "figure"),
        ("How do I clean the filter?", "way"),
        ("What is a purlin?", "meaning"),
        ("What is the mileage rate for my own car?", "figure"),
    ],
)
def test_the_kind_is_that_of_what_is_asked_first(question: str, kind: str) -> None:
    """ "Where … when …" asks for a place; a time of day would be set out as its answer."""
    asked = kind_asked(question)
    assert asked is not None
    assert asked.name == kind


@pytest.mark.parametrize(
    ("question", "sentence", "value"),
    [
        ("How long is leave?", "Every parent gets sixteen weeks of leave.", "sixteen weeks"),
        ("What does it cost?", "The permit costs €40.", "€40"),
        ("When is the fair?", "The fair is on 3 May 2026.", "3 May 2026"),
        ("When is the fair?", "It is on 3 May 2026, or on 10 May 2026 if it rains.", ""),
        ("Is 45 days the limit, or how many days?", "The limit is 45 days.", ""),
        ("Where is it when it rains?", "It is in Tolvik at 14:00.", ""),
        ("How many members are there?", "There are 58 of them.", ""),
        ("What is a purlin?", "A purlin is 3 m long.", ""),
    ],
)
def test_a_value_is_set_out_only_where_it_alone_can_be_meant(
    question: str, sentence: str, value: str
) -> None:
    """A value in bold that is not the answer would be taken for it before a word is read."""
    assert standing_out(question, sentence) == value


def test_what_is_told_of_the_first_choice_is_told_of_it_alone() -> None:
    """The chance that the first quote is right would be computed from that of another."""
    sources = [
        QuotableText(1, "Parking", "The parking permit costs 40 euro a month."),
        QuotableText(2, "Parking", "A permit is asked for at the desk. It is a card."),
    ]
    first, *others = choose("What does the parking permit cost?", sources, 4)
    assert first.source == 1
    assert {"chosen", "passage", "apart", "kind", "kind_near"} <= first.signals.keys()
    assert all(0 <= value <= 1 for value in first.signals.values())
    assert first.signals["passage"] >= first.signals["chosen"] > 0.5
    assert not any(one.signals for one in others)
    (alone,) = choose("What does the parking permit cost?", sources[:1], 4)
    assert alone.signals["apart"] == alone.signals["passage"] == 1.0


def _report(number: int, place: str, month: str, happened: str) -> list[QuotableText]:
    """A report in two passages: where and when it was, then what happened."""
    began = f"On {month} 9, a light airplane was damaged on landing at {place}. Nobody was hurt."
    return [
        QuotableText(2 * number, "Accident report", began, entry=f"{number}"),
        QuotableText(2 * number + 1, "Accident report", happened, entry=f"{number}"),
    ]


def test_of_documents_that_are_alike_the_one_that_is_meant_answers() -> None:
    """Most words of such a question say which report is meant, and the answer has none of them."""
    reports = [
        *_report(1, "Belen", "June", "The left wheel had struck a ditch. Its tyre was flat."),
        *_report(2, "Latrobe", "June", "The right wheel had struck a light. It was replaced."),
        *_report(3, "Seward", "May", "The tail had struck a fence. It was not replaced."),
    ]
    question = "What had the wheel of the airplane struck that was damaged at Latrobe in June?"
    features = features_of(Asked(question), sentences_in(reports))
    rare = [dict(zip(NAMES, row, strict=True)) for row in features]
    meant, other = rare[6], rare[2]
    assert meant["entry"] == 1 > other["entry"]
    assert meant["beside the best"] > other["beside the best"]
    told = [one.sentence for one in choose(question, reports, 4)]
    of_wheels = [sentence for sentence in told if "wheel had struck" in sentence]
    assert of_wheels[0] == "The right wheel had struck a light."  # Belen's comes first in order
