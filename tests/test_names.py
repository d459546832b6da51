"""A name stands for one thing: public classes of the package have names of their own."""

import ast
from collections import defaultdict
from pathlib import Path

import rag_assistant

ONE_PROTOCOL = {
    "Assembler": "what puts a reply together of the events of one wire format",
}
"""Names of several classes that implement one protocol, and what that is."""


def public_classes(root: Path) -> dict[str, list[str]]:
    """Give the files that define a public class, by its name."""
    defined: dict[str, list[str]] = defaultdict(list)
    for file in sorted(root.rglob("*.py")):
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                defined[node.name].append(str(file.relative_to(root)))
    return defined


def test_public_class_names_are_unique() -> None:
    """A reader would have to ask of each `Found` or `Part` which of several is meant."""
    defined = public_classes(Path(rag_assistant.__file__).parent)
    shared = {name: files for name, files in defined.items() if len(files) > 1}
    assert {name: files for name, files in shared.items() if name not in ONE_PROTOCOL} == {}
    assert shared.keys() == ONE_PROTOCOL.keys(), "an exception that is needed no more"


def test_a_shared_name_is_found(tmp_path: Path) -> None:
    """The check above would say that all is well whatever the classes are called."""
    for name in ("one", "two"):
        (tmp_path / f"{name}.py").write_text("class Found:\n    pass\n\nclass _Own:\n    pass\n")
    assert public_classes(tmp_path) == {"Found": ["one.py", "two.py"]}
