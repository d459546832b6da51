"""Where a person wrote what each database allows: `[databases.NAME]` of config.toml in the home."""

from pathlib import Path

from rag_assistant.config import EgressPolicy, load_config
from rag_assistant.egress.gate import CONFIG_NAME
from rag_assistant.egress.ledger import EgressLedger


def set_policy(home: Path, database: str, policy: EgressPolicy) -> None:
    """Write where the text of a database may go, from now on; leave given before is forgotten.

    Raises ConfigError, and EgressError where the leave cannot be taken back.
    """
    from rag_assistant.config.writing import set_value  # noqa: PLC0415 - only a change needs it

    EgressLedger(home).forget(database)
    set_value(home / CONFIG_NAME, ("databases", database, "egress"), policy)


def forget_policy(home: Path, database: str) -> None:
    """Take out what was written for a database that is not there any more."""
    from rag_assistant.config.writing import remove_table  # noqa: PLC0415 - as above

    if (path := home / CONFIG_NAME).exists():
        remove_table(path, "databases", database)


def keep_policy(home: Path, database: str, new_name: str) -> None:
    """Let what was written for a database hold under another name as well, before it has it."""
    path = home / CONFIG_NAME
    settings = load_config(path).databases.get(database) if path.exists() else None
    if settings:
        set_policy(home, new_name, settings.egress)
