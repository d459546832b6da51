"""Questions to begin with, made of the titles and headings of a database, without a model."""

from rag_assistant.library.database import Database
from rag_assistant.values.heading_paths import PATH_SEPARATOR, section_of

MOST_ENTRIES = 60
"""Entries that are looked at: enough to find three with headings."""

LONGEST = 60
"""Characters of a title or heading that fits into a question."""


def opening_questions(database: Database, count: int = 3) -> tuple[str, ...]:
    """Make up to `count` questions that the database has something about, of entries far apart.

    Those whose sections are named come first; files that are named by their file name alone say
    too little. It blocks: call it in a thread.
    """
    with database.reading() as reader:
        sections = reader.entries.first_sections(MOST_ENTRIES, PATH_SEPARATOR)
    made = [(_question(title, heading), bool(heading)) for title, heading in sections]
    with_heading = [question for question, is_exact in made if question and is_exact]
    others = [question for question, is_exact in made if question and not is_exact]
    chosen = _apart(list(dict.fromkeys(with_heading)), count)
    return tuple(chosen + _apart(list(dict.fromkeys(others)), count - len(chosen)))


def _question(title: str, heading: str | None) -> str:
    """Make a question of a title, and of a heading below it if there is one."""
    title = " ".join(title.split())
    section = " ".join((section_of(heading) or "").split()).rpartition(PATH_SEPARATOR)[2]
    if not title or len(title) > LONGEST or len(section) > LONGEST:
        return ""
    if section and section != title:
        return f"What does “{title}” say about “{section}”?"
    return f"What is “{title}” about?"


def _apart(questions: list[str], count: int) -> list[str]:
    """Choose questions as far from one another as there are."""
    if count <= 0 or len(questions) <= count:
        return questions[: max(0, count)]
    return [questions[place * len(questions) // count] for place in range(count)]
