"""The body of an answer, of which no more is read than there may be of it."""

from collections.abc import AsyncGenerator, AsyncIterator

import httpx2

from rag_assistant.errors import ModelError


class BoundedBody(httpx2.AsyncByteStream):
    """The body of an answer, of which `most` bytes are read.

    What is longer ends there, or raises `excess` when that is given. `taken` is how many bytes came
    so far.
    """

    def __init__(
        self, body: httpx2.AsyncByteStream, most: int, excess: ModelError | None = None
    ) -> None:
        self.taken = 0
        self._body = body
        self._most = most
        self._excess = excess

    async def __aiter__(self) -> AsyncIterator[bytes]:
        pieces = aiter(self._body)
        try:
            async for piece in pieces:
                self.taken += len(piece)
                if self.taken > self._most:
                    if self._excess:
                        raise self._excess
                    return
                yield piece
        finally:
            if isinstance(pieces, AsyncGenerator):
                await pieces.aclose()

    async def aclose(self) -> None:
        """Close the connection, or give it back when the whole body was read."""
        await self._body.aclose()
