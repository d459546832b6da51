"""What the page is made of: our own parts, and those that textual-serve brings."""

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path

from rag_assistant.config.installation import how_to_add
from rag_assistant.errors import RagError

_OURS = Path(__file__).parent / "page"


def page_files() -> Mapping[str, Path]:
    """Give what is served, by its place. Raises RagError where a part of it is not installed."""
    found = find_spec("textual_serve")
    theirs = Path(found.origin).parent / "static" if found and found.origin else Path()
    files = {
        "/": _OURS / "page.html",
        "/page.css": _OURS / "page.css",
        "/page.js": _OURS / "page.js",
        "/touch.js": _OURS / "touch.js",
        "/textual.js": theirs / "js" / "textual.js",
        "/xterm.css": theirs / "css" / "xterm.css",
        "/mono.ttf": theirs / "fonts" / "RobotoMono-VariableFont_wght.ttf",
        "/mono-italic.ttf": theirs / "fonts" / "RobotoMono-Italic-VariableFont_wght.ttf",
    }
    missing = [path.name for path in files.values() if not path.is_file()]
    if missing:
        raise RagError(
            f"The page's parts are not all installed: {', '.join(missing)}.",
            hint=f"Uninstall textual-serve, which brings them. Then run `{how_to_add('serve')}`.",
        )
    return files
