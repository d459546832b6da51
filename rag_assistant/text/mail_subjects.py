"""The subjects of mails, as they are without what answering and forwarding puts before them."""

import re

_BEFORE = re.compile(r"^(?:(?:re|fwd?|aw|wg)\s*:\s*)+", re.IGNORECASE)


def without_reply(subject: str) -> str:
    """Take "Re:", "Fwd:" and the German "AW:" and "WG:" from the beginning of a subject."""
    return _BEFORE.sub("", subject)
