"""Spans of days in words, on a Monday in November 2026."""

from datetime import date

import pytest

from rag_assistant.text.periods import Period, period_of

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("words", "start", "end"),
    [
        ("March", "2026-03-01", "2026-04-01"),
        ("December", "2025-12-01", "2026-01-01"),  # this one's is still to come
        ("November", "2026-11-01", "2026-12-01"),
        ("sept 2025", "2025-09-01", "2025-10-01"),
        ("2024", "2024-01-01", "2025-01-01"),
        ("2025-03-11", "2025-03-11", "2025-03-12"),
        ("the 11th of March", "2026-03-11", "2026-03-12"),
        ("29 February", "2024-02-29", "2024-03-01"),
        ("today", "2026-11-23", "2026-11-24"),
        ("yesterday", "2026-11-22", "2026-11-23"),
        ("this week", "2026-11-23", "2026-11-30"),
        ("last week", "2026-11-16", "2026-11-23"),
        ("the last week", "2026-11-17", "2026-11-24"),
        ("last month", "2026-10-01", "2026-11-01"),
        ("the last two weeks", "2026-11-10", "2026-11-24"),
        ("the past 3 months", "2026-08-23", "2026-11-24"),
        ("last year", "2025-01-01", "2026-01-01"),
    ],
)
def test_words_are_days(words: str, start: str, end: str) -> None:
    """ "E-mails in March" would be those of another month, or of a year to come."""
    assert period_of(words, TODAY) == Period(date.fromisoformat(start), date.fromisoformat(end))


@pytest.mark.parametrize(
    "words", ["", "the roof", "3/4/2025", "2.5", "last night", "0 days", "31 June"]
)
def test_other_words_are_none(words: str) -> None:
    """A topic would be taken for a date, or one of two readings be chosen unsaid."""
    assert period_of(words, TODAY) is None


def test_a_month_back_from_a_day_that_the_month_has_not() -> None:
    """On 31 March, "the last month" in days would fail."""
    assert period_of("the last month", date(2025, 3, 31)) == Period(
        date(2025, 3, 1), date(2025, 4, 1)
    )
