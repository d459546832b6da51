"""The XML of office documents and e-books, which is untrusted: parsed without entities, network or
unbounded depth and memory.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from rag_assistant.errors import LoadError
from rag_assistant.ingest.room import TooLarge

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


_CHUNK = 65_536  # bytes
_MOST_ELEMENTS = 10_000_000  # of a stream
_MOST_HELD = 16_000_000  # bytes that may pass without an element that is wanted
_MOST_MEMORY = 1_000_000_000  # bytes that a tree may take, by the estimate of `refuse_size`
_NODE = 120  # bytes of libxml2's xmlNode, which elements and texts are
_ATTRIBUTE = 96 + _NODE
_DECLARES = re.compile(rb"<!\s*(?:ENTITY|ELEMENT|ATTLIST)")


def parse(data: bytes, name: str) -> "Element":
    """Parse a member; `name` is for the reason. Raises LoadError when it is broken or hostile."""
    from lxml import etree  # noqa: PLC0415  slow to import, and only office files need it

    _refuse_declared(data, name)
    refuse_size(data, name)
    try:
        root = etree.fromstring(data, etree.XMLParser(**_safe()))
    except (etree.XMLSyntaxError, ValueError) as error:
        raise _broken(error, name) from None
    _refuse_entities(root, name)
    return root


def stream(data: bytes, name: str, tags: Sequence[str]) -> Iterator["Element"]:
    """Give the elements of these local names as they end; what is read is freed as it goes.

    For members too large for a tree. None of `tags` may stand within another of them, nor hold
    more than some megabytes. An element is good until the next is asked for.
    """
    from lxml import etree  # noqa: PLC0415

    _refuse_declared(data, name)
    names = [f"{{*}}{tag}" for tag in tags]
    parser = etree.XMLPullParser(("end",), tag=names, **_safe())
    root: Element | None = None
    count = 0
    held = 0  # bytes fed since something was last freed
    try:
        for start in range(0, len(data), _CHUNK):
            parser.feed(data[start : start + _CHUNK])
            held += _CHUNK
            events: Iterable[tuple[str, Element]] = parser.read_events()  # type: ignore[assignment]
            for _, element in events:
                count += 1
                if root is None:
                    root = element.getroottree().getroot()
                    _refuse_entities(root, name)
                held = 0
                yield element
            if root is not None and _freed(root, tags):
                held = 0
            if count > _MOST_ELEMENTS:
                raise TooLarge(f"too large: {name[:100]} has over {_MOST_ELEMENTS:,} elements")
            if held > _MOST_HELD:
                raise LoadError(f"broken file: {name[:100]} is not of the form of its kind")
        parser.close()
    except etree.XMLSyntaxError as error:
        raise _broken(error, name) from None


def _safe() -> Any:
    """Give the settings of a parser that reads one file and nothing else."""
    return {
        "resolve_entities": False,
        "no_network": True,
        "load_dtd": False,
        "huge_tree": False,
        "remove_comments": True,
        "remove_pis": True,
    }


def _freed(root: "Element", tags: Sequence[str]) -> bool:
    """Remove the elements that have ended; False when it stopped at one of `tags` that has not."""
    node = root
    while len(node):
        del node[:-1]
        node = node[-1]
        if local(node) in tags:
            return False
    return True


def refuse_size(data: bytes, name: str) -> None:
    """Raise LoadError when a tree of this markup, XML or HTML, would take too much memory."""
    memory = 2 * len(data) + _NODE * data.count(b"<") + _ATTRIBUTE * data.count(b"=")
    if memory > _MOST_MEMORY:
        reason = f"needs too much memory: {name[:100]} has {len(data) // 1_000_000} MB"
        raise LoadError(reason, hint="Split it into smaller files.")


def _refuse_declared(data: bytes, name: str) -> None:
    if _DECLARES.search(data):
        raise LoadError(f"refused: {name[:100]} declares entities, which no office program does")


def _refuse_entities(element: "Element", name: str) -> None:
    """Refuse entities that were not seen in the bytes, as in UTF-16; libxml2 limits their growth.

    A document type that names a file is harmless, as that is never read; e-books have it.
    """
    declared: Any = element.getroottree().docinfo.internalDTD
    if declared is not None and any(True for _ in declared.iterentities()):
        raise LoadError(f"refused: {name[:100]} declares entities, which no office program does")


def _broken(error: Exception, name: str) -> LoadError:
    said = " ".join(str(error).split())
    if "xcessive depth" in said:
        return LoadError("nested too deep", hint="Flatten it, or leave it out.")
    if "Resource limit" in said or "huge" in said.lower():  # libxml2's, which it words anew
        return LoadError(f"too large: {name[:100]} has a text or name of more than 10 MB")
    hint = "Open it in its program and save it anew."
    return LoadError(f"broken XML in {name[:100]}: {said[:150]}", hint=hint)


def local(element: "Element") -> str:
    """Give the name of an element without its namespace: there are two of each, and one meaning."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def attribute(element: "Element", name: str, *, qualified: bool = False) -> str:
    """Give the attribute of this local name, "" if there is none; `qualified`: in a namespace."""
    for key, value in element.attrib.items():
        space, _, found = str(key).rpartition("}")
        if found == name and (space or not qualified):
            return str(value)
    return ""


def all_text(element: "Element") -> str:
    """Give all text within an element, with white space folded."""
    return " ".join("".join(map(str, element.itertext())).split())


def child(element: "Element", *path: str) -> "Element | None":
    """Follow the first children of these local names; None where one is missing."""
    found: Element | None = element
    for name in path:
        if found is None:
            return None
        found = next((inner for inner in found if local(inner) == name), None)
    return found
