"""Opening an image within limits, drawing boxes with a label on a copy, and saving that copy.

Lines and letters grow with the image. What Pillow says of a broken image becomes one line.
"""

import math
import re
from dataclasses import dataclass
from io import BytesIO
from itertools import count, cycle
from pathlib import Path
from typing import TYPE_CHECKING

from rag_assistant.errors import ImageError
from rag_assistant.ingest.parsing.images.image_size import size_of
from rag_assistant.tools.bounding_boxes.replies import Box
from rag_assistant.values.images import kind_of

if TYPE_CHECKING:
    from PIL import Image, ImageFont

MOST_PIXELS = 50_000_000
"""Of an image: opened it takes four bytes for each, twice while it is drawn on."""

_COLOURS = ("#d62728", "#1f77b4", "#2ca02c", "#9467bd", "#e377c2", "#8c564b")
_ORIENTATION = 0x0112  # of EXIF
_NO_NAME = re.compile(r"[^A-Za-z0-9_-]+")


@dataclass(frozen=True, slots=True)
class Picture:
    """An opened image, upright, and the bytes of it that a model is to see, upright as well."""

    image: "Image.Image"
    data: bytes
    is_photo: bool


@dataclass(frozen=True, slots=True)
class Rectangle:
    """A rectangle of pixels; all four sides belong to it."""

    left: int
    top: int
    right: int
    bottom: int


def open_picture(data: bytes) -> Picture:
    """Open the bytes of an image, turned as its camera was held. Raises ImageError."""
    from PIL import Image, ImageOps  # noqa: PLC0415 - an extra

    size = size_of(data)  # by the header alone: nothing is unpacked before its size is known
    _check_size(size or (0, 0))
    try:
        with Image.open(BytesIO(data), formats=("PNG", "JPEG", "GIF", "WEBP")) as opened:
            _check_size(opened.size)
            turned = opened.getexif().get(_ORIENTATION, 1) != 1
            image = _in_colours(ImageOps.exif_transpose(opened))
    except ImageError:
        raise
    except Exception as error:  # broken images raise nearly anything
        raise _broken() from error
    is_photo = kind_of(data) == "image/jpeg"
    return Picture(image, encode(image, is_photo=is_photo) if turned else data, is_photo)


def _check_size(size: tuple[int, int]) -> None:
    if 0 in size:
        raise _broken()
    if size[0] * size[1] > MOST_PIXELS:
        raise ImageError(
            f"The image has {size[0]:,} x {size[1]:,} pixels; {MOST_PIXELS:,} can be drawn on.",
            hint="Save it smaller.",
        )


def _broken() -> ImageError:
    return ImageError("The image is broken.", hint="Open it in another program and save it anew.")


def _in_colours(image: "Image.Image") -> "Image.Image":
    """Give an image of any kind as one that colours can be drawn on."""
    if image.mode.startswith("I"):  # greys of 16 bits, which converting alone would make white
        image = image.convert("I").point(lambda grey: grey * (1 / 256)).convert("L")
    return image.convert("RGBA" if image.has_transparency_data else "RGB")


def encode(image: "Image.Image", *, is_photo: bool) -> bytes:
    """Give an image as bytes of a JPEG, or of a PNG; nothing goes along but its pixels."""
    bare = image.copy()
    bare.info.clear()
    stream = BytesIO()
    if is_photo and bare.mode == "RGB":
        bare.save(stream, "JPEG", quality=90)
    else:
        bare.save(stream, "PNG")
    return stream.getvalue()


def pixels_of(box: Box, size: tuple[int, int]) -> Rectangle:
    """Give the pixels that a box covers, one at least, all of them in the image."""
    width, height = size
    left, top = min(int(box.x0 * width), width - 1), min(int(box.y0 * height), height - 1)
    right, bottom = math.ceil(box.x1 * width) - 1, math.ceil(box.y1 * height) - 1
    return Rectangle(left, top, max(left, right), max(top, bottom))


def draw_boxes(image: "Image.Image", boxes: tuple[Box, ...], label: str) -> "Image.Image":
    """Draw boxes with a label each on a copy."""
    from PIL import ImageDraw, ImageFont  # noqa: PLC0415 - an extra

    copy = image.copy()
    draw = ImageDraw.Draw(copy)
    shorter = min(copy.size)
    thickness = max(2, shorter // 200)
    font = ImageFont.load_default(max(11, shorter // 35))
    text, written = _fitting(label, font, copy.width)
    for box, colour in zip(boxes, cycle(_COLOURS), strict=False):
        place = pixels_of(box, copy.size)
        corners = (place.left, place.top, place.right, place.bottom)
        draw.rectangle(corners, outline=colour, width=thickness)
        if text:
            x, y = place_label(place, written, copy.size)
            draw.rectangle((x, y, x + written[0] - 1, y + written[1] - 1), fill=colour)
            draw.text((x + written[0] / 2, y + written[1] / 2), text, "white", font, anchor="mm")
    return copy


def _fitting(
    label: str, font: "ImageFont.FreeTypeFont | ImageFont.ImageFont", width: int
) -> tuple[str, tuple[int, int]]:
    """Shorten a label until it fits the width, to nothing if need be; give the room it takes."""
    for length in range(len(label), 0, -1):
        text = label if length == len(label) else f"{label[:length]}…"
        left, top, right, bottom = font.getbbox(text)
        margin = math.ceil((bottom - top) / 3)
        room = math.ceil(right - left) + 2 * margin, math.ceil(bottom - top) + 2 * margin
        if room[0] <= width:
            return text, room
    return "", (0, 0)


def place_label(box: Rectangle, label: tuple[int, int], image: tuple[int, int]) -> tuple[int, int]:
    """Give the upper left corner of a label: above its box, or inside where there is no room."""
    x = max(0, min(box.left, image[0] - label[0]))
    above = box.top - label[1]
    return x, above if above >= 0 else max(0, min(box.top, image[1] - label[1]))


def save_new(folder: Path, name: str, data: bytes) -> Path:
    """Save an image's bytes under a name made of `name`, never over another file.

    Raises ImageError when it cannot be written.
    """
    stem = _NO_NAME.sub("-", name).strip("-")[:60] or "image"
    suffix = ".jpg" if kind_of(data) == "image/jpeg" else ".png"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for number in count(1):
            path = folder / (f"{stem}{suffix}" if number == 1 else f"{stem}-{number}{suffix}")
            try:
                with path.open("xb") as stream:
                    stream.write(data)
                return path
            except FileExistsError:
                continue
    except OSError as error:
        raise ImageError(
            f"The marked image cannot be saved in {folder}: {error.strerror}.",
            hint="Make room, or make that folder writable.",
        ) from error
    raise AssertionError("unreachable")
