"""The names of the package as a type checker sees them: those of `rag_assistant.api`."""

from rag_assistant.api import *  # noqa: F403
from rag_assistant.api import __all__ as __all__

__version__: str
