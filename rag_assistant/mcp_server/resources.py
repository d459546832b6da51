"""Entries as resources: `rag://DATABASE/ID`, listed a page at a time and read in parts."""

import json

import mcp_types as types

from rag_assistant.clients.access import ClientAccess
from rag_assistant.errors import ToolFailed
from rag_assistant.values.uris import SCHEME, entry_uri, read_entry_uri

TEMPLATES = (
    types.ResourceTemplate(
        uri_template=f"{SCHEME}://{{database}}/{{id}}",
        name="document",
        title="A document",
        description="The text of a document. A long one comes in parts: its last line says where "
        "it goes on.",
        mime_type="text/plain",
    ),
    types.ResourceTemplate(
        uri_template=f"{SCHEME}://{{database}}/{{id}}{{?start,end}}",
        name="passage",
        title="A place in a document",
        description="The passages that hold the characters from start to end, as citations name "
        "them.",
        mime_type="text/plain",
    ),
)


async def resources_page(access: ClientAccess, cursor: str | None) -> types.ListResourcesResult:
    """List the entries of all databases that are offered, a page from `cursor` on.

    A cursor is a database's name and an offset in it. Raises ToolFailed for one that is none.
    """
    names = [one["name"] for one in (await access.databases())["databases"]]
    if not names:
        return types.ListResourcesResult(resources=[])
    name, offset = _place(cursor) if cursor else (names[0], 0)
    if name not in names:
        raise ToolFailed("This cursor is of no list.", hint="Begin without one.")
    page = await access.entries(name, offset)
    after = None
    if "next_offset" in page:
        after = f"{name}:{page['next_offset']}"
    elif later := names[names.index(name) + 1 :]:
        after = f"{later[0]}:0"
    return types.ListResourcesResult(
        resources=[
            types.Resource(
                uri=one["uri"],
                name=one["path"] or one["title"],
                title=one["title"],
                description=f"{one['path']} in {name}",
                mime_type="text/plain",
            )
            for one in page["entries"]
        ],
        next_cursor=after,
    )


def _place(cursor: str) -> tuple[str, int]:
    name, _, offset = cursor.partition(":")
    if not (offset.isascii() and offset.isdecimal() and len(offset) < 12):
        raise ToolFailed("This cursor is of no list.", hint="Begin without one.")
    return name, int(offset)


async def read_resource(access: ClientAccess, uri: str) -> types.ReadResourceResult:
    """Give the text of an entry, or a part of it. Raises RagError."""
    place = read_entry_uri(uri)
    if place is None:
        raise ToolFailed(
            f"{json.dumps(uri[:100])} is no address of a document.",
            hint=f"It is written {SCHEME}://DATABASE/ID, as search gives it.",
        )
    database, entry_id, start, end = place
    part = await access.text(database, entry_id, start, end)
    text = part.text
    if part.next_start is not None:
        text += f"\n\n[It goes on at {entry_uri(database, entry_id, part.next_start)}]"
    contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
    return types.ReadResourceResult(contents=[contents])
