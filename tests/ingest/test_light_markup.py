"""LaTeX, Org, AsciiDoc and reStructuredText: a passage must name its section, and a quote must be
found in the file at the line that is told.
"""

from pathlib import Path
from time import process_time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag_assistant.errors import LoadError
from rag_assistant.ingest.loaders import load, loader_for
from rag_assistant.ingest.loaders.protocol import LoadInput
from rag_assistant.ingest.passages import split
from tests.ingest.reading import outline, read

TEX = r"""\documentclass[11pt]{article}
\usepackage[utf8]{inputenc} % not text
\title{The \emph{Glacier}\\ of 1901}
\author{J\"urgen M\"{u}ller \and Ann \AA s}
\begin{document}
\maketitle
\section[short]{Loss \& gain}\label{sec:loss}
The glacier lost 90\,\% of its mass~\cite{berg2020,lind} --- see Section~\ref{sec:loss}. % hidden
\textbf{Bold} words, ``quoted'', caf\'e na\"{\i}ve, $E = mc^2$ and \href{https://e.org}{a link}.
% a line that is out
\begin{itemize}
  \item First
  \item[b)] Second\footnote{A note.}
\end{itemize}
\begin{equation}
  \frac{a}{b} = \alpha \label{eq:1}
\end{equation}
\subsection{Tables}
\begin{tabular}{lr}
Year & Mass \\ 1901 & 12 \\
\end{tabular}
\begin{verbatim}
% kept \section{no}
\end{verbatim}
\begin{comment}
\section{never}
\end{comment}
\end{document}
after
"""

ORG = """#+TITLE: Garden plan
#+author: Ann Berg
* TODO [#A] Beds and [[https://e.org][paths]]  :spring:work:
Words *not a heading*
** Roses
#+BEGIN_SRC python
x = 1
#+END_SRC
*bold* at the start
* Tools
"""

ADOC = """= Pump manual
Ann Berg <ann@example.org>
:revdate: 2026-01-05

Before.

== Safety `first` ==
[source]
----
== no title
----
////
=== hidden
////
Wear a helmet.

Cleaning
--------
Words.

=== Filters
|===
| a | b
|===
"""

RST = """=============
Field guide
=============

:Author: Ann Berg
:Date: 2026-01-05

Birds of ``wet`` *places*
=========================
Words.

Ducks
-----
.. code-block:: python

    Geese
    -----
    x = 1

After the code.

Herons
------

====  ====
one   two
====  ====

Plants
======
"""


def test_latex_is_its_words_under_its_sections() -> None:
    """A search would find commands, and what was commented out; a passage would name no section."""
    document = read("a.tex", TEX.encode())
    lines = document.text.split("\n")
    for number, line in enumerate(lines):
        if "Bold words" in line:
            assert TEX.split("\n")[number].startswith("\\textbf{Bold}")
    assert [" ".join(line.split()) for line in lines if line.strip()] == [
        "Loss & gain",
        "The glacier lost 90% of its mass [berg2020,lind] — see Section .",
        "Bold words, “quoted”, café naïve, $E = mc^2$ and https://e.org a link.",
        "- First",
        "-[b)] Second A note.",
        "\\frac{a}{b} = \\alpha \\label{eq:1}",
        "Tables",
        "Year | Mass 1901 | 12",
        "% kept \\section{no}",
    ]
    assert outline(document) == [(2, "Loss & gain"), (3, "Tables")]
    assert document.title == "The Glacier, of 1901"
    assert document.metadata == {"author": "Jürgen Müller, Ann Ås"}
    assert document.lines_match_file
    assert [document.text[start:end].strip() for start, end in document.code] == [
        "% kept \\section{no}"
    ]
    assert document.text.count("\n") == TEX.count("\n") - 2  # those behind the document's end


def test_a_caption_of_latex_stays_apart_from_its_table() -> None:
    """The last word of a caption and the first cell would be one word that nobody looks for."""
    table = r"\begin{table}\caption{Trips by \emph{month}}\begin{tabular}{lr}June & 40 \\"
    source = f"{table}\n\\end{{tabular}}\\end{{table}}\n\\caption{{Over\ntwo lines}}\nEnd\n"
    document = read("a.tex", source.encode())
    assert document.text.startswith("Trips by month June  |  40")
    assert document.text.count("\n") == source.count("\n")


def test_a_style_of_latex_stays_text() -> None:
    """A file of commands alone would vanish from the index."""
    style = "\\newcommand{\\fish}{x}\n\\setlength{\\parskip}{1em}\n"
    assert read("style.tex", style.encode()).text == style


def test_org_has_its_headlines() -> None:
    """Notes would name no section, or one with tags and keywords of tasks."""
    document = read("a.org", ORG.encode())
    assert document.text == ORG
    assert [(one.level, one.title) for one in document.headings] == [
        (1, "Beds and paths"),
        (2, "Roses"),
        (1, "Tools"),
    ]
    assert document.title == "Garden plan"
    assert document.metadata == {"author": "Ann Berg"}
    assert [document.text[start:end] for start, end in document.code] == [
        "#+BEGIN_SRC python\nx = 1\n#+END_SRC"
    ]


def test_asciidoc_has_its_titles() -> None:
    """Manuals would name no section, or one that stands in a listing."""
    document = read("a.adoc", ADOC.encode())
    assert document.text == ADOC
    assert [(one.level, one.title) for one in document.headings] == [
        (1, "Pump manual"),
        (2, "Safety first"),
        (2, "Cleaning"),
        (3, "Filters"),
    ]
    assert document.title == "Pump manual"
    assert document.metadata == {"date": "2026-01-05"}
    assert len(document.code) == 1


def test_restructured_text_has_its_titles() -> None:
    """Documentation would name no section, or one that stands in its code."""
    document = read("a.rst", RST.encode())
    assert document.text == RST
    assert [(one.level, one.title) for one in document.headings] == [
        (1, "Field guide"),
        (2, "Birds of wet places"),
        (3, "Ducks"),
        (3, "Herons"),
        (2, "Plants"),
    ]
    assert document.title == "Field guide"
    assert document.metadata == {"author": "Ann Berg", "date": "2026-01-05"}
    (code,) = document.code
    assert document.text[slice(*code)].endswith("x = 1")


@pytest.mark.parametrize(
    ("path", "text", "line"),
    [
        ("a.tex", TEX, "Bold"),
        ("a.org", ORG, "Roses"),
        ("a.adoc", ADOC, "helmet"),
        ("a.rst", RST, "After"),
    ],
)
def test_the_line_of_a_passage_is_that_of_the_file(path: str, text: str, line: str) -> None:
    """A person who follows a citation would stand at another place."""
    document = read(path, text.encode())
    for passage in split(document, target=60, longest=90):
        at = passage.text.find(line)
        if at >= 0:
            told = passage.place(at, at + len(line)).line
            assert told is not None
            assert line in text.split("\n")[told - 1]
            return
    raise AssertionError(f"{line} is in no passage")


PIECES = st.sampled_from(
    ["\\section{", "}", "{", "%", "$", "\\begin{verbatim}", "\\end{verbatim}", "\\", "\n", "\n\n",
     "* ", "== ", "----", "====", "a b", "é", "\\cite{", "[", "]", "\\begin{document}", ".. code::",
     "  ", "#+BEGIN_SRC", "#+END_SRC", ":author: x", "~", "&", "\\'", "\\item"]
)  # fmt: skip


@given(st.lists(PIECES, max_size=60).map("".join), st.sampled_from("tex org adoc rst".split()))
def test_any_markup_is_read_with_its_lines(text: str, suffix: str) -> None:
    """A half-written file would fail, or its lines move."""
    source = LoadInput(f"a.{suffix}", text.encode())
    loader = loader_for(source.path, source.data)
    assert loader is not None
    try:
        (document,) = load(loader, source)
    except LoadError as error:
        assert error.message == "no text in it"
        return
    assert text.startswith(document.text) if suffix != "tex" else True
    assert document.text.count("\n") == text.count("\n")
    starts = [heading.start for heading in document.headings]
    assert starts == sorted(starts)
    assert "".join(passage.text for passage in split(document)) == document.text


@pytest.mark.soak
def test_hostile_markup_costs_no_time() -> None:
    """Braces, listings or signs without end would take the square of the length."""
    start = process_time()
    for path, text in (
        ("a.tex", "{" * 500_000),
        ("a.tex", "\\section{" * 100_000),
        ("a.tex", "\\emph{\\begin{equation}" * 50_000),
        ("a.tex", "$a " * 300_000),
        ("a.tex", "\\[" * 300_000 + "x"),
        ("a.tex", "\\newcommand" + "{x}" * 300_000 + "words"),
        ("a.tex", "\\title[" * 100_000 + "\\begin{document}x"),
        ("a.tex", "\\foo" + " [" * 300_000 + "x"),
        ("a.org", "* " * 500_000 + "x"),
        ("a.org", "* x" + " :a" * 300_000),
        ("a.org", "* " + "[[a" * 300_000),
        ("a.adoc", "= x" + " =" * 500_000),
        ("a.adoc", "=" * 1_000_000 + "\nx"),
        ("a.rst", "=" * 1_000_000 + "\nx\n" + "=" * 1_000_000),
        ("a.rst", "x\n" + "`<" * 300_000),
        ("a.rst", "\n".join(["x", "="] * 100_000)),
    ):
        assert read(path, text.encode()).text
    assert process_time() - start < 15


def test_long_lines_and_other_encodings_are_read(tmp_path: Path) -> None:
    """A file in an old encoding, or of one line, would be garbage or hold up the run."""
    assert read("a.tex", "Gr\xfc\xdfe aus K\xf6ln, sch\xf6n".encode("latin-1")).metadata == {
        "encoding": "cp1252"
    }
    start = process_time()
    for suffix in ("tex", "org", "adoc", "rst"):
        assert len(read(f"a.{suffix}", b"word " * 2_000_000).text) == 10_000_000
    assert process_time() - start < 20
