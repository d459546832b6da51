"""The process that recognises the text of one image by RapidOCR, whose models are in its package:
an image comes in on standard input, its text goes out. It opens no connection.

Settings are such that a page fits into the memory of a worker that reads files, whose limit this
process inherits: one thread, lines one by one, and the page searched for lines at 1280 pixels.
"""

import os
import sys
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_SETTINGS = {
    "Global.log_level": "critical",
    "Global.use_cls": False,  # lines that stand on their head
    "Det.limit_type": "max",
    "Det.limit_side_len": 1280,
    "Rec.rec_batch_num": 1,
    "EngineConfig.onnxruntime.intra_op_num_threads": 1,
    "EngineConfig.onnxruntime.inter_op_num_threads": 1,
    "EngineConfig.onnxruntime.enable_cpu_mem_arena": False,
}
_APART = 0.9  # of a line's height between two lines, above which a paragraph ends

Box = Sequence[Sequence[float]]
"""The corners of a piece of text, in pixels."""


def main() -> None:
    """Read an image, write its text as UTF-8."""
    image = sys.stdin.buffer.read()
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the library prints is no text of the image
    sys.addaudithook(_refuse_connections)
    from rapidocr import RapidOCR  # noqa: PLC0415

    found: Any = RapidOCR(params=_SETTINGS)(image)
    boxes = [] if found.boxes is None else [box.tolist() for box in found.boxes]
    text = laid_out(zip(boxes, found.txts or (), strict=True))
    out.write(text.encode("utf-8", "replace"))
    out.flush()


def _refuse_connections(event: str, _: object) -> None:
    if event in ("socket.connect", "socket.getaddrinfo"):
        raise OSError("text recognition opens no connection")


def laid_out(pieces: Iterable[tuple[Box, str]]) -> str:
    """Put pieces of text that stand beside one another on one line, with a blank line where the
    next one is far below.
    """
    return "\n".join(_lines(pieces))


def _lines(pieces: Iterable[tuple[Box, str]]) -> Iterator[str]:
    line: list[tuple[float, str]] = []
    top = bottom = 0.0
    for box, text in pieces:
        upper, lower = min(y for _, y in box), max(y for _, y in box)
        left = min(x for x, _ in box)
        if line and top < (upper + lower) / 2 < bottom:
            line.append((left, text))
            continue
        if line:
            yield " ".join(words for _, words in sorted(line))
            if upper - bottom > _APART * (lower - upper):
                yield ""
        line, top, bottom = [(left, text)], upper, lower
    if line:
        yield " ".join(words for _, words in sorted(line))


if __name__ == "__main__":
    main()
