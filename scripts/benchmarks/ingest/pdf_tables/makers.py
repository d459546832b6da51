"""Programs that make PDF files, each with its own way to draw a table: Chromium prints pages of
HTML, reportlab and fpdf2 lay tables out, and a writer of operators puts each word at its place.
A maker that is not on this machine makes nothing.
"""

import html
import shutil
import subprocess
from collections.abc import Callable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from scripts.benchmarks.ingest.pdf_tables.contents import PROSE, Known, before, known
from scripts.benchmarks.ingest.pdf_tables.operators import write_operators

Maker = Callable[[Sequence[Known], Path], None]

_CSS = """
@page { size: Letter; margin: 22mm } body { font: 10pt/1.35 Liberation Serif, serif }
table { border-collapse: collapse; margin: 10pt 0 } td, th { padding: 2pt 7pt; vertical-align: top }
td.n { text-align: right } th { text-align: center } td:first-child { max-width: 190pt }
.page { break-after: page } caption { text-align: left; font-weight: bold; padding-bottom: 4pt }
.grid td, .grid th { border: .6pt solid #222 }
.open td, .open th { border: .5pt solid #555 } .open tr > :first-child { border-left: none }
.open tr > :last-child { border-right: none } .open tr:first-child > * { border-top: none }
.tiles { border-collapse: separate; border-spacing: 1.5pt } .tiles td { background: #eef }
.tiles th { background: #335; color: #fff }
.pale td, .pale th { border: .7pt solid #eee }
.zebra tr:nth-child(even) td { background: #f0f0f0 }
.book thead { border-top: 1pt solid #000; border-bottom: .5pt solid #000 }
.book tbody { border-bottom: 1pt solid #000 }
.lines tr { border-bottom: .4pt solid #999 }
.vertical td + td, .vertical th + th { border-left: .5pt solid #444 }
"""
_HTML_STYLES = {
    "grid": "ruled", "open": "ruled", "tiles": "ruled", "pale": "ruled", "vertical": "ruled",
    "plain": "", "zebra": "", "book": "", "lines": "",
}  # fmt: skip
_REPORTLAB_STYLES = {"grid": "ruled", "inner": "ruled", "booktabs": "", "bare": ""}
_FPDF_STYLES = {"all": "ruled", "horizontal": "", "none": ""}
_OPERATOR_STYLES = {"boxes": "ruled", "columns": "", "kerned": ""}


def all_known(fresh: int = 0) -> dict[str, tuple[list[Known], Maker]]:
    """Give what each maker that is here makes, and how; `fresh` draws other contents."""
    found: dict[str, tuple[list[Known], Maker]] = {}
    if chromium():
        found["chromium"] = [*known(_HTML_STYLES, seed=100 + fresh)], print_by_chromium
    if find_spec("reportlab"):
        found["reportlab"] = [*known(_REPORTLAB_STYLES, seed=300 + fresh)], lay_out_by_reportlab
    if find_spec("fpdf"):
        found["fpdf2"] = [*known(_FPDF_STYLES, seed=400 + fresh)], lay_out_by_fpdf
    found["operators"] = [*known(_OPERATOR_STYLES, seed=500 + fresh, pages=False)], write_operators
    return found


def absent() -> list[str]:
    """Name the makers that are not on this machine."""
    names = [
        name
        for name, module in (("reportlab", "reportlab"), ("fpdf2", "fpdf"))
        if not find_spec(module)
    ]
    return [*names, *([] if chromium() else ["chromium"])]


def chromium() -> str | None:
    """Find a browser that prints."""
    return shutil.which("chromium") or shutil.which("google-chrome")


def print_by_chromium(tables: Sequence[Known], target: Path) -> None:
    """Print a page of HTML for each table."""
    pages = "".join(
        f'<div class="page">{_page(table, before(number))}</div>'
        for number, table in enumerate(tables)
    )
    source = target.with_suffix(".html")
    source.write_text(f"<meta charset=utf-8><style>{_CSS}</style>{pages}", encoding="utf-8")
    subprocess.run(
        [
            str(chromium()), "--headless", "--no-sandbox", "--disable-gpu",
            f"--user-data-dir={target.parent / 'profile'}",
            "--no-pdf-header-footer", f"--print-to-pdf={target}", source.as_uri(),
        ],
        check=True, capture_output=True, timeout=120,
    )  # fmt: skip


def _page(table: Known, prose: str) -> str:
    rows = []
    for row in table.heads:
        heads = "".join(f'<th colspan="{span}">{html.escape(words)}</th>' for words, span in row)
        rows.append(f"<tr>{heads}</tr>")
    body = []
    for row_ in table.rows:
        cells = [
            f"<td class={'n' if at and table.kind != 'text' else 'w'}>{html.escape(words)}</td>"
            for at, words in enumerate(row_)
        ]
        cells += ["<td></td>"] * (table.columns - len(row_))
        body.append(f"<tr>{''.join(cells)}</tr>")
    caption = f"<p><b>{table.caption}</b></p>" if table.caption else ""
    return (
        f"<p>{prose}</p>{caption}<table class={table.style}><thead>{''.join(rows)}</thead>"
        f"<tbody>{''.join(body)}</tbody></table><p>{PROSE[1]}</p>"
    )


def lay_out_by_reportlab(tables: Sequence[Known], target: Path) -> None:
    """Lay out a page for each table with reportlab's platypus."""
    from reportlab.lib.pagesizes import letter  # noqa: PLC0415
    from reportlab.lib.styles import getSampleStyleSheet  # noqa: PLC0415
    from reportlab.platypus import (  # noqa: PLC0415
        PageBreak,
        Paragraph,
        SimpleDocTemplate,
        Spacer,
        Table,
    )

    style = getSampleStyleSheet()["BodyText"]
    story: list[Any] = []
    for at, table in enumerate(tables):
        story.append(Paragraph(before(at), style))
        if table.caption:
            story.append(Paragraph(f"<b>{table.caption}</b>", style))
        count = len(table.heads)
        grid, commands = _cells(table)
        commands += _looks(table, count)
        widths = [
            180,
            *[75 if table.kind != "text" or table.columns < 4 else 110] * (table.columns - 1),
        ]
        if "people" in table.name or "remarks" in table.name:
            widths = [80, 95, 70, 170][: table.columns]
        story.append(Spacer(1, 8))
        story.append(Table(grid, colWidths=widths, style=commands, repeatRows=count, hAlign="LEFT"))
        story += [Spacer(1, 8), Paragraph(PROSE[1], style), PageBreak()]
    SimpleDocTemplate(str(target), pagesize=letter).build(story)


def _cells(table: Known) -> tuple[list[list[Any]], list[tuple[Any, ...]]]:
    """Give the cells of a table, and reportlab's commands for those that span others."""
    from reportlab.lib import colors  # noqa: PLC0415
    from reportlab.lib.styles import getSampleStyleSheet  # noqa: PLC0415
    from reportlab.platypus import Paragraph  # noqa: PLC0415

    style = getSampleStyleSheet()["BodyText"]
    commands: list[tuple[Any, ...]] = [("VALIGN", (0, 0), (-1, -1), "TOP")]
    grid: list[list[Any]] = []
    for number, row in enumerate(table.heads):
        cells: list[Any] = []
        for words, span in row:
            if span > 1:
                commands.append(("SPAN", (len(cells), number), (len(cells) + span - 1, number)))
                commands.append(("ALIGN", (len(cells), number), (len(cells), number), "CENTER"))
                if table.style == "booktabs":
                    place = (len(cells), number), (len(cells) + span - 1, number)
                    commands.append(("LINEBELOW", *place, 0.4, colors.black))
            cells += [words, *[""] * (span - 1)]
        grid.append(cells)
    for row_ in table.rows:
        label = Paragraph(row_[0], style)
        grid.append([label, *row_[1:], *[""] * (table.columns - len(row_))])
    return grid, commands


def _looks(table: Known, count: int) -> list[tuple[Any, ...]]:
    """Give reportlab's commands for a style; the table has `count` rows of heads."""
    from reportlab.lib import colors  # noqa: PLC0415

    found: list[tuple[Any, ...]] = []
    if table.kind != "text":
        found.append(("ALIGN", (1, count), (-1, -1), "RIGHT"))
        found.append(("ALIGN", (1, 0), (-1, count - 1), "RIGHT" if count == 1 else "CENTER"))
    if table.style == "grid":
        found.append(("GRID", (0, 0), (-1, -1), 0.5, colors.grey))
    elif table.style == "inner":
        found.append(("INNERGRID", (0, 0), (-1, -1), 0.5, colors.black))
    elif table.style == "booktabs":
        found += [
            ("LINEABOVE", (0, 0), (-1, 0), 1, colors.black),
            ("LINEBELOW", (0, count - 1), (-1, count - 1), 0.5, colors.black),
            ("LINEBELOW", (0, -1), (-1, -1), 1, colors.black),
        ]
    return found


def lay_out_by_fpdf(tables: Sequence[Known], target: Path) -> None:
    """Lay out a page for each table with fpdf2."""
    from fpdf import FPDF  # noqa: PLC0415
    from fpdf.fonts import FontFace  # noqa: PLC0415

    borders = {"all": "ALL", "horizontal": "HORIZONTAL_LINES", "none": "NONE"}
    pdf = FPDF(format="letter")
    for number, known_ in enumerate(tables):
        pdf.add_page()
        pdf.set_font("Helvetica", size=9)
        pdf.multi_cell(0, 5, before(number), new_x="LMARGIN", new_y="NEXT")
        if known_.caption:
            pdf.cell(0, 7, known_.caption, new_x="LMARGIN", new_y="NEXT")
        right = "LEFT" if known_.kind == "text" else "RIGHT"
        with pdf.table(
            borders_layout=borders[known_.style],
            num_heading_rows=len(known_.heads),
            headings_style=FontFace(emphasis="BOLD"),
            text_align=("LEFT", *[right] * (known_.columns - 1)),
            col_widths=(55, *[28] * (known_.columns - 1)),
            line_height=5.5, align="LEFT", width=min(190, 55 + 28 * (known_.columns - 1)),
            padding=0.8,
        ) as table:  # fmt: skip
            for head in known_.heads:
                row = table.row()
                for words, span in head:
                    row.cell(_latin(words), colspan=span, align="CENTER" if span > 1 else None)
            for cells in known_.rows:
                row = table.row()
                for words in [*cells, *[""] * (known_.columns - len(cells))]:
                    row.cell(_latin(words))
        pdf.multi_cell(0, 5, PROSE[1])
    pdf.output(str(target))


def _latin(words: str) -> str:
    return words.replace("—", "-")
