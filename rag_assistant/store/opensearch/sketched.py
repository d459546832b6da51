"""What an entry that is a whole file carries, to be compared with others for versions.

`sketched` is the generation in which it was given its name or its text: until families were looked
for in that one, its own is still to be found.
"""

from base64 import b64decode, b64encode

from rag_assistant.store.opensearch.cluster import Json
from rag_assistant.store.sketching import Sketch, keys_of, sketch_row
from rag_assistant.text.version_names import named_version
from rag_assistant.values.ledger import ReadEntry

SKETCHED = ("sketched", "sketch_keys")
"""Fields of such an entry; more of it stands in its body."""

OF_BODY = ("stem", "sentences")


def sketch(made: Json, entry: ReadEntry, token: int) -> None:
    """Let an entry be compared, of whose document `made` is; records of a file are not."""
    if not entry.key:
        _, stem, sentences = sketch_row(made["entry_id"], made["path"], entry)
        _write(made, stem, sentences, token)


def sketch_anew(made: Json, token: int) -> None:
    """Let an entry be compared anew, which goes by another path now."""
    if "sketched" in made:
        stem = named_version(made["path"]).stem
        _write(made, stem, b64decode(made["body"]["sentences"]), token)


def keep_sketch(made: Json, before: Json) -> None:
    """Let an entry be known by the sketch that it had."""
    made.update({name: before[name] for name in SKETCHED if name in before})
    made["body"].update({one: before["body"][one] for one in OF_BODY if one in before["body"]})


def sketch_of_document(one: Json) -> Sketch:
    """Read the sketch of an entry of its document."""
    return Sketch.of(one["body"]["stem"], b64decode(one["body"]["sentences"]))


def _write(made: Json, stem: str, sentences: bytes, token: int) -> None:
    made |= {"sketched": token, "sketch_keys": keys_of(stem, sentences)}
    made["body"] |= {"stem": stem, "sentences": b64encode(sentences).decode("ascii")}
