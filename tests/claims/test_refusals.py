"""Answers that say themselves that the documents do not hold the answer."""

import pytest

from rag_assistant.claims.refusals import is_refusal


@pytest.mark.parametrize(
    "text",
    [
        "The documents do not say what the roof cost in 2024.",
        "I could not find anything about parking permits. I searched for permit and parking.",
        "Unfortunately, the documents do not contain this information. The nearest is the fee of"
        " 2023, £40 [1].",
        "I searched for “roof cost 2024” and read three entries. None of them gives the cost.",
        "That is not stated in the documents.",
        "The price could not be determined from what was read.",
        "There is no information about this in the database.",
        "The documents do not answer this [1][2].",
        "Die Dokumente enthalten dazu keine Angaben.",
        "Les documents ne précisent pas le prix.",
        "Los documentos no contienen esa información.",
        "De documenten zeggen daar niets over.",
        "I read what was found. It does not answer it.",
    ],
)
def test_a_refusal_is_told_by_its_words(text: str) -> None:
    """An honest refusal would be judged as a claim, and replaced by a vaguer one."""
    assert is_refusal(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "Parents get 16 weeks of leave [1].",
        "The permit costs 40 euro [1]. The documents do not say when it is due.",
        "No, employees may not carry over more than eight days [1].",
        "The policy does not cover contractors [1]. It covers all employees [2].",
        "The committee did not find any breach [1].",
        "The motion was not found to be valid [1].",
        "The records name no payment after May [1].",
        "The documents do not give a date. The roof was paid for in May [1]. It cost £5,400 [2].",
    ],
)
def test_an_answer_is_no_refusal(text: str) -> None:
    """An answer that denies something would be shown as if the documents were silent."""
    assert not is_refusal(text)
