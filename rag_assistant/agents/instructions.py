"""What a model is told beside the conversation: the system prompt, and remarks on one request.

The rules on evidence come last in the system prompt: no persona stands behind them.
"""

from collections.abc import Sequence
from datetime import date

from rag_assistant.agents.inline_commands import InlineCommand, describe
from rag_assistant.config.persona import Persona
from rag_assistant.prompts import load_prompt


def instructions(
    databases: Sequence[str], commands: Sequence[InlineCommand], persona: Persona | None
) -> str:
    """Give the system prompt of a run; of each database its name, or what it holds."""
    return load_prompt(
        "answer",
        databases="\n".join(f"- {one}" for one in databases),
        today=f"{date.today():%A, %Y-%m-%d}",
        commands=_section("commands", commands=describe(commands)),
        persona=_section("persona", persona=_described(persona)),
    )


def remarks(*, last: bool, scarce: str, left_out: int, no_tools: bool = False) -> str:
    """Say what a model must know of one request: limits that are near, what it is not shown.

    `no_tools` says that the whole run has none.
    """
    said = []
    if left_out:
        said.append(load_prompt("left_out", count=str(left_out)))
    if no_tools:
        said.append(load_prompt("no_tools"))
    elif last:
        said.append(load_prompt("last_step"))
    elif scarce:
        said.append(load_prompt("limits", left=scarce))
    return "\n\n".join(said)


def _section(prompt: str, **variables: str) -> str:
    """Give a section set off by empty lines, or nothing when there is nothing to say in it."""
    if not any(variables.values()):
        return ""
    return f"\n{load_prompt(prompt, **variables)}\n"


def _described(persona: Persona | None) -> str:
    if persona is None:
        return ""
    lines = (
        ("Your name", persona.name),
        ("Your tone", persona.tone),
        ("Standing wishes of the person", persona.instructions),
    )
    return "\n".join(f"- {what}: {words.strip()}" for what, words in lines if words.strip())
