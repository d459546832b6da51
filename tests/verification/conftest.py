"""Assistants whose model a test scripts, as the tests of the assistant have them."""

from tests.assistant.conftest import played

__all__ = ["played"]
