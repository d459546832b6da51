"""Pictures as the wire formats carry them: inside the request, never as an address to fetch."""

from rag_assistant.values.messages import Image


def data_url(image: Image) -> str:
    """Give the picture as a `data:` address (RFC 2397)."""
    return f"data:{image.media_type};base64,{image.data}"
