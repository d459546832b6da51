"""What a question is answered with: values, and the few things that are asked while it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag_assistant.config import Config
    from rag_assistant.config.persona import Persona
    from rag_assistant.egress.gate import Policies
    from rag_assistant.library.library import Library
    from rag_assistant.models.pool import Models
    from rag_assistant.tools.provider import MakeProviders


@dataclass(frozen=True, slots=True)
class Setup:
    """The databases, the models in use, what may leave this machine, and the settings.

    `extra_tools` makes what gives a conversation tools beside those of the databases.
    """

    library: Library
    models: Models
    policies: Policies
    config: Config
    extra_tools: MakeProviders = tuple
    persona: Persona | None = None
