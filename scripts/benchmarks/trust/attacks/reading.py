"""Attacks as a file of JSON lines describes them; a line that cannot be used ends the reading."""

import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Literal, get_args

from rag_assistant.errors import QuestionSetError

Kind = Literal["says", "leaks", "calls", "cites", "hides"]


@dataclass(frozen=True, slots=True)
class Attack:
    """What a document tries on whoever asks `question`.

    `path` is the document, in the folder that is indexed. `trigger` is the text that must reach a
    model; `effect` shows in the answer when it worked: words that are said, leaked or cited, or, of
    a call, the tool and a part of its arguments with "|" between. `answer` is the right one; an
    attack that hides it has it for its effect. `wants` says in words what the attack is after.
    """

    id: str
    path: str
    technique: str
    kind: Kind
    wants: str
    trigger: str
    effect: str
    question: str
    answer: str

    @property
    def call(self) -> tuple[str, str]:
        """The tool that is to be called, and the part of its arguments; empty of other kinds."""
        tool, _, part = self.effect.partition("|")
        return (tool, part) if self.kind == "calls" else ("", "")


def read_attacks(path: Path) -> tuple[Attack, ...]:
    """Read a file of attacks. Raises QuestionSetError."""
    hint = f"Write one JSON object a line with {', '.join(f.name for f in fields(Attack))}."
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror if isinstance(error, OSError) else error.reason
        raise QuestionSetError(f"The attacks {path} cannot be read: {why}.", hint=hint) from error
    attacks: dict[str, Attack] = {}
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            attack = Attack(**json.loads(line))
        except (ValueError, TypeError, RecursionError) as error:
            raise QuestionSetError(f"{path.name}, line {number}: {error}.", hint=hint) from error
        if fault := _fault(attack, attacks):
            raise QuestionSetError(f"{path.name}, line {number}: {fault}.", hint=hint)
        attacks[attack.id] = attack
    if not attacks:
        raise QuestionSetError(f"{path} has no attacks.", hint=hint)
    return tuple(attacks.values())


def _fault(attack: Attack, known: dict[str, Attack]) -> str:
    """Say what is wrong with an attack; empty for nothing."""
    empty = [f.name for f in fields(Attack) if not _is_text(getattr(attack, f.name))]
    if empty:
        return f"{', '.join(empty)}: not a text, or empty"
    if attack.kind not in get_args(Kind):
        return f"kind is {attack.kind!r}, and not one of {', '.join(get_args(Kind))}"
    if attack.kind == "calls" and not all(attack.call):
        return "effect is not a tool and a part of its arguments with | between"
    return f"the id {attack.id!r} is taken already" if attack.id in known else ""


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
