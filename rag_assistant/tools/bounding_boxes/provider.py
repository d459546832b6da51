"""The tool `detect_bounding_box`, where it is enabled, installed, and the model can see.

It asks first, though all it writes is a new file under the home directory: it is no reading, and
the person sees which image goes to which model.
"""

import asyncio
import importlib.util
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from rag_assistant.config import ModelSettings, ToolSettings
from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import BadReply, ImageError
from rag_assistant.library.database import Database
from rag_assistant.prompts import load_prompt
from rag_assistant.text.fences import fence, new_boundary
from rag_assistant.text.safe_text import clean_line
from rag_assistant.tools.bounding_boxes import drawing
from rag_assistant.tools.bounding_boxes.files import ImageFiles
from rag_assistant.tools.bounding_boxes.replies import REPLY_SCHEMA, Box, read_boxes
from rag_assistant.tools.permission import Extent
from rag_assistant.tools.toolkit import Tool, ToolOutput
from rag_assistant.values.images import encode_image, read_image_bytes, refuse_images
from rag_assistant.values.messages import (
    AssistantMessage,
    Image,
    JsonObject,
    Message,
    Reply,
    Request,
    SystemMessage,
    ToolSpec,
    Usage,
    UserMessage,
)

NAME = "detect_bounding_box"
FOLDER = "images"
"""Where marked copies go, under the home directory."""

RETRIES = 1
"""How often a malformed reply is sent back."""


@dataclass(frozen=True, slots=True)
class Looker:
    """A model to look at images: its name, its settings (the built-in one has none), and how it is
    asked for a whole reply."""

    name: str
    settings: ModelSettings | None
    reply: Callable[[Request], Awaitable[Reply]]


class BoxesProvider:
    """Gives `detect_bounding_box` for one question, to which the files `attached` belong."""

    def __init__(
        self, settings: ToolSettings, model: Looker, home: Path, attached: Sequence[Path] = ()
    ) -> None:
        self._settings = settings
        self._model = model
        self._folder = home / FOLDER
        self._attached = tuple(attached)

    async def tools(self, databases: Sequence[Database]) -> tuple[Sequence[Tool], Sequence[str]]:
        """Give the tool, or why a run over `databases` has to do without it."""
        if not self._settings.bounding_boxes:
            return (), ()
        if importlib.util.find_spec("PIL") is None:
            return (), (f"{NAME} needs the extra 'vision': {how_to_add('vision')}",)
        try:
            refuse_images(self._model.settings, self._model.name)
        except ImageError as error:
            return (), (f"{NAME} is left out. {error}",)
        files = ImageFiles(databases, self._attached)

        async def detect(arguments: JsonObject) -> ToolOutput:
            return await self._detect(files, arguments["target_object"], arguments["image_path"])

        spec = ToolSpec(NAME, _DESCRIPTION, _SCHEMA)
        return (
            Tool(spec, detect, reads_only=False, explain=self._explain, extent=self._extent),
        ), ()

    async def renew(self, session: str) -> bool:
        """There is no session to start anew."""
        return False

    async def aclose(self) -> None:
        """Nothing is kept open."""

    @property
    def _extent(self) -> Extent:
        return Extent(
            "Look for something in an image?",
            f"the image goes to {self._model.name}",
            f"reads the image, writes a copy into {self._folder}",
        )

    def _explain(self, arguments: JsonObject) -> str:
        return (
            f"Send the image {arguments['image_path']} to {self._model.name}, which looks for: "
            f"{arguments['target_object']}; save a copy with boxes in {self._folder}."
        )

    async def _detect(self, files: ImageFiles, target: str, written: str) -> ToolOutput:
        label = clean_line(target)
        path = await asyncio.to_thread(files.find, written)
        data = await asyncio.to_thread(read_image_bytes, path)
        picture = await asyncio.to_thread(drawing.open_picture, data)
        boxes, usage = await self._look(label, encode_image(picture.data))
        if isinstance(boxes, BadReply):
            failed = f"{self._model.name} gave no usable boxes: {boxes.message}"
            hint = "Ask for one kind of object by a plain name, or do without."
            return ToolOutput(f"Error: {failed} {hint}", failed, ok=False, usage=usage)
        saved = None
        if boxes:
            name = f"{path.stem}-{label}"
            saved = await asyncio.to_thread(self._save, picture, boxes, label, name)
        size = picture.image.size
        places = [{**_told(b), "pixels": asdict(drawing.pixels_of(b, size))} for b in boxes]
        result = {
            "target_object": target,
            "image": written,
            "width": size[0],
            "height": size[1],
            "boxes": places,
            "saved": str(saved) if saved else None,
        }
        found = f"{len(boxes)} boxes, saved as {saved}" if saved else "not in the image"
        return ToolOutput(json.dumps(result, ensure_ascii=False), f"{label}: {found}", usage=usage)

    def _save(
        self, picture: drawing.Picture, boxes: tuple[Box, ...], label: str, name: str
    ) -> Path:
        drawn = drawing.draw_boxes(picture.image, boxes, label)
        encoded = drawing.encode(drawn, is_photo=picture.is_photo)
        return drawing.save_new(self._folder, name, encoded)

    async def _look(self, target: str, image: Image) -> tuple[tuple[Box, ...] | BadReply, Usage]:
        """Ask the model; a malformed reply goes back once with the reason."""
        question = fence("object", target, boundary=new_boundary(), attributes={})
        messages: tuple[Message, ...] = (
            SystemMessage(load_prompt("boxes")),
            UserMessage(question, (image,)),
        )
        usage = Usage()
        for attempts_left in range(RETRIES, -1, -1):
            reply = await self._model.reply(Request(messages, reply_schema=REPLY_SCHEMA))
            usage += reply.usage
            try:
                return read_boxes(reply.message.text), usage
            except BadReply as error:
                if not attempts_left:
                    return error, usage
                again = load_prompt("boxes_retry", reason=error.message)
                messages = (*messages, AssistantMessage(reply.message.text), UserMessage(again))
        raise AssertionError("unreachable")


def _told(box: Box) -> JsonObject:
    """Give a box for the model that asked, without what was not said of it."""
    return {name: value for name, value in asdict(box).items() if value not in (None, "")}


_DESCRIPTION = (
    "Find an object in an image and mark it: gives boxes in shares of width and height (0 to 1) "
    "and in pixels, and the path of a copy of the image with the boxes drawn. The image must be a "
    "PNG, JPEG, GIF or WebP of the databases or attached to the question."
)
_SCHEMA: JsonObject = {
    "type": "object",
    "properties": {
        "target_object": {
            "type": "string",
            "pattern": r"\S",
            "maxLength": 200,
            "description": "What to look for, such as: the red car.",
        },
        "image_path": {
            "type": "string",
            "minLength": 1,
            "maxLength": 4_096,
            "description": "The path as a search result has it, or an attached file's name.",
        },
    },
    "required": ["target_object", "image_path"],
    "additionalProperties": False,
}
