"""Writes the small PDF files that the tests read (ISO 32000-1, 7.5: the structure of a file)."""

from collections.abc import Sequence


def words(text: str, *, x: int = 72, y: int = 700, size: int = 12) -> bytes:
    """Show a line of text at a place, in points from the lower left."""
    escaped = text.replace("\\", r"\\").replace("(", r"\(").replace(")", r"\)")
    return f"BT /F1 {size} Tf {x} {y} Td ({escaped}) Tj ET\n".encode("latin-1")


def nameless(count: int, *, y: int = 700) -> bytes:
    """Show letters of a font that does not say which ones they are."""
    return f"BT /F2 12 Tf 72 {y} Td ({'ABCDE' * count}) Tj ET\n".encode()


def lines(texts: Sequence[str], *, y: int = 700, size: int = 12) -> bytes:
    """Show lines of text under one another."""
    return b"".join(
        words(text, y=y - number * int(size * 1.3), size=size) for number, text in enumerate(texts)
    )


NAMELESS = (
    b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding << /Type /Encoding"
    b" /Differences [65 /uniE041 /uniE042 /uniE043 /uniE044 /uniE045] >> >>"
)
IMAGE = b"q 612 0 0 792 0 0 cm /I1 Do Q\n"
"""Shows an image over the whole page."""


def pdf(
    pages: Sequence[bytes],
    *,
    info: bytes = b"",
    outline: Sequence[tuple[str, int]] = (),
    encrypted: bool = False,
    language: str = "",
) -> bytes:
    """Write a file of pages of US letter, each with its content; `outline` has page indices."""
    count = len(pages)
    first_page = 5
    first_entry = first_page + 2 * count
    kids = " ".join(f"{first_page + 2 * n} 0 R" for n in range(count))
    catalog = b"<< /Type /Catalog /Pages 2 0 R"
    catalog += f" /Lang ({language})".encode() if language else b""
    catalog += f" /Outlines {first_entry} 0 R >>".encode() if outline else b" >>"
    objects = [
        catalog,
        f"<< /Type /Pages /Count {count} /Kids [{kids}] >>".encode(),
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        b"<< /Type /XObject /Subtype /Image /Width 1 /Height 1 /ColorSpace /DeviceGray"
        b" /BitsPerComponent 8 /Length 1 >>\nstream\n\x80\nendstream",
    ]
    for number, content in enumerate(pages):
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources"
            b" << /Font << /F1 3 0 R /F2 "
            + NAMELESS
            + b" >> /XObject << /I1 4 0 R >> >>"
            + f" /Contents {first_page + 2 * number + 1} 0 R >>".encode()
        )
        objects.append(
            f"<< /Length {len(content)} >>\nstream\n".encode() + content + b"\nendstream"
        )
    if outline:
        last = first_entry + len(outline)
        objects.append(f"<< /First {first_entry + 1} 0 R /Last {last} 0 R >>".encode())
    for number, (title, page) in enumerate(outline, first_entry + 1):
        following = f" /Next {number + 1} 0 R" if number < first_entry + len(outline) else ""
        objects.append(
            f"<< /Title ({title}) /Parent {first_entry} 0 R"
            f" /Dest [{first_page + 2 * page} 0 R /Fit]{following} >>".encode()
        )
    trailer = b"/Root 1 0 R"
    if info:
        objects.append(b"<< " + info + b" >>")
        trailer += f" /Info {len(objects)} 0 R".encode()
    if encrypted:  # with a key that the empty password does not give
        key = b"<" + b"41" * 32 + b">"
        objects.append(b"<< /Filter /Standard /V 1 /R 2 /P -4 /O " + key + b" /U " + key + b" >>")
        trailer += f" /Encrypt {len(objects)} 0 R /ID [<41> <41>]".encode()
    return _file(objects, trailer)


def _file(objects: Sequence[bytes], trailer: bytes) -> bytes:
    out = b"%PDF-1.4\n"
    offsets = []
    for number, body in enumerate(objects, 1):
        offsets.append(len(out))
        out += f"{number} 0 obj\n".encode() + body + b"\nendobj\n"
    table = b"".join(f"{offset:010} 00000 n \n".encode() for offset in offsets)
    size = len(objects) + 1
    return (
        out
        + f"xref\n0 {size}\n0000000000 65535 f \n".encode()
        + table
        + f"trailer\n<< /Size {size} ".encode()
        + trailer
        + f" >>\nstartxref\n{len(out)}\n%%EOF\n".encode()
    )
