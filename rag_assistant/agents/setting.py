"""What a run starts from: the question, who answers it, and what else it goes by."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from rag_assistant.agents.citations import References
from rag_assistant.agents.context import ContextPolicy, ShrinkingContext
from rag_assistant.agents.inline_commands import COMMANDS, InlineCommand
from rag_assistant.agents.tool_calls import Permissions
from rag_assistant.config import ModelSettings
from rag_assistant.config.persona import Persona
from rag_assistant.models.protocol import Model
from rag_assistant.tools.toolkit import Toolkit
from rag_assistant.values.coverage import Coverage
from rag_assistant.values.database_about import DatabaseAbout
from rag_assistant.values.messages import Image, Message


@dataclass(frozen=True, slots=True)
class RunQuestion:
    """What is asked. `coverage` says what there is to search; `history` what was said before.

    `about` says what each database holds, for the model.
    """

    text: str
    coverage: Coverage
    history: tuple[Message, ...] = ()
    images: tuple[Image, ...] = ()
    about: tuple[DatabaseAbout, ...] = ()


@dataclass(frozen=True, slots=True)
class AgentSpec:
    """Who answers: a model, the tools it may call, and the commands it may write.

    `helper` names the model that condenses entries for it; `window` is how many tokens a request
    may have, 0 for any number. The tokens of a model that `is_free` are not limited.
    """

    model: Model
    toolkit: Toolkit
    helper: str = ""
    commands: tuple[InlineCommand, ...] = COMMANDS
    window: int = 0
    is_free: bool = False


@dataclass(frozen=True, slots=True)
class RunOptions:
    """What else a run goes by.

    `references` are the numbered quotes of the conversation, which the run adds to; `settings` hold
    the prices, by the models' names. `fallback` goes on when the model fails; None when the person
    turned that off.
    """

    policy: ContextPolicy = field(default_factory=ShrinkingContext)
    permissions: Permissions = field(default_factory=Permissions)
    references: References = field(default_factory=References)
    persona: Persona | None = None
    settings: Mapping[str, ModelSettings] = field(default_factory=dict)
    fallback: AgentSpec | None = None
