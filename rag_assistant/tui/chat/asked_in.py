"""What a question was limited to, in words."""

from collections.abc import Sequence

from rag_assistant.scope import Scope, Wanted


def asked_in(wanted: Sequence[Wanted]) -> str:
    """Say it: "in 3 documents of handbook"; "" for a question of whole databases."""
    if not any(isinstance(one, Scope) for one in wanted):
        return ""
    return f"in {', '.join(map(_place, wanted))}"


def _place(one: Wanted) -> str:
    if isinstance(one, str):
        return f"all of {one}"
    folders = [path for path in one.paths if path.endswith("/")]
    files = [path for path in one.paths if not path.endswith("/")]
    named = [_counted(files, len(files) + len(one.entries), "document")]
    named.append(_counted(folders, len(folders), "folder"))
    return f"{' and '.join(filter(None, named)) or 'nothing'} of {one.database}"


def _counted(names: Sequence[str], count: int, what: str) -> str:
    """Name the only one, where it has a name; count several."""
    if count == 1:
        return names[0] if names else f"1 {what}"
    return f"{count:,} {what}s" if count else ""
