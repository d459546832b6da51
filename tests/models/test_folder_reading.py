"""Which questions are about a folder as a whole, and how they are read."""

import json
from datetime import date
from typing import Any

import pytest

from rag_assistant.models.extractive.folder_reading import read_folder_question
from scripts.benchmarks.shared.places import CORPORA

TODAY = date(2026, 11, 23)
MARCH = {"start": date(2026, 3, 1), "end": date(2026, 4, 1)}


@pytest.mark.parametrize(
    ("question", "kind", "read"),
    [
        ("How many documents mention leave?", "documents", {"words": "leave", "shape": "list"}),
        ("Which minutes are about the roof?", "minutes", {"words": "roof", "together": False}),
        ("List all e-mails from Priya in March", "e-mails", {"author": "Priya", **MARCH}),
        ("list all emails from priya in march", "e-mails", {"author": "priya", **MARCH}),
        ("What is new since October?", "documents", {"start": date(2026, 10, 1), "end": None}),
        ("What's new this month?", "documents", {"start": date(2026, 11, 1)}),
        ("How many e-mails did Siân Probert write?", "e-mails", {"author": "Siân Probert"}),
        ("Which documents are from 2024?", "documents", {"start": date(2024, 1, 1)}),
        ("Which documents were changed after March?", "documents", {"start": date(2026, 4, 1)}),
        ("Show me the letters before 3 May 2025", "letters", {"end": date(2025, 5, 3)}),
        (
            "List the e-mails between January and March 2026",
            "e-mails",
            {"start": date(2026, 1, 1), "end": date(2026, 4, 1)},
        ),
        ("What is the newest minutes?", "minutes", {"shape": "newest", "count": 1}),
        ("Show me the three oldest letters", "letters", {"shape": "oldest", "count": 3}),
        ("How many PDF files are there?", "PDF files", {}),
        ("How many documents are PDF files?", "PDF files", {}),
        ("How many documents are there?", "documents", {"words": ""}),
        ("Which documents mention “annual leave”?", "documents", {"together": True}),
        ("Which minutes of 2025 mention the roof?", "minutes", {"words": "roof"}),
        ("In how many documents does the sum of £8,000 stand?", "documents", {"words": "£8,000"}),
        ("Are there any documents about the fence?", "documents", {"words": "fence"}),
        ("Could you tell me which files are in German?", "documents", {"language": "German"}),
        ("Which files are in the folder minutes?", "documents", {"folder": "minutes"}),
        ("How many e-mails are there per month?", "e-mails", {"shape": "groups", "by": "month"}),
        ("Who wrote most of the e-mails, and how many each?", "e-mails", {"by": "author"}),
        ("List every document that mentions leave", "documents", {"words": "leave"}),
        ("Show me the PDF files", "PDF files", {"shape": "list"}),
        ("What is in this folder?", "documents", {"shape": "list"}),
        ("What was added in the last week?", "documents", {"start": date(2026, 11, 17)}),
        ("Which document is the oldest?", "documents", {"shape": "oldest"}),
        ("Which letters are older than 2024?", "letters", {"end": date(2024, 1, 1)}),
        ("Do any of the minutes mention bees?", "minutes", {"words": "bees"}),
        ("How many files does this folder contain?", "documents", {"exists": True}),
        ("How many of the minutes mention the roof?", "minutes", {"words": "roof"}),
        ("In which minutes is the fence mentioned?", "minutes", {"words": "fence"}),
        ("What are the newest 5 documents?", "documents", {"shape": "newest", "count": 5}),
        ("How many e-mails about the roof are there?", "e-mails", {"words": "roof"}),
        ("Are there any PDF files?", "PDF files", {}),
        ("Where is the roof mentioned?", "documents", {"shape": "places", "words": "roof"}),
        ("How often is the roof mentioned in the minutes?", "minutes", {"shape": "places"}),
    ],
)
def test_questions_about_a_folder_are_read_whole(
    question: str, kind: str, read: dict[str, Any]
) -> None:
    """What no passage says would be searched for in passages, and answered wrongly."""
    asked = read_folder_question(question, TODAY)
    assert asked is not None
    assert asked.kind.called == kind
    assert {name: getattr(asked, name) for name in read} == read


@pytest.mark.parametrize(
    "question",
    [
        "How many days of leave do I get?",
        "Which documents must I bring?",
        "How many minutes before the shift must I arrive?",
        "How many minutes from the station is it?",
        "How many minutes are there?",
        "How many letters are there in the word leave?",
        "Which documents are needed for a visa?",
        "Which documents mention who signs the form?",
        "What is new in version 3?",
        "What changed since the merger?",
        "What is the latest date for sending the form?",
        "What is the longest feed hose?",
        "How many pages does the form have?",
        "How many documents do I need for the claim?",
        "How many copies of the form must be sent?",
        "How many reports of accidents were there in 2024?",
        "Which report was sent to the insurer?",
        "Which article states that workers are equal?",
        "Which policy covers theft?",
        "Which notes did the chair read out?",
        "Which invoices were paid after March?",
        "Who wrote the report on the roof?",
        "Where is the boiler found?",
        "Which document is the one to sign?",
        "Does any member have a key?",
        "How many pages does this manual contain?",
        "Where are the keys that are mentioned on page 3?",
        "List the documents needed for a visa",
        "Which documents are about leave or pay?",
        "Which e-mails are from the treasurer?",
        "How many documents mention leave? And who gets it?",
        "",
    ],
)
def test_a_question_with_an_answer_in_the_text_is_none(question: str) -> None:
    """Somebody who asks what the rules say would be told how many files there are."""
    assert read_folder_question(question, TODAY) is None


@pytest.mark.parametrize("name", ["council", "handbook", "manual"])
def test_no_question_of_the_demo_folders_is_taken_for_one(name: str) -> None:
    """Questions that people ask of their documents would get lists of them."""
    lines = (CORPORA / f"{name}.questions.jsonl").read_text(encoding="utf-8").splitlines()
    asked = [json.loads(line)["question"] for line in lines if line.strip()]
    assert [one for one in asked if read_folder_question(one, TODAY)] == []
