"""Reasoning that a server leaves in the text of a reply, kept out of the answer.

A local server without a reasoning parser streams `<think>…</think>` as the beginning of the text.
That is dropped: it is no answer, and models' own templates do not want it back. A tag anywhere else
is text. A thought that never ends takes the rest of the reply with it.
"""

_OPENING = "<think>"
_CLOSING = "</think>"


class ThoughtFilter:
    """Takes the pieces of a reply's text and gives those of the answer."""

    def __init__(self) -> None:
        self._held = ""
        self._thinking = False
        self._has_thought = False
        self._answering = False

    def feed(self, piece: str) -> str:
        """Take a piece; give what is certainly answer, often empty while it may be a thought."""
        if self._answering:
            return piece
        self._held += piece
        while not self._answering:
            tag = _CLOSING if self._thinking else _OPENING
            begun = self._held if self._thinking else self._held.lstrip()
            before, found, after = begun.partition(tag)
            if found and (self._thinking or not before):
                self._thinking, self._has_thought, self._held = not self._thinking, True, after
            elif self._thinking:
                self._held = self._held[1 - len(tag) :]
                return ""
            elif tag.startswith(begun):
                return ""
            else:
                self._answering = True
        return self.finish()

    def finish(self) -> str:
        """Give what was held back and turned out to be answer."""
        held, self._held = self._held, ""
        if self._thinking:
            return ""
        # The lines between a thought and the answer belong to neither.
        return held.lstrip() if self._has_thought else held
