"""Sentences turned into questions, and their words changed: by examples, and for all texts."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.agents.claim_values import values_in
from rag_assistant.evaluation.making.asked import answer_of
from rag_assistant.evaluation.making.asking import question_for
from rag_assistant.evaluation.making.clauses import clause_around
from rag_assistant.evaluation.making.languages import ENGLISH, UNSPACED, language_of
from rag_assistant.evaluation.making.wording import (
    LONGEST_RUN,
    as_question,
    longest_run,
    reworded,
    shorter_forms,
)

TURNED = [
    (
        "you can buy up to four extra days for the coming leave year on FORM-LV-03.",
        "How many extra days can you buy for the coming leave year on FORM-LV-03?",
        "four extra days",
    ),
    (
        "up to five days may be carried into the new leave year.",
        "How many days may be carried into the new leave year?",
        "five days",
    ),
    (
        "the inlet hose must not be longer than 5 m.",
        "How long may the inlet hose be at most?",
        "5 m",
    ),
    (
        "the path must be at least 1.5 m wide.",
        "How wide must the path be?",
        "1.5 m",
    ),
    (
        "the filled weight is 34 kg for the HP-410.",
        "What is the filled weight for the HP-410?",
        "34 kg",
    ),
    (
        "the money must be spent by 31 March 2026.",
        "By when must the money be spent?",
        "31 March 2026",
    ),
    (
        "the Fund has offered £6,000 towards the accessible beds.",
        "How much has the Fund offered towards the accessible beds?",
        "£6,000",
    ),
    (
        "fit a manual isolation tap within 2 m of the station.",
        "Within how many metres of the station should you fit a manual isolation tap?",
        "2 m",
    ),
    (
        "the station stores eight named factors.",
        "How many named factors does the station store?",
        "eight named factors",
    ),
    (
        "the cost is spread over twelve salaries.",
        "Over how many salaries is the cost spread?",
        "twelve salaries",
    ),
    (
        "the rule applies from 1 November 2025 on both sites.",
        "From when does the rule apply on both sites?",
        "1 November 2025",
    ),
]

UNTURNED = [
    "if you fall ill for three days or longer, the days are given back.",  # a condition
    "they must be used by 30 June.",  # of what was said before
    "a shuttle leaves at 05:10 and 13:10.",  # two values
    "engines are not left idling for more than five minutes.",  # denied
    "use the tube for solutions with more than 20 % alcohol.",  # the share of something
    "a change imposed with 72 hours' notice brings a payment.",  # the value says more of a thing
]


@pytest.mark.parametrize(("sentence", "question", "answer"), TURNED)
def test_a_sentence_is_turned_round_for_its_value(
    sentence: str, question: str, answer: str
) -> None:
    """Else questions are not English, or ask for something else than the answer."""
    [value] = values_in(sentence)
    clause = clause_around(sentence, value)
    assert clause
    assert as_question(question_for(value, clause)) == question
    assert answer_of(value, clause) == answer


@pytest.mark.parametrize("sentence", UNTURNED)
def test_a_sentence_that_would_make_no_good_question_is_not_turned(sentence: str) -> None:
    """Else a person reads what nobody would ask, or what has two answers."""
    for value in values_in(sentence):
        clause = clause_around(sentence, value)
        assert not clause or not question_for(value, clause)


WORDS = st.sampled_from(
    "the a of and before must can may for staff days repaired new large boats purchase by with"
    " harbour office is were quickly roof salary 18,450 FORM-LV-03 allowed each".split()
)


@given(st.lists(WORDS, min_size=1, max_size=25), st.integers(0, 9))
def test_no_run_of_the_sentence_survives_in_any_question(words: list[str], seed: int) -> None:
    """Else the exact phrase finds the answer, and nothing is measured."""
    sentence = " ".join(words)
    asked = reworded(["How", "many", *words], sentence, Random(seed))
    assert longest_run(asked, sentence) <= LONGEST_RUN
    for shorter in shorter_forms(asked, Random(seed)) if asked else []:
        assert len(shorter.split()) < len(asked.split())


@given(st.text(max_size=200))
def test_no_text_breaks_the_taking_apart(text: str) -> None:
    """Else one odd file ends the making of a whole set."""
    for value in values_in(text):
        clause = clause_around(text, value)
        if clause:
            words = question_for(value, clause)
            assert longest_run(reworded(words, text, Random(0)), text) <= LONGEST_RUN
    assert isinstance(language_of(text), str)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The roof of the boathouse is to be mended in spring.", ENGLISH),
        ("Das Dach der Werft wird im Frühling von zwei Leuten geflickt.", "German"),
        ("Le toit de la maison est réparé par deux personnes.", "French"),
        ("港の事務所は午前七時に開きます。", UNSPACED),
        ("x = y + z; return foo bar baz qux", ""),
    ],
)
def test_the_language_of_a_text_is_told_by_its_commonest_words(text: str, language: str) -> None:
    """Else English questions are put around German sentences."""
    assert language_of(text) == language
