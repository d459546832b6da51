"""The driver of an interface whose screen is a page in a browser."""

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

    def run_input_thread(self) -> None:
        """Read until the server sends nothing more."""
        super().run_input_thread()
        self._app.post_message(messages.ExitApp())
