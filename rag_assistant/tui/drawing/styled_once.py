"""Screens open without being styled twice."""

from textual.events import ScreenResume


class StyledOnce:
    """What a screen is that opens with the styles that its parts were just made with.

    Textual makes them all anew when a screen comes to the front, for what may have changed while it
    was behind another; at the first time that takes a tenth of a start, and changes nothing.
    """

    _was_open = False

    def on_screen_resume(self, event: ScreenResume) -> None:
        """Leave them as they are when it opens. This comes before what Textual does."""
        if not self._was_open:
            self._was_open = True
            event.refresh_styles = False
