"""What models are called where a person reads their names."""

from rag_assistant.config import EXTRACTIVE


def shown_name(name: str) -> str:
    """Give a model's name; the built-in one is called by what it gives."""
    return "quotes" if name == EXTRACTIVE else name
