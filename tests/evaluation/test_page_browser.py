"""The page of a report in a real browser: clicked through, and never in need of a server."""

import json
from collections.abc import AsyncGenerator, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("websockets", reason="the extra `serve` is not installed")

from rag_assistant.evaluation.measuring.report import MeasuredQuestion, Report
from rag_assistant.evaluation.reports.page import report_page
from tests.evaluation.made_reports import made_report, saying
from tests.web.browser import CHROMIUM, NO_CHROMIUM, Tab, browser, new_tab

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

HOSTILE = "</script><script>ran=1</script><img src=x onerror='ran=1'>\u202egnp. javascript:alert(1)"

WIDE, NARROW = 1280, 360

CONTRAST = """(() => {
    const light = part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    const canvas = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const parts = colour => {
        canvas.clearRect(0, 0, 1, 1);
        canvas.fillStyle = colour;
        canvas.fillRect(0, 0, 1, 1);
        return [...canvas.getImageData(0, 0, 1, 1).data];
    };
    const bright = ([r, g, b]) =>
        0.2126 * light(r / 255) + 0.7152 * light(g / 255) + 0.0722 * light(b / 255);
    const ground = one => {
        for (let at = one; at; at = at.parentElement) {
            const colour = parts(getComputedStyle(at).backgroundColor);
            if (colour[3] === 255) return colour;
        }
        return [255, 255, 255, 255];
    };
    const poor = [];
    let read = 0;
    for (const one of document.querySelectorAll("main *")) {
        const said = [...one.childNodes].some(each => each.nodeType === 3 && each.data.trim());
        if (!said || !one.checkVisibility() || one.closest(":disabled, .unseen, option")) continue;
        const style = getComputedStyle(one);
        const colour = parts(one.closest("svg") ? style.fill : style.color);
        const [a, b] = [bright(colour), bright(ground(one))].sort((x, y) => y - x);
        if ((a + 0.05) / (b + 0.05) < 4.5) poor.push(one.textContent.slice(0, 40));
        read += 1;
    }
    return read > 100 ? poor : ["nothing was there to be read"];
})()"""
"""Texts whose contrast is under 4.5: WCAG 2.2, 1.4.3, by its formula of relative luminance."""


@pytest.fixture(scope="module")
def chromium(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """One browser for all, in which each test has a page of its own."""
    with browser(tmp_path_factory.mktemp("chromium") / "browser") as port:
        yield port


@asynccontextmanager
async def opened(
    chromium: int, folder: Path, report: Report, *, width: int = WIDE, at: str = ""
) -> AsyncGenerator[Tab, None]:
    """Open the page of a report as a file; at the end it has asked for nothing and is content."""
    place = folder / "report.html"
    place.write_text(report_page(report), encoding="utf-8")
    async with new_tab(chromium) as tab:
        await tab.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=width < 500,
        )
        still = {"name": "prefers-reduced-motion", "value": "reduce"}
        await tab.send("Emulation.setEmulatedMedia", features=[still])
        await tab.open(f"{place.as_uri()}{at}")
        await shows(tab, "document.documentElement.dataset.ready", "yes")
        yield tab
        assert {url.partition("#")[0] for url in tab.requested} == {place.as_uri()}
        assert tab.complaints == []


async def shows(tab: Tab, expression: str, words: str) -> str:
    """Wait until an expression holds some words."""

    async def said() -> str:
        return str(await tab.value(expression))

    return await tab.sees(words, said)


async def ids(tab: Tab) -> list[str]:
    """Give the ids of the rows that are there, in order."""
    listed: Any = await tab.value(
        "[...document.querySelectorAll('.row .open bdi')].map(x => x.textContent)"
    )
    return [str(one) for one in listed]


COUNT = "document.querySelector('.count[role]').textContent"
HASH = "decodeURIComponent(location.hash)"


async def test_a_question_is_opened_and_its_citation_followed(
    chromium: int, tmp_path: Path
) -> None:
    """A reader could not find out what an answer rests on."""
    async with opened(chromium, tmp_path, made_report(12)) as tab:
        await tab.click('.row[data-place="2"] .of-question')
        await shows(tab, HASH, "open=staff-003")
        await shows(tab, "document.querySelector('.opened .hits mark')?.textContent", "")
        await tab.click(".opened .said .marker[aria-label='Citation 2']")
        await shows(tab, "document.activeElement.dataset.marker", "2")
        cited = await tab.value("document.activeElement.textContent")
        assert "Nobody ever wrote this." in cited
        assert "! not found" in cited
        whole = str(await tab.value("document.querySelector('.opened').textContent"))
        for words in ("judged wrong", "confidence", "grade 2", "query_staff", "not confirmed"):
            assert words in whole
        assert await tab.value("document.querySelectorAll('.opened .hits > li').length") == 10
        await tab.click('.row[data-place="4"] .open')
        await shows(tab, HASH, "open=staff-005")
        await tab.value("history.back()")
        await shows(tab, HASH, "open=staff-003")
        assert await tab.value("document.querySelectorAll('.opened').length") == 1


@pytest.mark.soak
async def test_questions_are_filtered_sorted_and_kept_in_the_address(
    chromium: int, tmp_path: Path
) -> None:
    """A reader of a thousand questions could not get at the few that matter, or link to them."""
    async with opened(chromium, tmp_path, made_report(40)) as tab:
        await tab.click("[data-column='rank']")
        await shows(tab, HASH, "sort=rank")
        ranks = "[...document.querySelectorAll('td.of-rank')].map(x => x.textContent)"
        found = await tab.value(ranks)
        known = [int(rank) for rank in found if rank.isdigit()]
        assert known == sorted(known)
        assert found.index("none") > found.index(str(known[-1]))
        assert found[-1] == "–"
        await tab.click("[data-column='rank']")
        await shows(tab, HASH, "down=yes")
        assert (await tab.value(ranks))[0] == "none"
        await tab.click("[name='wrong']")
        await shows(tab, COUNT, "of 40 questions")
        await tab.click("[name='text']")
        await tab.type("wave")
        await shows(tab, HASH, "text=wave")
        few = await ids(tab)
        assert 0 < len(few) < 8
        await tab.send("Page.reload")
        await shows(tab, "document.documentElement.dataset.ready", "yes")
        await shows(tab, COUNT, f"{len(few)} of 40 questions")
        assert await ids(tab) == few
        await tab.click(".clear")
        await shows(tab, COUNT, "40 questions")


@pytest.mark.soak
async def test_a_bar_of_a_histogram_shows_its_questions(chromium: int, tmp_path: Path) -> None:
    """A distribution would show that some questions fared badly, and not which."""
    report = made_report(40)
    lowest = [one.question.id for one in report.asked if one.measures.get("nDCG@10") == 0]
    async with opened(chromium, tmp_path, report) as tab:
        bar = ".histogram [role='button'][aria-label^='nDCG@10 0 to']"
        assert await tab.value(f"document.querySelector(\"{bar}\").getAttribute('aria-label')")
        await tab.click(bar)
        await shows(tab, COUNT, f"{len(lowest)} of 40 questions")
        assert await ids(tab) == lowest
        assert await tab.value(f'document.querySelector("{bar}").ariaPressed') == "true"
        assert await tab.value("document.querySelector('th.of-metric').textContent") == "nDCG@10"
        await tab.value(f'document.querySelector("{bar}").focus()')
        await tab.press("Enter", 13, text="\r")
        await shows(tab, COUNT, "40 questions")


@pytest.mark.soak
async def test_the_table_is_used_by_keyboard(chromium: int, tmp_path: Path) -> None:
    """Whoever has no mouse could not read the questions."""
    focused = "document.activeElement.textContent"
    async with opened(chromium, tmp_path, made_report(12)) as tab:
        await tab.value("document.querySelector('[data-column=ms]').focus()")
        await tab.press("Tab", 9)
        await shows(tab, focused, "staff-001")
        ring = "getComputedStyle(document.activeElement).outlineStyle"
        assert await tab.value(ring) == "solid"
        await tab.press("ArrowDown", 40)
        await shows(tab, focused, "staff-002")
        await tab.press("Enter", 13, text="\r")
        await shows(tab, "document.activeElement.ariaExpanded", "true")
        await tab.press("Tab", 9)
        assert await tab.value("document.activeElement.closest('.opened') !== null")
        await tab.press("Escape", 27)
        await shows(tab, "document.activeElement.ariaExpanded", "false")
        await shows(tab, focused, "staff-002")
        await tab.press("End", 35)
        await shows(tab, focused, "staff-012")


@pytest.mark.soak
async def test_both_schemes_can_be_read_and_chosen(chromium: int, tmp_path: Path) -> None:
    """Text would be too faint to read for many, or the page too bright at night."""
    async with opened(chromium, tmp_path, made_report(20), at="#open=staff-003") as tab:
        grounds = set()
        for scheme in ("light", "dark"):
            await tab.click(f".scheme [value='{scheme}'] + span")
            await shows(tab, "document.documentElement.dataset.scheme", scheme)
            grounds.add(await tab.value("getComputedStyle(document.body).backgroundColor"))
            assert await tab.value(CONTRAST) == []
        assert len(grounds) == 2


@pytest.mark.soak
async def test_hostile_documents_are_shown_as_text_and_do_nothing(
    chromium: int, tmp_path: Path
) -> None:
    """A document that was indexed could run a script when its report is read."""
    report = saying(made_report(6), HOSTILE)
    async with opened(chromium, tmp_path, report) as tab:
        for place in range(6):
            await tab.click(f'.row[data-place="{place}"] .open')
            await shows(
                tab, "document.querySelector('.opened')?.previousSibling.dataset.place", str(place)
            )
            for marker in range(
                await tab.value("document.querySelectorAll('.opened .marker').length")
            ):
                await tab.value(f"document.querySelectorAll('.opened .marker')[{marker}].click()")
            await tab.value(
                "document.querySelectorAll('details').forEach(each => each.open = true)"
            )
        await tab.click("[data-column='question']")
        text = str(await tab.value("document.querySelector('main').textContent"))
        assert "</script><script>ran=1</script><img src=x" in text
        assert "\u202e" not in text
        assert await tab.value("typeof ran") == "undefined"
        alive = "main :is(script, img, iframe, a[href^='j'], [onerror], [style])"
        assert await tab.value(f"document.querySelectorAll({json.dumps(alive)}).length") == 0


@pytest.mark.soak
async def test_many_questions_stay_light_and_each_has_a_link(chromium: int, tmp_path: Path) -> None:
    """A large report would hang the browser, or a link would lead to its beginning."""
    report = made_report(400, mode="search")
    rows = "document.querySelectorAll('.row').length"
    async with opened(chromium, tmp_path, report, at="#open=staff-390") as tab:
        assert await tab.value(rows) < 100
        await shows(
            tab, "document.querySelector('.opened')?.previousSibling.textContent", "staff-390"
        )
        sight = "document.querySelector('.opened').getBoundingClientRect().top < innerHeight"
        assert await tab.value(sight)
        await tab.value("document.querySelector('.open').focus()")
        await tab.press("Home", 36)
        await shows(tab, "document.activeElement.textContent", "staff-001")
        assert await tab.value(rows) < 200
        await tab.send("Page.printToPDF")
        await shows(tab, rows, "400")


@pytest.mark.soak
async def test_a_run_that_was_broken_off_is_a_page_as_well(chromium: int, tmp_path: Path) -> None:
    """What a killed run has found could not be looked at."""
    report = made_report(8)
    unasked = [MeasuredQuestion(one.question, None, None, None, {}) for one in report.asked[4:]]
    broken = replace(
        report,
        header=replace(report.header, ended=None),
        asked=(*report.asked[:4], *unasked),
        metrics=dict.fromkeys(report.metrics),
        intervals={},
        reliability=(),
    )
    async with opened(chromium, tmp_path, broken) as tab:
        await shows(tab, "document.querySelector('.facts').textContent", "eval resume 12")
        await tab.click('.row[data-place="7"] .open')
        await shows(tab, "document.querySelector('.opened')?.textContent", "What is right")
    nothing = replace(broken, asked=())
    async with opened(chromium, tmp_path, nothing) as tab:
        await shows(tab, COUNT, "0 questions")


@pytest.mark.soak
async def test_the_page_fits_a_telephone(chromium: int, tmp_path: Path) -> None:
    """Half of the report would lie outside of a small screen."""
    async with opened(
        chromium, tmp_path, made_report(12), width=NARROW, at="#open=staff-003"
    ) as tab:
        assert await tab.value("document.documentElement.scrollWidth") <= NARROW
