"""A page of a PDF as a picture, with the words that were cited marked where the page has them."""

import json
import subprocess
import sys
import time
from base64 import b64decode
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import ImageError
from rag_assistant.files.process_keeper import ProcessKeeper

MOST_BYTES = 500 * 1024**2

MOST_MEMORY = 1024**3
"""Bytes of memory that drawing a page may take; 4,000 by 4,000 pixels are 64 million."""

SECONDS, PATIENCE = 20, 40
"""Seconds of processor time that it may take, and seconds by the clock."""

LOOKS_A_SECOND = 10
"""How often it is looked whether the picture is still wanted."""

_DRAWING = "rag_assistant.library.page_drawing"
_INSTEAD = "o opens the file."

Box = tuple[float, float, float, float]
"""Left, top, right and bottom, each as a share of the page."""


@dataclass(frozen=True, slots=True)
class PageImage:
    """A picture as PNG, and the boxes of the words in it, in order; none where they are not found.

    `number` counts from 1 to `pages`.
    """

    png: bytes
    number: int
    pages: int
    boxes: tuple[Box, ...] = ()


def page_image(
    file: Path, number: int, words: str, width: int, given_up: Callable[[], bool] = lambda: False
) -> PageImage:
    """Draw a page, `width` pixels wide, in a process of its own. It blocks: call it in a thread.

    Once `given_up` says so the process is ended. Raises ImageError then, where the page is not
    there or Pillow is not, where the file is damaged, and where drawing takes too long or too much.
    """
    if find_spec("PIL") is None:
        raise ImageError(
            "Pictures of pages need the extra 'images'.",
            hint=f"Run `{how_to_add('images')}`.",
        )
    _check(file)
    order = {"file": str(file.absolute()), "page": number, "words": words, "width": width}
    answer = _asked({**order, "memory": MOST_MEMORY, "seconds": SECONDS}, given_up)
    if "error" in answer:
        raise ImageError(answer["error"], hint=answer.get("hint", _INSTEAD))
    boxes = tuple((left, top, right, low) for left, top, right, low in answer["boxes"])
    return PageImage(b64decode(answer["png"]), number, answer["pages"], boxes)


def _asked(order: dict[str, Any], given_up: Callable[[], bool]) -> dict[str, Any]:
    """Give what the process says of an order."""
    # -P: nothing is imported from the folder that we stand in.
    command = [sys.executable, "-P", "-m", _DRAWING]
    what = f"Page {order['page']} of {Path(order['file']).name}"
    try:
        said = _said(command, json.dumps(order).encode(), given_up)
    except TimeoutError:
        raise ImageError(f"{what} was given up: it takes too long.", hint=_INSTEAD) from None
    try:
        answer: dict[str, Any] = json.loads(said)
    except ValueError:  # it was ended, by its limits or by a defect in the library
        raise ImageError(
            f"{what} was given up: it takes more memory or time than a page may.", hint=_INSTEAD
        ) from None
    return answer


def _said(command: Sequence[str], order: bytes, given_up: Callable[[], bool]) -> bytes:
    """Give what a process answers, however it ends. Raises TimeoutError."""
    pipe = subprocess.PIPE
    until = time.monotonic() + PATIENCE
    unsent: bytes | None = order
    with (
        subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL) as process,
        ProcessKeeper(process.pid, MOST_MEMORY, SECONDS),
    ):
        try:
            while time.monotonic() < until and not given_up():
                with suppress(subprocess.TimeoutExpired):
                    return process.communicate(unsent, timeout=1 / LOOKS_A_SECOND)[0]
                unsent = None  # the rest of it goes with the next look
        finally:
            process.kill()
    raise TimeoutError


def _check(file: Path) -> None:
    try:
        size = file.stat().st_size
        file.open("rb").close()
    except OSError as error:
        reason = error.strerror or str(error)
        raise ImageError(f"{file.name} cannot be read: {reason}.", hint="Is it there?") from error
    if size > MOST_BYTES:
        raise ImageError(f"{file.name} is too large for a picture.", hint=_INSTEAD)
