"""Images that go along with a question: their paths as typed, pasted or dropped."""

import re
from pathlib import Path
from urllib.parse import unquote, urlsplit

from rag_assistant.assistant import Assistant
from rag_assistant.errors import ImageError
from rag_assistant.tui.chat.run_state import Attached
from rag_assistant.values.images import read_image_bytes, refuse_images

_ESCAPED = re.compile(r"\\([^A-Za-z0-9])")
"""What terminals put a backslash before: blanks, brackets, quotes."""

_ENDINGS = (".png", ".jpg", ".jpeg", ".gif", ".webp")


def is_image_path(text: str) -> bool:
    """Tell whether a text is a single path, from the root or the home, that ends as images do."""
    path = written_path(text)
    return "\n" not in path and path.startswith(("/", "~")) and path.lower().endswith(_ENDINGS)


def written_path(text: str) -> str:
    """Give the path in a text as terminals paste it: quoted, with `\\ ` for a space, or a URI."""
    path = text.strip()
    if len(path) > 1 and path[0] == path[-1] and path[0] in "'\"":
        return path[1:-1]
    if path.startswith("file://"):
        return unquote(urlsplit(path).path)
    return _ESCAPED.sub(r"\1", path)


def attach_image(assistant: Assistant, model: str, written: str) -> Attached:
    """Check an image for a question to `model`; takes a moment.

    Raises ImageError when it is none or the model cannot see, ModelError without such a model.
    """
    path = written_path(written)
    if not path:
        raise ImageError("The path is missing.", hint="Write it: /image PATH")
    assistant.models.model(model)  # that there is one; only then are its settings known
    refuse_images(assistant.models.settings(model), model)
    file = Path(path).expanduser()
    read_image_bytes(file)
    return Attached(file)
