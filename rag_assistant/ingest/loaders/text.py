"""Plain text in any encoding, such as code without a reader of its own: the file's own text."""

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.values.documents import Document

SUFFIXES = frozenset(
    """
    .txt .text .log .po
    .yaml .yml .toml .ini .cfg .conf .properties .diff .patch .sql .graphql
    .groovy .pl .pm .lua .r .jl .m .sh .bash .zsh .fish .ps1 .bat .cmd .css .scss .less .vue .svelte
    .hs .ml .ex .exs .erl .clj .el .lisp .f90 .pas .vb .asm .tf .proto .cmake .gradle
    """.split()
)


def load(source: LoadInput) -> list[Document]:
    """Read text whose line n is line n of the file."""
    start = decode_start(source.data, source.most)
    decoded = start.decoded
    metadata = {} if decoded.encoding == "utf-8" else {"encoding": decoded.encoding}
    return [
        Document(
            decoded.text,
            "text/plain",
            metadata=metadata,
            lines_match_file=True,
            left_out=start.left_out(),
        )
    ]


LOADER = Loader("text", 2, SUFFIXES, "text/plain", load, plain=True)
