"""Servers as clients start them, over the home of the tests of clients."""

from tests.clients.conftest import home

__all__ = ["home"]
