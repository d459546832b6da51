"""What a model is given in the fit test: a tool, a question for it, passages, a picture.

All of it is made up, so that no model can know it by heart.
"""

import base64
import struct
import zlib

from rag_assistant.agents.context import estimate
from rag_assistant.values.documents import Entry, EntryText, Location, Passage
from rag_assistant.values.evidence import Evidence, EvidenceItem
from rag_assistant.values.messages import Image, ToolSpec

GAUGE = ToolSpec(
    "read_gauge",
    "Read what one gauge of the lock shows at this moment.",
    {
        "type": "object",
        "properties": {
            "number": {"type": "integer", "description": "the gauge's number"},
            "unit": {"type": "string", "enum": ["metres", "feet"]},
        },
        "required": ["number", "unit"],
        "additionalProperties": False,
    },
)
GAUGE_QUESTION = "What does gauge 17 show at this moment, in feet?"
GAUGE_ARGUMENTS = {"number": 17, "unit": "feet"}

_TEXTS = {
    41: (
        "Toll book of Veldmoor lock",
        # The slip of the pen is meant: a model that mends it does not copy to the letter.
        "On the third of June the keeper Aldous Brink recieved 1417 crowns for the barge Halcyon, "
        "laden with slate.\nThe barge Merle passed free of toll, as it carried the mail.\n",
    ),
    58: (
        "Repairs at Veldmoor lock",
        "The upper gate was rehung in oak by the carpenter Ines Tarrow.\n"
        "The lower gate was left as it was until the frost had gone.\n",
    ),
}
ANSWERABLE = "How much toll did the keeper take for the barge Halcyon?"
ANSWER = "1417"
UNANSWERABLE = "In which year was the bell of the chapel at Ostergate cast?"

WATCHWORD = "cinnabar"
WATCHWORD_QUESTION = "Which watchword did the keeper give to the night guard of the lock?"

_SIDE = 128
_YELLOW, _PURPLE = b"\xff\xff\x00", b"\x80\x00\x80"
LEFT_COLOURS = ("yellow",)
RIGHT_COLOURS = ("purple", "violet", "magenta")


def passages() -> tuple[EntryText, ...]:
    """Give the entries that the questions are about."""
    found: list[EntryText] = []
    for number, (title, text) in _TEXTS.items():
        entry = Entry(number, title, f"{number}.txt", "text/plain", len(text))
        found.append(EntryText(entry, (Passage(text, Location(0, len(text))),)))
    return tuple(found)


def notes(tokens: int) -> str:
    """Give about so many tokens of notes; what is asked stands at their beginning.

    A server whose window is shorter than that leaves out what stands there, without a word.
    """
    lines = [f"The keeper gave the night guard of the lock the watchword {WATCHWORD}."]
    size = estimate(lines[0])
    while size < tokens:
        day = len(lines)
        lines.append(
            f"On day {day} {day % 7 + 2} barges passed; the water at mark {day % 23 + 1} stood at "
            f"{day * 37 % 400} and the toll book closed with {day * 91 % 1_700} crowns."
        )
        size += estimate(lines[-1]) + 1
    return "\n".join(lines)


def evidence() -> Evidence:
    """Give what a search gives, of which the second quote answers the question."""
    items: list[EvidenceItem] = []
    for text in reversed(passages()):
        entry, (passage,) = text.entry, text.passages
        quote = passage.text.splitlines()[0]
        place = Location(0, len(quote))
        items.append(EvidenceItem("fit", entry.id, entry.title, entry.path, quote, place, True))
    return Evidence("fit", ANSWERABLE, tuple(items), 9)


def picture() -> Image:
    """Make a PNG of 128 by 128 pixels: its left half yellow, its right half purple."""
    row = b"\x00" + _YELLOW * (_SIDE // 2) + _PURPLE * (_SIDE // 2)
    head = struct.pack(">IIBBBBB", _SIDE, _SIDE, 8, 2, 0, 0, 0)  # 8 bits of red, green, blue
    chunks = ((b"IHDR", head), (b"IDAT", zlib.compress(row * _SIDE)), (b"IEND", b""))
    data = b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(*chunk) for chunk in chunks)
    return Image("image/png", base64.b64encode(data).decode("ascii"))


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = struct.pack(">I", zlib.crc32(kind + data))
    return struct.pack(">I", len(data)) + kind + data + check
