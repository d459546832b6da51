"""How what is attached to a message is named in its text, the same for every kind of mail."""

SIGNATURES = frozenset(
    """
    application/pgp-signature application/pgp-encrypted application/pgp-keys
    application/pkcs7-signature application/x-pkcs7-signature application/pkcs7-mime
    """.split()
)
"""Media types of what is attached for programs, and says nothing to people."""


def attachment_line(name: str, media_type: str, size: int) -> str:
    """Name an attachment with its type, if that is known, and its size in bytes."""
    notes = ", ".join(filter(None, (media_type, _size(size))))
    return f"Attachment: {name or 'unnamed'} ({notes})"


def _size(count: int) -> str:
    if count < 1000:
        return f"{count} bytes"
    return f"{count / 1000:.0f} kB" if count < 1_000_000 else f"{count / 1_000_000:.1f} MB"
