"""Which of a question's databases a call is for: the only one, the one it names, or all of them."""

from collections.abc import Mapping, Sequence
from typing import Any

from rag_assistant.errors import ToolFailed
from rag_assistant.library.database import Database
from rag_assistant.values.messages import JsonObject


class DatabaseChoice:
    """The databases that a tool may look into.

    Where there are several, its calls have an argument `database`. Their names stand in the prompt
    and not in the schema, so that ten cost a request no more than two.
    """

    def __init__(self, databases: Sequence[Database]) -> None:
        self._databases = {database.name: database for database in databases}

    def schema(
        self, properties: Mapping[str, Any], required: Sequence[str] = (), *, one: bool
    ) -> dict[str, Any]:
        """Give the schema of a tool's arguments; `one`: its calls are for one database each."""
        several = len(self._databases) > 1
        named = {"database": {"type": "string"}} if several else {}
        return {
            "type": "object",
            "properties": {**named, **properties},
            "required": [*(named if one else ()), *required],
            "additionalProperties": False,
        }

    def one(self, arguments: JsonObject) -> Database:
        """Give the database that a call names, or the only one there is. Raises ToolFailed."""
        name = str(arguments.get("database") or next(iter(self._databases), ""))
        if name not in self._databases:
            known = ", ".join(self._databases) or "none"
            raise ToolFailed(f"There is no database {name[:60]!r}.", hint=f"There are: {known}.")
        return self._databases[name]

    def some(self, arguments: JsonObject) -> list[Database]:
        """Give the database that a call names, or all where it names none. Raises ToolFailed."""
        return [self.one(arguments)] if arguments.get("database") else [*self._databases.values()]
