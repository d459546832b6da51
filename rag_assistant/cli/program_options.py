"""Options of what concerns the program itself: `doctor`, `config`, `completion`, `uninstall`."""

from rag_assistant.cli.shared_options import CommandAdder, add_json


def add_doctor(command: CommandAdder) -> None:
    """Declare `doctor`."""
    add_json(
        command(
            "doctor",
            "doctor",
            "show what is installed, indexed and configured, and what to do next",
        )
    )


def add_config(command: CommandAdder) -> None:
    """Declare `config`."""
    add_json(command("config", "doctor", "show the current settings and where they are kept"))


def add_completion(command: CommandAdder) -> None:
    """Declare `completion`."""
    completion = command("completion", "completion", "print what lets a shell complete commands")
    completion.add_argument("shell", choices=("bash", "zsh", "fish", "powershell"))


def add_uninstall(command: CommandAdder) -> None:
    """Declare `uninstall`."""
    uninstall = command(
        "uninstall",
        "uninstall",
        "say what is kept and where, and delete it if you agree",
    )
    uninstall.add_argument(
        "--yes", action="store_true", help="delete it without asking; documents always stay"
    )
    add_json(uninstall)
