"""The driver of an interface whose screen is a page in a browser."""

from contextlib import suppress

from textual import messages
from textual.drivers.web_driver import WebDriver

IN_PAGE = "-page"
"""The class of the application whose screen is a page: a narrow one shows sources as a sheet."""


class PageDriver(WebDriver):
    """Ends the interface when the server that shows it is gone, however it went."""

    def start_application_mode(self) -> None:
        """Begin to draw in the page."""
        super().start_application_mode()
        self._app.add_class(IN_PAGE)

    def write(self, data: str) -> None:
        """Draw, as long as somebody sees it."""
        with suppress(BrokenPipeError):  # the server was killed: the end of its input is told soon
            super().write(data)

    def write_meta(self, data: dict[str, object]) -> None:
        """Tell the server something, as long as it is there."""
        with suppress(BrokenPipeError):
            super().write_meta(data)

    def run_input_thread(self) -> None:
        """Read until the server sends nothing more."""
        super().run_input_thread()
        self._app.post_message(messages.ExitApp())
