"""Questions for sentences: short, and right when they are read aloud."""

import pytest

from rag_assistant.library.fact_questions import question_of
from rag_assistant.text.written_names import Names


def names() -> Names:
    known = Names()
    known.learn("They say that influenza and dinner are not the same.")
    return known


@pytest.mark.parametrize(
    ("sentence", "question"),
    [
        ("The coordinator is Ines Okafor.", "Who is the coordinator?"),
        ("Ada Lunt is responsible for the keys.", "Who is responsible for the keys?"),
        ("Travel claims are approved by the head of unit.", "Who approves travel claims?"),
        ("A second offer must be signed by the treasurer.", "Who must sign a second offer?"),
        ("The harbour museum was founded by Ada Lunt.", "Who founded the harbour museum?"),
        ("The membership fee is 30 euro a year.", "How much is the membership fee?"),
        ("Garden tools cost £5 a day to borrow.", "How much do garden tools cost?"),
        ("Members may take up to five tools.", "How many tools may members take?"),
        (
            "Full-time staff have 26 working days of annual leave in a year.",
            "How many working days of annual leave do full-time staff have?",
        ),
        (
            "Technicians may carry over eight days of leave into the next leave year.",
            "How many days of leave may technicians carry over?",
        ),
        ("Claim forms must be sent by 31 March 2025.", "By when must claim forms be sent?"),
        ("The old lamp can be ordered until May.", "Until when can the old lamp be ordered?"),
        ("Case files are kept for five years.", "For how long are case files kept?"),
        (
            "A temporary increase can be granted for up to 30 days.",
            "For how long can a temporary increase be granted?",
        ),
        ("The tool shop opens on Saturdays at 9:00.", "When does the tool shop open on Saturdays?"),
        ("The harbour museum was opened in 1816.", "When was the harbour museum opened?"),
        ("A sabbatical (SB-1) is a long break from work.", "What is a sabbatical?"),
        ("Influenza is an illness of the lungs.", "What is influenza?"),
        ("PTW stands for permit to work.", "What does PTW stand for?"),
    ],
)
def test_a_sentence_is_asked_for_what_it_says(sentence: str, question: str) -> None:
    """Somebody new would be offered a question that nobody asks, or that is no English."""
    made = question_of(sentence, names)
    assert made is not None
    assert made.text == question


@pytest.mark.parametrize(
    "sentence",
    [
        "How long may I keep a drill that costs 5 euro?",
        "It costs 30 euro a year.",
        "They must be used by 30 June, after which they lapse.",
        "The price is £2,340 including VAT, with work in September.",
        "The repair cost £64 in fittings and a great deal of tea.",
        "If you are late, the fee is 5 euro a day.",
        "Our revised price is £18,450 including VAT.",
        "A part of the roof is a matter for the council.",
        "Tomasz is a volunteer of the library.",
        "Nothing is said here of anything at all.",
        "TextField: 30 euro",
    ],
)
def test_a_sentence_that_is_not_clear_by_itself_bears_none(sentence: str) -> None:
    """A question about "it" or "the price" has no answer that can be found."""
    assert question_of(sentence, names) is None
