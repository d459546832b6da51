"""LaTeX (.tex, .latex): the words of the document without its commands, line for line, under its
sections. What comes before `\\begin{document}` gives only the title, the authors and the date.
"""

from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.markup import latex_text
from rag_assistant.ingest.parsing.text_start import decode_start
from rag_assistant.values.documents import Document

_MEDIA_TYPE = "text/x-tex"


def load(source: LoadInput) -> list[Document]:
    """Read a file. One that is commands only, such as a style, stays as it is written."""
    start = decode_start(source.data, source.most)
    found = latex_text.read(start.decoded.text)
    facts = dict(found.facts)
    title = facts.pop("title", "")
    text = "".join(found.parts)
    metadata = {name: said for name, said in facts.items() if said}
    if not any(map(str.isalnum, text)):
        text, found = start.decoded.text, latex_text.LatexText()
    if start.decoded.encoding != "utf-8":
        metadata["encoding"] = start.decoded.encoding
    return [
        Document(
            text,
            _MEDIA_TYPE,
            title=title,
            headings=tuple(found.headings),
            code=tuple(found.code),
            metadata=metadata,
            lines_match_file=True,
            left_out=start.left_out(),
        )
    ]


LOADER = Loader("latex", 3, frozenset({".tex", ".latex", ".ltx"}), _MEDIA_TYPE, load, plain=True)
