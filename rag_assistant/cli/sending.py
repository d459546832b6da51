"""Leave for the text of a database to go to another machine, where no run asks for it."""

import sys
from collections.abc import Sequence

from rag_assistant.cli.session import say
from rag_assistant.egress.gate import Gate, may_not_leave


def get_permission(gate: Gate, databases: Sequence[str], host: str) -> None:
    """See that text may go to a host, asking at the terminal what was never asked.

    Raises EgressError where it may not, or where nobody is there to ask.
    """
    verdicts = gate.verdicts(databases, host)
    asked = [name for name, verdict in verdicts.items() if verdict == "ask"]
    if asked and "no" not in verdicts.values() and _agrees(asked, host):
        gate.allow(asked, host, lasting=True)
        return
    if refused := [name for name, verdict in verdicts.items() if verdict != "yes"]:
        raise may_not_leave(refused, verdicts, host)


def _agrees(databases: Sequence[str], host: str) -> bool:
    if not (sys.stdin.isatty() and sys.stderr.isatty()):
        return False
    say(f"This is asked once. To take it back: rag-assistant databases egress {databases[0]} local")
    sys.stderr.write(f"May the text of {', '.join(databases)} go to {host}? [y/N] ")
    sys.stderr.flush()
    return sys.stdin.readline().strip().lower() in ("y", "yes")
