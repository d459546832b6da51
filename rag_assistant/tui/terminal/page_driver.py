"""The driver of an interface whose screen is a page in a browser."""

from textual import messages
from textual.drivers.web_driver import WebDriver


class PageDriver(WebDriver):
    """Ends the interface when the server that shows it is gone, however it went."""

    def run_input_thread(self) -> None:
        """Read until the server sends nothing more."""
        super().run_input_thread()
        self._app.post_message(messages.ExitApp())
