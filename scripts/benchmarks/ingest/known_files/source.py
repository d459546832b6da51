"""Writes texts as the comments of source code, in the languages that are read by their grammar."""

from scripts.benchmarks.ingest.known_files.texts import KnownText


def as_python(text: KnownText) -> bytes:
    """Write a module with a function for each part, its words the documentation."""
    functions = (
        f"def part_{number}() -> None:\n"
        f'    """{part.title}\n\n    {" ".join(part.words)}\n    """\n'
        for number, part in enumerate(text.parts())
    )
    return "\n\n".join(functions).encode()


def as_c(text: KnownText) -> bytes:
    """Write a C file with a function for each part, its words the comment before it."""
    functions = (
        f"/* {part.title}\n * {' '.join(part.words)}\n */\nint part_{number}(void) {{\n"
        f"    return {number};\n}}\n"
        for number, part in enumerate(text.parts())
    )
    return "\n".join(functions).encode()
