"""The one object that a front end holds, and the conversations it leads."""

from rag_assistant.assistant.assistant import Assistant

__all__ = ["Assistant"]
