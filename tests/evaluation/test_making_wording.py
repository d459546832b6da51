"""Sentences turned into questions, and their words changed: by examples, and for all texts."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.evaluation.making.asking import wordings_of
from rag_assistant.evaluation.making.wording import (
    LONGEST_RUN,
    as_question,
    longest_run,
    misspelt,
    reworded,
)
from rag_assistant.library.passage_facts import Fact
from rag_assistant.text.written_names import Names

ASKED = [
    (
        "You can buy up to four extra days for the coming leave year on FORM-LV-03.",
        "You can buy up to how many extra days for the coming leave year on FORM-LV-03?",
        "four extra days",
    ),
    (
        "Up to five days may be carried into the new leave year.",
        "Up to how many days may be carried into the new leave year?",
        "five days",
    ),
    (
        "The inlet hose must not be longer than 5 m.",
        "The inlet hose must not be longer than how much?",
        "5 m",
    ),
    (
        "The money must be spent by 31 March 2026.",
        "The money must be spent by what date?",
        "31 March 2026",
    ),
    (
        "The Fund has offered £6,000 towards the accessible beds.",
        "The Fund has offered how much towards the accessible beds?",
        "£6,000",
    ),
    (
        "The station stores eight named factors.",
        "The station stores how many named factors?",
        "eight named factors",
    ),
    (
        "Appeals must be lodged within ten working days of the decision.",
        "Appeals must be lodged within how many working days of the decision?",
        "ten working days",
    ),
    (
        "If a bucket is left on the crane, the harbour master fines the skipper.",
        "What happens if a bucket is left on the crane?",
        "the harbour master fines the skipper",
    ),
    (
        "The tide tables are kept in the blue cabinet by the window.",
        "Who or what are kept in the blue cabinet by the window?",
        "the tide tables",
    ),
    (
        "Boats must be emptied in autumn because ice would burst the pipes.",
        "Why must boats be emptied in autumn?",
        "ice would burst the pipes",
    ),
]

UNASKED = [
    "They must be used by 30 June.",  # of what was said before
    "A shuttle leaves at 05:10 and 13:10.",  # two values
    "Use the tube for solutions with more than 20 % alcohol.",  # the share of something
    "From the end of a tender until 30 days later, nobody may accept a thing.",  # cut in two
]


def asked_of(sentence: str) -> list[tuple[str, tuple[str, ...]]]:
    """Give the questions for a sentence, each with its answers."""
    names = Names()
    names.learn(f"{sentence} the up a boats appeals within if you they from use")
    fact = Fact(1, sentence, sentence, "", 0)
    return [(as_question(one.words), one.answers) for one in wordings_of(fact, "", names)]


@pytest.mark.parametrize(("sentence", "question", "answer"), ASKED)
def test_a_sentence_is_asked_for_what_it_says(sentence: str, question: str, answer: str) -> None:
    """Else questions are not English, or ask for something else than the answer."""
    assert (question, (answer,)) in asked_of(sentence)


@pytest.mark.parametrize("sentence", UNASKED)
def test_a_sentence_that_would_make_no_good_question_is_not_asked(sentence: str) -> None:
    """Else a person reads what nobody would ask, or what has two answers."""
    assert asked_of(sentence) == []


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
    assert longest_run(misspelt(asked, Random(seed)), sentence) <= LONGEST_RUN


@given(st.text(alphabet="abcdefgh A", max_size=40), st.integers(0, 9))
def test_a_slip_changes_one_word_at_most_and_no_name(question: str, seed: int) -> None:
    """Else a question is about something else, or a name is another one."""
    before, after = question.split(" "), misspelt(question, Random(seed)).split(" ")
    changed = [pair for pair in zip(before, after, strict=True) if pair[0] != pair[1]]
    assert len(changed) <= 1
    assert all(word.islower() for word, _ in changed)


@given(st.text(max_size=200))
def test_no_text_breaks_the_taking_apart(text: str) -> None:
    """Else one odd file ends the making of a whole set."""
    for question, _ in asked_of(text):
        asked = reworded(question.split(), text, Random(0))
        assert longest_run(asked, text) <= LONGEST_RUN
