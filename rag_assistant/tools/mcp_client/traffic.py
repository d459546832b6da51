"""What is seen of one connection: how much came in, what a program said of itself, how it ended."""

import asyncio

BYTES_BETWEEN_REQUESTS = 8 * 1024 * 1024
"""How much a server may send from one request of ours to the next; what a model reads of a result
is far shorter."""

TAIL_BYTES = 4_096
"""How much is kept of what a program writes to its standard error."""


class ReplyRefused(Exception):
    """What a server sends is not taken; `Traffic.refusal` says why."""


class Traffic:
    """One connection. `ended` is set when it is over, or shall be."""

    def __init__(self) -> None:
        self.ended = asyncio.Event()
        self.refusal = ""
        """What the server did that ended the connection, to follow its name."""
        self.status = 0
        """The HTTP status of the last request, where it tells of a failure."""
        self.exit_code: int | None = None
        self.broken: list[str] = []
        """Names of tools that came without a schema of an object."""
        self._left = BYTES_BETWEEN_REQUESTS
        self._tail = b""

    def renew(self) -> None:
        """Begin to count anew: a request goes out."""
        self._left = BYTES_BETWEEN_REQUESTS
        self.status = 0

    def take(self, size: int) -> None:
        """Count what came in. Raises Refused when it is too much."""
        self._left -= size
        if self._left < 0:
            megabytes = BYTES_BETWEEN_REQUESTS // 1024 // 1024
            raise self.refuse(f"sent more than {megabytes} MB at once")

    def refuse(self, why: str) -> ReplyRefused:
        """Give the error that ends the connection, and remember why."""
        self.refusal = why
        return ReplyRefused(why)

    def keep(self, said: bytes) -> None:
        """Keep the end of what a program writes to its standard error."""
        self._tail = (self._tail + said)[-TAIL_BYTES:]

    def last_words(self) -> str:
        """Give the last line that says something."""
        lines = self._tail.decode("utf-8", "replace").splitlines()
        return next((line for line in reversed(lines) if line.strip()), "")
