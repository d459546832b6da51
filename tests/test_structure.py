"""The rooms of the house stand on one another in one direction, whichever way an import is read.

A module's imports are read from its source three ways: those that run as it is imported; those in
functions as well; and those for the type checker as well. To import a module runs the `__init__` of
each package above it, so that counts as imported, too, but for packages that the importing module
is in itself: these have begun already. (`from package import module` names the module, and
`import a.b` names `b`.)
"""

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path

import rag_assistant

READINGS = ("module level", "and in functions", "and for types")

Graph = Mapping[str, set[str]]


def sources(root: Path) -> dict[str, Path]:
    """Give the file of each module of a package by the module's name."""
    files: dict[str, Path] = {}
    for file in sorted(root.rglob("*.py")):
        parts = [root.name, *file.relative_to(root).with_suffix("").parts]
        files[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = file
    return files


def imports(tree: ast.AST, reading: int = 0) -> Iterator[tuple[int, ast.Import | ast.ImportFrom]]:
    """Give the imports of a module, each with the first of `READINGS` that has it."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            yield reading, node
        elif isinstance(node, ast.If) and is_for_types(node.test):
            yield from imports(ast.Module(node.body, []), 2)
            yield from imports(ast.Module(node.orelse, []), reading)
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from imports(node, max(reading, 1))
        elif not isinstance(node, ast.expr):  # which has none
            yield from imports(node, reading)


def is_for_types(condition: ast.expr) -> bool:
    """Tell whether a condition holds for the type checker."""
    return any("TYPE_CHECKING" in vars(node).values() for node in ast.walk(condition))


def named(node: ast.Import | ast.ImportFrom, known: Mapping[str, Path]) -> Iterator[str]:
    """Give the modules that an import names."""
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names if alias.name in known)
        return
    assert not node.level, "imports name modules in full"
    base = node.module or ""
    full = (f"{base}.{alias.name}" for alias in node.names)
    yield from (one if one in known else base for one in full if base in known)


def packages_above(module: str) -> Iterator[str]:
    """Give the packages that a module is in, the nearest first."""
    while "." in module:
        module = module.rpartition(".")[0]
        yield module


def graphs(root: Path) -> list[Graph]:
    """Give what each module of a package imports of it, for each of `READINGS`."""
    known = sources(root)
    edges: list[dict[str, set[str]]] = [{module: set() for module in known} for _ in READINGS]
    for module, file in known.items():
        own = {module, *packages_above(module)}
        for first, node in imports(ast.parse(file.read_text(encoding="utf-8"))):
            for name in named(node, known):
                imported = {name} | ({*packages_above(name)} - own)
                for having in edges[first:]:
                    having[module] |= imported - {module}
    return [*edges]


def circles(edges: Graph) -> list[list[str]]:
    """Give the strongly connected components of more than one module (Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_ones: list[str] = []
    found: list[list[str]] = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        open_ones.append(module)
        for other in sorted(edges[module]):
            if other not in order:
                visit(other)
                lowest[module] = min(lowest[module], lowest[other])
            elif other in open_ones:
                lowest[module] = min(lowest[module], order[other])
        if lowest[module] == order[module]:
            start = open_ones.index(module)
            if len(open_ones) - start > 1:
                found.append(sorted(open_ones[start:]))
            del open_ones[start:]

    for module in sorted(edges):
        if module not in order:
            visit(module)
    return found


def test_no_imports_go_in_a_circle() -> None:
    """Modules that need each other could only be understood, tested and moved together."""
    found = [circles(edges) for edges in graphs(Path(rag_assistant.__file__).parent)]
    assert dict(zip(READINGS, found, strict=True)) == {reading: [] for reading in READINGS}


def test_each_reading_finds_its_circles(tmp_path: Path) -> None:
    """The check above would say that all is well whatever the modules import."""
    (tmp_path / "house/room").mkdir(parents=True)
    for name, source in {
        "__init__.py": "",
        "at_once.py": "import house.room.shelf\n",
        "late.py": "def later():\n    from house.by_type import x\n",
        "by_type.py": "if TYPE_CHECKING:\n    from house import by_room, late\nelse:\n    x = 1\n",
        "by_room.py": "from house.room.shelf import Shelf\n",
        "room/__init__.py": "from house.room.table import Table\n",
        "room/shelf.py": "",
        "room/table.py": "def later():\n    from house import late\n",
    }.items():
        (tmp_path / "house" / name).write_text(source)
    found = [circles(edges) for edges in graphs(tmp_path / "house")]
    rooms = ["house.by_room", "house.by_type", "house.late", "house.room", "house.room.table"]
    assert found == [[], [], [rooms]]
    (tmp_path / "house/room/shelf.py").write_text("import house.at_once\n")
    assert circles(graphs(tmp_path / "house")[0]) == [["house.at_once", "house.room.shelf"]]
