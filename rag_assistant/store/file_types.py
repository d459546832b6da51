"""The suffixes of the types of files that a filter may name."""

from collections.abc import Sequence

_SUFFIXES = {
    "markdown": "md markdown mkd",
    "md": "md markdown mkd",
    "html": "html htm xhtml",
    "htm": "html htm xhtml",
    "text": "txt text log rst",
    "txt": "txt text",
    "word": "docx doc odt rtf",
    "excel": "xlsx xls xlsb xlsm ods",
    "spreadsheet": "xlsx xls xlsb xlsm ods csv tsv",
    "powerpoint": "pptx ppt odp",
    "slides": "pptx ppt odp",
    "presentation": "pptx ppt odp",
    "email": "eml msg mbox emlx",
    "mail": "eml msg mbox emlx",
    "notebook": "ipynb",
    "image": "png jpg jpeg gif bmp tif tiff webp",
    "jpg": "jpg jpeg",
    "tiff": "tif tiff",
    "yaml": "yaml yml",
}
"""Suffixes of the types that people name otherwise, or that have several."""


def suffixes_of(name: str) -> Sequence[str]:
    """Give the suffixes of a type, without the dot; a name that is none stands for itself."""
    return _SUFFIXES.get(name, name).split()
