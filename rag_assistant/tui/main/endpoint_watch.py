"""Whether the model's endpoint can be reached, as far as it is known.

Only the host of the model that answers is looked at, and nothing is sent there.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from rag_assistant.models.reaching import EndpointAddress, place_of, reach


@dataclass(frozen=True, slots=True)
class Reach:
    """What is known of an endpoint: `where` it is and, where it is not reached, why."""

    state: Literal["unknown", "up", "down"] = "unknown"
    where: str = ""
    reason: str = ""


class EndpointWatch:
    """Knows one endpoint at a time."""

    def __init__(self, environ: Mapping[str, str]) -> None:
        self.reach = Reach()
        self._environ = environ
        self._place: EndpointAddress | None = None

    def follow(self, base_url: str) -> bool:
        """Watch this address from now on, none when it is empty; tell whether to look at once.

        One on another machine is not looked at before an answer has failed.
        """
        self._place = place_of(base_url, self._environ) if base_url else None
        self.reach = Reach()
        return self._place is not None and self._place.local

    async def look(self) -> Reach:
        """Look now, and give what is known then."""
        place = self._place
        if place is not None:
            reason = await reach(place)
            if place is self._place:  # another model may have been chosen meanwhile
                self.reach = Reach("down" if reason else "up", place.shown, reason)
        return self.reach
