"""The commands by name, and where each is declared: only what is wanted is imported.

The code of a command is named where it is declared, and imported when it is run.
"""

from collections.abc import Mapping
from importlib import import_module

from rag_assistant.cli.shared_options import CommandAdder

COMMANDS: Mapping[str, str] = {
    "index": "database_options.add_index",
    "embed": "database_options.add_embed",
    "databases": "database_options.add_databases_command",
    "search": "search_options.add_search",
    "get": "search_options.add_get",
    "why-not": "search_options.add_why_not",
    "ask": "question_options.add_ask",
    "chat": "question_options.add_chat",
    "eval": "eval_options.add_eval",
    "history": "history_options.add_history",
    "model": "model_options.add_model",
    "serve": "serving_options.add_serve",
    "api": "serving_options.add_api",
    "mcp": "serving_options.add_mcp",
    "egress": "egress_options.add_egress",
    "doctor": "program_options.add_doctor",
    "config": "program_options.add_config",
    "completion": "program_options.add_completion",
    "uninstall": "program_options.add_uninstall",
}
"""The function that declares each, behind the module that it stands in."""


def declare(name: str, command: CommandAdder) -> None:
    """Declare a command with its options."""
    module, _, function = COMMANDS[name].partition(".")
    getattr(import_module(f"rag_assistant.cli.{module}"), function)(command)
