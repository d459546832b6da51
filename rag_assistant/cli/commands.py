"""The commands: what declares each. The code of a command is named there, and imported when it is
used."""

from collections.abc import Callable, Mapping

from rag_assistant.cli.database_options import add_databases_command, add_embed, add_index
from rag_assistant.cli.egress_options import add_egress
from rag_assistant.cli.eval_options import add_eval
from rag_assistant.cli.history_options import add_history
from rag_assistant.cli.model_options import add_model
from rag_assistant.cli.question_options import add_ask, add_chat
from rag_assistant.cli.search_options import add_get, add_search, add_why_not
from rag_assistant.cli.serving_options import add_api, add_mcp, add_serve
from rag_assistant.cli.shared_options import CommandAdder, add_json


def _add_doctor(command: CommandAdder) -> None:
    add_json(
        command(
            "doctor",
            "doctor",
            "show what is installed, indexed and configured, and what to do next",
        )
    )


def _add_config(command: CommandAdder) -> None:
    add_json(command("config", "doctor", "show the current settings and where they are kept"))


def _add_completion(command: CommandAdder) -> None:
    completion = command("completion", "completion", "print what lets a shell complete commands")
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"))


def _add_uninstall(command: CommandAdder) -> None:
    uninstall = command(
        "uninstall",
        "uninstall",
        "say what is kept and where, and delete it if you agree",
    )
    uninstall.add_argument(
        "--yes", action="store_true", help="delete it without asking; documents always stay"
    )
    add_json(uninstall)


COMMANDS: Mapping[str, Callable[[CommandAdder], None]] = {
    "index": add_index,
    "embed": add_embed,
    "databases": add_databases_command,
    "search": add_search,
    "get": add_get,
    "why-not": add_why_not,
    "ask": add_ask,
    "chat": add_chat,
    "eval": add_eval,
    "history": add_history,
    "model": add_model,
    "serve": add_serve,
    "api": add_api,
    "mcp": add_mcp,
    "egress": add_egress,
    "doctor": _add_doctor,
    "config": _add_config,
    "completion": _add_completion,
    "uninstall": _add_uninstall,
}
