"""The driver of an interface whose screen is a page in a browser."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from textual import messages
from textual.app import App
from textual.drivers.web_driver import WebDriver

IN_PAGE = "-page"
"""The class of the application whose screen is a page: a narrow one shows sources as a sheet."""


class PageDriver(WebDriver):
    """Ends the interface when the server that shows it is gone, however it went."""

    def __init__(self, app: App[Any], **given: Any) -> None:
        super().__init__(app, **given)
        # There is no public place for it: whatever is drawn or told comes here.
        self._write = partial(_as_long_as_it_is_read, self._write)

    def start_application_mode(self) -> None:
        """Begin to draw in the page."""
        super().start_application_mode()
        self._app.add_class(IN_PAGE)

    def run_input_thread(self) -> None:
        """Read until the server sends nothing more."""
        super().run_input_thread()
        self._app.post_message(messages.ExitApp())


def _as_long_as_it_is_read(write: Callable[[bytes], int], data: bytes) -> int:
    """Write for a server that may have been killed, of which the end of the input tells soon."""
    with suppress(BrokenPipeError):
        return write(data)
    return 0
