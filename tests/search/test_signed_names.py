"""Names and operators that are told apart by their signs are found by them."""

from pathlib import Path

import pytest

from rag_assistant.library.library import Library
from rag_assistant.library.searching import search_databases
from rag_assistant.text.signed_names import signed_words
from tests.conftest import write_files

FILES = {
    "plus.md": "Our engine is written in C++, of the standard C++17, by three people.\n",
    "sharp.md": "Our editor is written in C# for .NET 8, by three people.\n",
    "plain.md": "Our driver is written in C, the net income is paid to three people.\n",
    "vitamin.md": "Vitamin C and C and C again, written by three people about the net.\n",
    "pointer.c": "#include <stdio.h>\nint size(struct list *one) { return one->size; }\n",
    "include.md": "Please include the size of the list, standard input and output.\n",
    "options.md": "Call the tool with `--no-cache` and `--watch` to follow changes.\n",
    "watch.md": "No watch is kept in the cache: whoever steals a watch is a thief.\n",
    "rust.rs": "fn size(one: &str) -> usize { std::mem::take(&mut one).len() }\n",
    "ignore.md": "What .gitignore names is left out.\n",
    "names.py": "def readFileNow(fileName):\n    return snake_case_name.dotted_part(fileName)\n",
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Library:
    root = tmp_path_factory.mktemp("signs")
    made = Library(root / "home")
    made.index(write_files(root / "signs", FILES))
    return made


def search(library: Library, text: str) -> list[str]:
    """Give the paths of what is found, best first."""
    return [hit.path for hit in search_databases([library.database("signs")], text, 5).hits]


@pytest.mark.parametrize(
    ("text", "path"),
    [
        ("C++", "plus.md"),
        ("what is written in c++", "plus.md"),
        ("C#", "sharp.md"),
        ("what is written in csharp?", "sharp.md"),
        (".NET", "sharp.md"),
        ("dotnet", "sharp.md"),
        ('"written in C#" people', "sharp.md"),
        ("#include", "pointer.c"),
        ("#include size", "pointer.c"),
        ("one->size", "pointer.c"),
        ("what does :: mean", "rust.rs"),
        ("--watch", "options.md"),
        ("what does --no-cache do", "options.md"),
        (".gitignore", "ignore.md"),
        ("readFileNow", "names.py"),
        ("read_file_now", "names.py"),
        ("file name", "names.py"),
        ("snakeCaseName", "names.py"),
        ("snake_case_name.dotted_part", "names.py"),
        ("dotted part", "names.py"),
    ],
)
def test_what_has_the_sign_comes_first(library: Library, text: str, path: str) -> None:
    """C++ would find vitamin C, and an operator nothing at all."""
    assert search(library, text)[0] == path


def test_an_operator_alone_finds_what_has_it(library: Library) -> None:
    """A question of nothing but signs would find nothing."""
    assert set(search(library, "->")) == {"pointer.c", "rust.rs"}


def test_signs_that_nothing_has_find_nothing(library: Library) -> None:
    """What is asked for would be taken for something else."""
    assert search(library, "<=>") == []


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("c++11, G++ and Notepad++; i++, count++, ++n", "cplusplus gplusplus notepadplusplus"),
        ("F# and C#, but no ABC#, a#b, C## or page/#here", "fsharp csharp"),
        ("#define X, #fff, #abcdef, # Title, #18, &#xe4;", "hashdefine"),
        (".NET, ./run, ../up, e.g., 'x'.join(y), a.b, .map(x), .5, ...and", "dotnet"),
        ("--a-b_c and -- or ----- or x--y", "optionabc"),
        ("a->b, x === y, ==== and --> but ** or >>", "minusgreater equalsequalsequals"),
        ("An ordinary text: 16 weeks - at most (3.5 kWh). “So?” He left … 5 < 6.", ""),
    ],
)
def test_only_what_is_such_a_name_has_a_word(text: str, words: str) -> None:
    """The index would grow by marks that mean nothing, or lack a name."""
    assert set(signed_words(text)) == set(words.split())


def test_quotes_of_a_signed_name_are_exact_about_its_words(library: Library) -> None:
    """An exact phrase with a sign in it would demand what stands nowhere."""
    assert search(library, '"editor is written in C#"') == ["sharp.md"]


def test_a_file_that_was_read_before_is_found_the_same_way_after_a_new_name(
    tmp_path: Path,
) -> None:
    """A renamed file would lose the words that stand beside its text."""
    library = Library(tmp_path / "home")
    folder = write_files(tmp_path / "signs", FILES)
    library.index(folder)
    (folder / "plus.md").rename(folder / "more.md")
    library.index(folder)
    assert search(library, "C++")[0] == "more.md"
