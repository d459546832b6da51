"""Writes texts in the formats that are plain characters with marks in them."""

import csv
import html
import io
import quopri
import re
from collections.abc import Iterator, Sequence

from scripts.benchmarks.ingest.known_files.texts import KnownText, Piece
from scripts.benchmarks.ingest.pdf_tables.contents import Known

Row = Sequence[tuple[str, int]]
"""The words of cells, with how many columns each spans."""


def rows_of(table: Known) -> Iterator[Row]:
    """Give all rows of a table; one that names a section has a single cell."""
    yield from table.heads
    for row in table.rows:
        yield [(words, 1) for words in row]


def as_plain(text: KnownText) -> bytes:
    """Write plain text, its paragraphs apart."""
    return text.words.replace("\n", "\n\n").encode()


def _blocks(text: KnownText, heading: str, item: str, table: "_TableForm") -> bytes:
    """Write pieces as paragraphs apart; `heading` is repeated by the level of one."""
    out = []
    for one in text.pieces:
        if isinstance(one, Known):
            out.append(table(one))
        elif one.kind == "heading":
            out.append(f"{heading * one.level} {one.words}")
        else:
            out.append(f"{item} {one.words}" if one.kind == "item" else one.words)
    return ("\n\n".join(out) + "\n").encode()


class _TableForm:
    """How tables look: what a row begins and ends with, what is between cells, below heads."""

    def __init__(self, begin: str, between: str, end: str, rule: str) -> None:
        self.begin, self.between, self.end, self.rule = begin, between, end, rule

    def __call__(self, table: Known) -> str:
        lines = [
            f"{self.begin}{self.between.join(words for words, _ in row)}{self.end}"
            for row in rows_of(table)
        ]
        if self.rule:
            rule = f"|{'|'.join([self.rule] * table.columns)}|"
            lines.insert(len(table.heads), rule)
        return "\n".join([*([table.caption, ""] if table.caption else []), *lines])


def as_markdown(text: KnownText) -> bytes:
    """Write a Markdown file."""
    return _blocks(text, "#", "-", _TableForm("| ", " | ", " |", " --- "))


def as_org(text: KnownText) -> bytes:
    """Write a file of Org mode."""
    return _blocks(text, "*", "-", _TableForm("| ", " | ", " |", "---"))


def as_asciidoc(text: KnownText) -> bytes:
    """Write an AsciiDoc file, whose tables stand between lines of signs."""
    form = _TableForm("|", " |", "", "")

    def table(one: Known) -> str:
        rows = form(Known(one.name, one.kind, one.style, one.heads, one.rows))
        return f".{one.caption}\n|===\n{rows}\n|==="

    return _blocks(text, "=", "*", table)  # type: ignore[arg-type]


def as_rst(text: KnownText) -> bytes:
    """Write a file of reStructuredText, its table by commas."""
    out = []
    for one in text.pieces:
        if isinstance(one, Known):
            target = io.StringIO()
            csv.writer(target, lineterminator="\n   ").writerows(_plain_rows(one))
            out.append(f".. csv-table:: {one.caption}\n\n   {target.getvalue().rstrip()}")
        elif one.kind == "heading":
            rule = ("=" if one.level == 1 else "-") * (2 * len(one.words))
            out.append(f"{one.words}\n{rule}")
        else:
            out.append(f"- {one.words}" if one.kind == "item" else one.words)
    return ("\n\n".join(out) + "\n").encode()


def as_latex(text: KnownText) -> bytes:
    """Write a LaTeX file."""
    signs = {"%": r"\%", "&": r"\&", "$": r"\$", "#": r"\#", "_": r"\_", "–": "--"}

    def escaped(words: str) -> str:
        return re.sub("[%&$#_–]", lambda found: signs[found[0]], words)

    out = [r"\documentclass{article}\usepackage[utf8]{inputenc}\begin{document}"]
    for one in text.pieces:
        if isinstance(one, Known):
            rows = (
                " & ".join(escaped(words) for words, _ in row) + r" \\ \hline"
                for row in rows_of(one)
            )
            form = "l" * one.columns
            body = "\n".join(rows)
            out.append(
                rf"\begin{{table}}\caption{{{escaped(one.caption)}}}"
                rf"\begin{{tabular}}{{{form}}}{body}\end{{tabular}}\end{{table}}"
            )
        elif one.kind == "heading":
            out.append(rf"\{'sub' * (one.level - 1)}section{{{escaped(one.words)}}}")
        elif one.kind == "item":
            out.append(rf"\begin{{itemize}}\item {escaped(one.words)}\end{{itemize}}")
        else:
            out.append(escaped(one.words))
    return "\n\n".join([*out, r"\end{document}"]).encode()


def html_body(text: KnownText) -> str:
    """Give the body of a page; it is XHTML as well."""
    out = []
    for one in text.pieces:
        if isinstance(one, Known):
            out.append(html_table(one))
        elif one.kind == "heading":
            out.append(f"<h{one.level}>{html.escape(one.words)}</h{one.level}>")
        elif one.kind == "item":
            out.append(f"<ul><li>{html.escape(one.words)}</li></ul>")
        else:
            out.append(f"<p>{html.escape(one.words)}</p>")
    return "\n".join(out)


def html_table(table: Known) -> str:
    """Give a table as HTML."""
    lines = []
    for number, row in enumerate(rows_of(table)):
        tag = "th" if number < len(table.heads) else "td"
        cells = (f'<{tag} colspan="{span}">{html.escape(words)}</{tag}>' for words, span in row)
        lines.append(f"<tr>{''.join(cells)}</tr>")
    caption = f"<caption>{table.caption}</caption>" if table.caption else ""
    return f"<table>{caption}{''.join(lines)}</table>"


def as_html(text: KnownText) -> bytes:
    """Write a page."""
    head = f"<head><meta charset=utf-8><title>{text.title}</title></head>"
    return f"<!doctype html><html lang={text.language}>{head}<body>{html_body(text)}".encode()


def as_xhtml(text: KnownText) -> bytes:
    """Write a page that is XML."""
    head = f"<head><title>{text.title}</title></head>"
    page = f'<html xmlns="http://www.w3.org/1999/xhtml">{head}<body>{html_body(text)}</body></html>'
    return f'<?xml version="1.0" encoding="utf-8"?>{page}'.encode()


def as_mhtml(text: KnownText) -> bytes:
    """Write a page as browsers save it."""
    return (
        b"From: <Saved by Blink>\r\nMIME-Version: 1.0\r\n"
        b"Content-Type: multipart/related; boundary=b\r\n\r\n"
        b"--b\r\nContent-Type: text/html; charset=utf-8\r\n"
        b"Content-Transfer-Encoding: quoted-printable\r\n\r\n"
        + quopri.encodestring(as_html(text))
        + b"\r\n--b--\r\n"
    )


def as_docbook(text: KnownText) -> bytes:
    """Write a DocBook article; the sections of level 2 stand in that of level 1."""
    out: list[str] = []
    opened = 0
    for one in text.pieces:
        if isinstance(one, Known):
            rows = (
                f"<row>{''.join(f'<entry>{html.escape(words)}</entry>' for words, _ in row)}</row>"
                for row in rows_of(one)
            )
            out.append(f"<table><title>{one.caption}</title><tgroup cols='{one.columns}'><tbody>")
            out.append("".join(rows) + "</tbody></tgroup></table>")
        elif one.kind == "heading":
            out.append("</section>" * (opened - one.level + 1))
            out.append(f"<section><title>{html.escape(one.words)}</title>")
            opened = one.level
        elif one.kind == "item":
            item = f"<listitem><para>{html.escape(one.words)}</para></listitem>"
            out.append(f"<itemizedlist>{item}</itemizedlist>")
        else:
            out.append(f"<para>{html.escape(one.words)}</para>")
    body = "\n".join(out) + "</section>" * opened
    return f'<?xml version="1.0"?>\n<article>{body}</article>'.encode()


def as_fb2(text: KnownText) -> bytes:
    """Write a FictionBook, each part a section."""
    sections = []
    for part in text.parts():
        words = "".join(f"<p>{html.escape(one)}</p>" for one in part.words)
        sections.append(
            f"<section><title><p>{html.escape(part.title)}</p></title>{words}</section>"
        )
    info = f"<title-info><book-title>{html.escape(text.title)}</book-title></title-info>"
    book = f"<description>{info}</description><body>{''.join(sections)}</body>"
    space = "http://www.gribuser.ru/xml/fictionbook/2.0"
    return f'<?xml version="1.0"?><FictionBook xmlns="{space}">{book}</FictionBook>'.encode()


def as_rtf(text: KnownText) -> bytes:
    """Write an RTF file, each letter that is not ASCII by its number."""
    out = []
    for one in text.pieces:
        if isinstance(one, Piece):
            out.append(rf"\pard {_rtf(one.words)}\par")
            continue
        if one.caption:
            out.append(rf"\pard {one.caption}\par")
        out += (
            r"\pard\intbl " + "".join(rf"{_rtf(words)}\cell " for words, _ in row) + r"\row"
            for row in rows_of(one)
        )
    return ("{\\rtf1\\ansi\\ansicpg1252\\uc1 " + "\n".join(out) + "}").encode()


def _rtf(words: str) -> str:
    escaped = re.sub(r"[\\{}]", lambda found: "\\" + found[0], words)
    return "".join(
        letter if letter.isascii() else rf"\u{(ord(letter) + 2**15) % 2**16 - 2**15}?"
        for letter in escaped
    )


def _plain_rows(table: Known) -> list[list[str]]:
    return [[words for words, _ in row] for row in rows_of(table)]


def as_csv(text: KnownText, sign: str = ",") -> bytes:
    """Write the tables of a text as values with a sign between them."""
    target = io.StringIO()
    for table in text.tables:
        csv.writer(target, delimiter=sign).writerows(_plain_rows(table))
    return target.getvalue().encode()


def as_tsv(text: KnownText) -> bytes:
    """Write the tables of a text as values with tabs between them."""
    return as_csv(text, "\t")
