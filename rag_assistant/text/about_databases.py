"""Whether a question is about the databases themselves, which no document can answer."""

from collections.abc import Sequence

from rag_assistant.text.terms import content_terms

_THINGS = "database databases document documents file files entry entries folder folders index"
_ELSE = """
    indexed collection available search searched searchable hold holds contain contains list name
    names many much there inside
"""


def is_about_databases(question: str, databases: Sequence[str]) -> bool:
    """Say whether a question has no telling word but those for databases and their names."""
    asked = content_terms(question).keys()
    things = content_terms(_THINGS).keys()
    names = content_terms(" ".join(databases)).keys()
    return bool(asked & things) and asked <= things | content_terms(_ELSE).keys() | names
