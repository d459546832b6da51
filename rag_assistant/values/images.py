"""Image files that go along with a question: checked by their bytes, within a size, encoded once.

What a model cannot see is refused before anything is sent.
"""

import base64
import stat
from collections.abc import Iterable
from pathlib import Path

from rag_assistant.config import EXTRACTIVE, ModelSettings
from rag_assistant.errors import ImageError
from rag_assistant.values.messages import Image

MOST_BYTES = 20 * 1024**2
"""The largest file: endpoints take images of about this size."""

_KINDS = {
    b"\x89PNG\r\n\x1a\n": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"GIF87a": "image/gif",
    b"GIF89a": "image/gif",
}


def read_image(path: Path) -> Image:
    """Read a PNG, JPEG, GIF or WebP file for a model.

    Raises ImageError for what is no such file, cannot be read, is too large, or lacks its end.
    """
    return encode_image(read_image_bytes(path))


def read_images(paths: Iterable[Path]) -> tuple[Image, ...]:
    """Read all images of a question. Raises ImageError as `read_image` does."""
    return tuple(map(read_image, paths))


def encode_image(data: bytes) -> Image:
    """Encode the bytes of an image. Raises ImageError for bytes of another kind."""
    kind = kind_of(data)
    if not kind:
        raise ImageError("Only PNG, JPEG, GIF and WebP go to a model.", hint="Convert the image.")
    return Image(kind, base64.b64encode(data).decode("ascii"))


def read_image_bytes(path: Path) -> bytes:
    """Read a PNG, JPEG, GIF or WebP file as it is. Raises ImageError as `read_image` does."""
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # a pipe or a device might never end
            raise ImageError(f"{path} is not a file.", hint="Name an image file.")
        with path.open("rb") as stream:
            data = stream.read(MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: no path has a null character
        reason = getattr(error, "strerror", None) or str(error)
        raise ImageError(
            f"The image {path} cannot be read: {reason}.", hint="Check its path and its rights."
        ) from error
    if len(data) > MOST_BYTES:
        raise ImageError(
            f"The image {path} is larger than {MOST_BYTES // 1024**2} MB.", hint="Save it smaller."
        )
    if not kind_of(data):
        raise ImageError(
            f"{path} is not a PNG, JPEG, GIF or WebP image.", hint="Convert it to one of them."
        )
    if not _has_end(data):
        raise ImageError(
            f"The image {path} is cut off: its end is missing.", hint="Copy or save it again."
        )
    return data


def _has_end(data: bytes) -> bool:
    """Tell whether the bytes go on to where an image of their kind says that it ends."""
    kind = kind_of(data)
    if kind == "image/webp":
        return len(data) >= 8 + int.from_bytes(data[4:8], "little")
    if kind == "image/jpeg":
        return data.find(b"\xff\xd9", _scan_of(data)) >= 0
    return (b"IEND" if kind == "image/png" else b"\x00;") in data


def _scan_of(data: bytes) -> int:
    """Give where the first scan of a JPEG begins (ITU-T T.81, B.1), or where it is cut off.

    Segments before it are passed over whole: a preview in one has an end of its own. What a
    telephone puts behind the image, such as a film, says nothing of the image.
    """
    place = 2
    while data[place : place + 1] == b"\xff" and data[place + 1 : place + 2] != b"\xda":
        is_fill = data[place + 1 : place + 2] == b"\xff"
        place += 1 if is_fill else 2 + int.from_bytes(data[place + 2 : place + 4], "big")
    return place


def kind_of(data: bytes) -> str:
    """Give the media type that the bytes begin with, "" for any that models do not take."""
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "image/webp"
    return next((kind for mark, kind in _KINDS.items() if data.startswith(mark)), "")


def refuse_images(settings: ModelSettings | None, name: str) -> None:
    """Raise ImageError where a model cannot see; the built-in one, without settings, never can."""
    if settings is None:
        raise ImageError(
            f"The built-in model ({EXTRACTIVE}) cannot see images.",
            hint="Choose one that can: --model NAME.",
        )
    if not settings.images:
        raise ImageError(
            f"{name} is not set up to see images.",
            hint=f"If it can, write images = true under [models.{name}]; or choose another model.",
        )
