"""The texts that models read, one file each, with named variables written `$name`."""

from importlib.resources import files
from string import Template


def load_prompt(name: str, /, **variables: str) -> str:
    """Give the prompt `name` filled in.

    Raises ValueError when `variables` are not exactly the ones that the file names: a prompt with
    a hole, or a value that goes nowhere, is a defect of the program.
    """
    template = Template(files(__name__).joinpath(f"{name}.md").read_text(encoding="utf-8"))
    named = set(template.get_identifiers())
    if named != variables.keys():
        raise ValueError(f"prompt {name!r} names {sorted(named)}, given {sorted(variables)}")
    return template.substitute(variables).strip()
