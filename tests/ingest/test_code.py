"""A passage of source code in any language is a function or a class, where its grammar is there."""

import sys

import pytest

from rag_assistant.ingest import loaders
from rag_assistant.ingest.loaders import code
from rag_assistant.ingest.parsing.code import trees as code_trees
from rag_assistant.ingest.parsing.code.trees import MOST_PARSED, tree_definitions
from rag_assistant.ingest.passages import split
from rag_assistant.values.heading_paths import PATH_SEPARATOR
from tests.ingest.reading import read

pytest.importorskip("tree_sitter", reason="needs the extra 'code'")

C = """#include <stdio.h>
#define LARGER(a, b) ((a) > (b) ? (a) : (b))
struct list *made(void);
typedef struct node { struct node *next; } node_t;

/* Adds up. */
static int *add(struct node *one, int by)
{
    return "}";
}
int rest = 3;
"""
CPP = """namespace shop {

// What a customer wants to buy.
template <typename T>
class Basket : public Base<T> {
 public:
  double total() const { return 1; }
};
class Forward;

}  // namespace shop
#ifdef LATER
void shop::Basket<int>::empty() {
}
#endif
"""
SOURCES = {
    "a.c": (C, ["LARGER", "node_t", "add"]),
    "a.cpp": (CPP, ["shop", "shop › Basket", "shop › Basket › total", "shop::Basket<int>::empty"]),
    "a.h": (CPP, ["shop", "shop › Basket", "shop › Basket › total", "shop::Basket<int>::empty"]),
    "a.go": (
        "package a\n// S serves.\ntype S[T any] struct{ a int }\n\n// F is one.\n"
        "func (s *S[T]) F(a int) error { return nil }\nfunc G() {}\n",
        ["S", "S.F", "G"],
    ),
    "a.rs": (
        "/// Held.\n#[derive(Debug)]\npub struct B<T> { a: T }\nimpl<T> Display for B<T> {\n"
        "    fn fmt(&self) -> Result { Ok(()) }\n}\nmod inner {\n  pub fn g() {}\n}\n",
        ["B", "Display for B<T>", "Display for B<T> › fmt", "inner", "inner › g"],
    ),
    "a.cs": (
        "namespace A.B {\n  /// <summary>C</summary>\n  [Attr]\n  public class C : D {\n"
        "    public C() {}\n    int F() => 1;\n  }\n}\n",
        ["A.B", "A.B › C", "A.B › C › C", "A.B › C › F"],
    ),
    "a.java": (
        "package a;\n/** Doc. */\n@Entity\npublic class A extends B {\n  private int x;\n"
        "  @Override\n  public <T> int f(T t) { return 1; }\n}\n",
        ["A", "A › f"],
    ),
    "a.ts": (
        "/** Doc. */\nexport default class A<T> {\n  constructor(a: string) { super(); }\n}\n"
        "export const g = async (a: number) => {\n  return a;\n};\ninterface I { m(): void; }\n"
        "const data = { a: 1 };\n",
        ["A", "A › constructor", "g", "I"],
    ),
    "a.js": ("function* f() {}\nvar x = function () { return 1; }, y = 2;\n", ["f", "x"]),
    "a.tsx": ("export const App = () => <div>{x}</div>;\n", ["App"]),
    "a.kt": (
        "data class A(val x: Int) : B() {\n    companion object {\n        fun make(): A = A(1)\n"
        "    }\n}\nfun String.ext(): Int = 1\n",
        ["A", "A › make", "ext"],
    ),
    "a.swift": (
        "extension A: B {\n  init(x: Int) { }\n  func f() {}\n}\n",
        ["A", "A › init", "A › f"],
    ),
    "a.scala": ("case class C(a: Int) {\n  def h = 2\n}\nobject O {}\n", ["C", "C › h", "O"]),
    "a.rb": (
        "module M\n  class A < B\n    # f\n    def f(x)\n      1\n    end\n  end\nend\n",
        ["M", "M › A", "M › A › f"],
    ),
    "a.php": (
        "<?php\nnamespace A;\n/** Doc */\nclass B {\n  public function f() {}\n}\n"
        "function g() {}\n",
        ["B", "B › f", "g"],
    ),
}


@pytest.mark.parametrize("path", SOURCES)
def test_definitions_of_each_language_are_headings(path: str) -> None:
    """A function would be found under the name of another, or of none."""
    source, wanted = SOURCES[path]
    document = read(path, source.encode())
    names: list[str] = []
    levels: list[tuple[int, str]] = []
    for heading in document.headings:
        levels = [one for one in levels if one[0] < heading.level] + [
            (heading.level, heading.title)
        ]
        names.append(PATH_SEPARATOR.join(title for _, title in levels))
    assert names == wanted
    assert (document.text, document.media_type) == (source, "text/plain")
    assert document.lines_match_file


def test_a_definition_begins_with_its_comment_and_ends_before_what_follows() -> None:
    """A function would be read without what is said of it, or with the one behind it."""
    document = read("a.c", C.encode())
    add = document.headings[-1]
    assert document.text[add.start : add.end] == C[C.index("/* Adds") : C.index("int rest")]
    (basket,) = [one for one in read("a.cpp", CPP.encode()).headings if one.title == "Basket"]
    assert CPP[basket.start :].startswith("// What a customer wants")
    assert CPP[: basket.end].endswith("};\n")


def test_places_are_in_characters_whatever_the_bytes() -> None:
    """Behind a letter of several bytes, all headings would stand too far on."""
    source = "// Größe — 長さ 💥\r\nint size(void) { return 1; }\r\n\r\n/* 💥 */ int n;\r\n"
    document = read("a.c", source.encode())
    (heading,) = document.headings
    assert document.text[heading.start : heading.end].startswith("// Größe")
    assert document.text[: heading.end].endswith("}\n\n")


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("a.js", "class A { m() { " * 20_000),
        ("a.cpp", "}) ( = ; if else \" ' ` @ # <" * 3_000),
        ("a.rs", "(" * 100_000),
        ("a.c", "int broken(int a { return\n\nint whole(void) { return 1; }\n"),
        ("a.rb", "<<A %q( #{ ' \" ` / " * 3_000),
    ],
)
def test_broken_source_is_text_all_the_same(path: str, source: str) -> None:
    """A broken or hostile file would be lost, or its text be changed."""
    document = read(path, source.encode())
    assert document.text == source
    assert "".join(passage.text for passage in split(document)) == source


def test_what_costs_too_much_to_parse_is_plain_text_and_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A file of 200 KB would take minutes, or the process of its reader down."""
    monkeypatch.setattr(code_trees, "LEAST_SECONDS", 0.05)
    monkeypatch.setattr(code_trees, "SECONDS_A_BYTE", 0)
    source = '#"\\( { <' * 30_000
    document = read("a.swift", source.encode())
    assert (document.text, document.headings) == (source, ())
    assert document.metadata["not_parsed"] == "takes too much time or memory to parse"
    assert tree_definitions("func f() {}\n", ".swift").headings  # the parser goes on with the next
    assert "longer than" in tree_definitions("a" * (MOST_PARSED + 1), ".c").fault


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not tell the memory in use")
def test_memory_of_a_parse_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    """A parser that gets no memory ends its process."""
    monkeypatch.setattr(code_trees, "MOST_MEMORY", 1_000_000)
    assert tree_definitions("a<" * 200_000, ".cpp").fault


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        (f"{code_trees.__name__}.find_spec", None),
        ("importlib.metadata.version", "0.25.2"),
        ("importlib.metadata.version", "0.26.0"),
    ],
)
def test_without_its_grammar_source_is_plain_text(
    monkeypatch: pytest.MonkeyPatch, name: str, answer: str | None
) -> None:
    """Without the extra, or with a parser that ends its process, files of source would fail."""
    code_trees._parser.cache_clear()
    monkeypatch.setattr(name, lambda _module: answer)
    try:
        document = read("a.c", C.encode())
    finally:
        code_trees._parser.cache_clear()
    assert (document.text, document.headings, dict(document.metadata)) == (C, (), {})


def test_the_name_of_the_loader_tells_whether_the_extra_is_there() -> None:
    """Files would not be read again when the extra has been installed."""
    assert loaders.stamp(code.LOADER) == "code 1"
    assert loaders.stamps_for("x/a.go") == ("code 1",)
    assert not loaders.reads_plainly("a.go")
