"""Images with words in them (.png .jpg .tif .bmp .webp .gif): the text that tesseract recognises,
where it is installed. A photograph without words is refused, not made an entry.
"""

from time import monotonic

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders.protocol import Loader, LoadInput
from rag_assistant.ingest.parsing.images import ocr
from rag_assistant.values.documents import Document

_MEDIA_TYPES = {
    b"\x89PNG": "image/png",
    b"\xff\xd8\xff": "image/jpeg",
    b"II*\0": "image/tiff",
    b"MM\0*": "image/tiff",
    b"BM": "image/bmp",
    b"RIFF": "image/webp",
    b"GIF8": "image/gif",
}
_SUFFIXES = frozenset(".png .jpg .jpeg .tif .tiff .bmp .webp .gif".split())


def load(source: LoadInput) -> list[Document]:
    """Read an image. Raises LoadError without tesseract and for an image without words."""
    tesseract = ocr.find()
    if tesseract is None:
        raise LoadError("image only", hint=f"To read it, {ocr.INSTALL_HINT}")
    text = tesseract.read(source.data, monotonic() + ocr.MOST_SECONDS)
    if not any(map(str.isalnum, text)):
        raise LoadError("image only: no words were recognised in it")
    kinds = (kind for mark, kind in _MEDIA_TYPES.items() if source.data.startswith(mark))
    return [Document(text, next(kinds, "image/*"), metadata={"ocr": tesseract.version})]


LOADER = Loader("image", 1, _SUFFIXES, "image/*", load)
