"""A picture in half blocks: two pixels to a cell, which every terminal of many colours can show."""

import io
from functools import lru_cache

from rich.color import Color
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Size
from textual.strip import Strip
from textual.widget import Widget


@lru_cache(maxsize=4096)
def _cell(upper: bytes, lower: bytes) -> Style:
    return Style(color=Color.from_rgb(*upper), bgcolor=Color.from_rgb(*lower))


class HalfBlocks(Widget):
    """Shows a PNG over the whole width, as high as it is then."""

    DEFAULT_CSS = "HalfBlocks { width: 100%; height: auto; }"

    def __init__(self, png: bytes) -> None:
        super().__init__()
        from PIL import Image  # noqa: PLC0415 - an extra, and slow to load

        self._picture = Image.open(io.BytesIO(png)).convert("RGB")
        self._rows: list[Strip] = []
        self._across = 0

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Keep its proportions: a cell is twice as high as it is wide."""
        across, down = self._picture.size
        return max(1, round(width * down / max(1, across) / 2))

    def render_line(self, y: int) -> Strip:
        """Draw one row of cells."""
        width, height = self.size
        if self._across != width or len(self._rows) != height:
            self._across, self._rows = width, self._drawn(width, height)
        return self._rows[y] if y < len(self._rows) else Strip.blank(width)

    def _drawn(self, width: int, height: int) -> list[Strip]:
        pixels = self._picture.resize((max(1, width), max(1, 2 * height))).tobytes()
        row = 3 * width
        strips = []
        for top in range(0, 2 * height * row, 2 * row):
            cells = [
                Segment("▀", _cell(pixels[at : at + 3], pixels[at + row : at + row + 3]))
                for at in range(top, top + row, 3)
            ]
            strips.append(Strip(cells, width))
        return strips
