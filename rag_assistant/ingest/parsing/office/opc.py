"""The Open Packaging Conventions of Office files (ECMA-376-2): which part of the zip refers to
which, and the core properties.
"""

import posixpath
from dataclasses import dataclass
from typing import TYPE_CHECKING

from rag_assistant.errors import LoadError
from rag_assistant.ingest.parsing.markup.xml_tree import all_text, attribute, child, local, parse
from rag_assistant.ingest.parsing.metadata import tidy
from rag_assistant.ingest.parsing.zip_container import ZipContainer, resolve

if TYPE_CHECKING:
    from lxml.etree import _Element as Element

_MOST_NAMED = 20
_COUNTS = "docProps/app.xml"
_PROPERTIES = {
    "title": "title",
    "creator": "author",
    "created": "created",
    "modified": "modified",
    "subject": "subject",
    "keywords": "keywords",
    "description": "description",
    "category": "category",
    "language": "language",
    "lastModifiedBy": "last_modified_by",
}


@dataclass(frozen=True, slots=True)
class Relation:
    """What a part refers to: the last word of the relation's type, and the other part's name."""

    kind: str
    target: str


def relations(container: ZipContainer, part: str) -> dict[str, Relation]:
    """Read what a part refers to within the package, by relation id (ECMA-376-2, 6.5).

    The package itself is the part "". What is outside of the package is left out.
    """
    folder, name = posixpath.split(part)
    file = posixpath.join(folder, "_rels", f"{name}.rels")
    if file not in container:
        return {}
    found: dict[str, Relation] = {}
    for element in parse(container.read(file), file):
        if element.get("TargetMode", "").lower() != "external":
            kind = element.get("Type", "").rpartition("/")[2]
            target = resolve(folder, element.get("Target", ""))
            found[element.get("Id", "")] = Relation(kind, target)
    return found


def main_part(container: ZipContainer, usual: str) -> str:
    """Give the name of the part that is the document; `usual` where the package names none."""
    for relation in relations(container, "").values():
        if relation.kind == "officeDocument" and relation.target in container:
            return relation.target
    if usual not in container:
        raise LoadError(f"not such a document: it has no {usual}")
    return usual


def properties(container: ZipContainer) -> dict[str, str]:
    """Read the core properties (ECMA-376-2, 8), and name the files that are embedded.

    A title that a program made up is left out. "pages" is how many a program last counted.
    """
    names = [relation.target for relation in relations(container, "").values()
             if relation.kind == "core-properties"]  # fmt: skip
    name = next((name for name in [*names, "docProps/core.xml"] if name in container), "")
    values: dict[str, str] = {}
    if name:
        try:
            for element in parse(container.read(name), name):
                if key := _PROPERTIES.get(local(element)):
                    values.setdefault(key, all_text(element))
        except LoadError:
            values = {"unreadable": name}
    return tidy(values) | _counted(container) | _embedded(container)


def _counted(container: ZipContainer) -> dict[str, str]:
    """Read the count of pages (ECMA-376-1, 22.2.2.20); no other count is of what a person sees."""
    try:
        root = parse(container.read(_COUNTS), _COUNTS) if _COUNTS in container else None
    except LoadError:
        return {}
    pages = child(root, "Pages") if root is not None else None
    said = all_text(pages).strip() if pages is not None else ""
    return {"pages": said} if said.isdecimal() else {}


def relation_id(element: "Element") -> str:
    """Give the relation id that an element bears (`r:id`, `r:embed`, `r:dm`)."""
    for name in ("id", "dm", "embed"):
        if value := attribute(element, name, qualified=True):
            return value
    return ""


def _embedded(container: ZipContainer) -> dict[str, str]:
    names = [posixpath.basename(name) for name in container.names() if "/embeddings/" in name]
    names = [name for name in names if name]
    if not names:
        return {}
    more = len(names) - _MOST_NAMED
    listed = ", ".join(name[:100] for name in names[:_MOST_NAMED])
    return {"embedded": f"{listed} and {more} more" if more > 0 else listed}
