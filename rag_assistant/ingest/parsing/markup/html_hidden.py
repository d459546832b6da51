"""The words of a page that no reader sees, by what its own styles say of them.

Known are colour on its own background, type without size, and boxes without size or off the page.
What a style sheet of another file, a script or a click may change is not judged. Text for those who
hear a page is read by people, and not told.
"""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from rag_assistant.ingest.parsing.markup.hidden_marks import (
    NOT_SHOWN,
    OF_THE_PAGES_COLOUR,
    OFF_THE_PAGE,
    TOO_SMALL,
    hide,
)

if TYPE_CHECKING:
    from lxml.html import HtmlElement

Declared = Mapping[str, str]

_LEAST, _LEAST_FOR_READERS = 12, 30
"""Letters of a hidden text that is told of. Short labels for who hears a page are no trick."""

_LABELS = frozenset(("a", "button", "caption", "label", "legend", "option", "summary", "th"))
_HEARD = re.compile(
    r"\b(?:sr-?only|visually-?hidden|screen-?readers?(?:-?(?:only|text))?|assistive(?:-?text)?"
    r"|a11y|skip-?(?:link|nav|to))|\bvisuallyhidden"
)
"""Class names that style sheets in wide use give to such text."""

_MOST_STYLES = 200_000
_AT_RULE = re.compile(r"@[^{};]{0,300}+\{(?:[^{}]*+\{[^{}]*+\})*+[^{}]*+\}")
_RULE = re.compile(r"([^{};]{1,300})\{([^{}]{0,3000})\}")
_SIMPLE = re.compile(r"[a-z][a-z0-9]*|[.#][\w-]+")
_LENGTH = re.compile(r"(-?\d*\.?\d+)(px|pt|em|rem|ex|%|vw|vh)?")
_TINY = {"px": 1.0, "pt": 1.0, "em": 0.1, "rem": 0.1, "ex": 0.2, "%": 10.0, "": 0.0}
_FAR = {"px": -400.0, "pt": -300.0, "em": -40.0, "rem": -40.0, "%": -100.0, "vw": -100.0}
_HEX = re.compile(r"#([0-9a-f]{3,8})")
_RGB = re.compile(r"rgba?\(([^()]{1,60})\)")
_NAMED = {
    "white": (255, 255, 255),
    "snow": (255, 250, 250),
    "ivory": (255, 255, 240),
    "ghostwhite": (248, 248, 255),
    "whitesmoke": (245, 245, 245),
    "black": (0, 0, 0),
}
_CLEAR = (-1, -1, -1)
_NEAR = 16


def mark_hidden(root: "HtmlElement") -> None:
    """Put marks round the words of a page that its styles hide."""
    styles = "".join(element.text or "" for element in root.iter("style"))[:_MOST_STYLES]
    rules = _rules(styles.lower())
    linked = any("stylesheet" in (link.get("rel") or "").lower() for link in root.iter("link"))
    marked: set[HtmlElement] = set()
    for element in root.iter():
        if element in marked or not isinstance(element.tag, str):
            continue
        reason = _reason(element, rules, trusts_white=not linked)
        if reason:
            _mark(element, reason, rules, marked)


def _mark(
    element: "HtmlElement", reason: str, rules: Mapping[str, Declared], marked: "set[HtmlElement]"
) -> None:
    """Mark an element's words, but those of parts that are of another colour or size again."""
    own = "font-size" if reason == TOO_SMALL else "color"
    inside: list[HtmlElement] = []
    waiting = [element]
    while waiting:
        part = waiting.pop()
        shown = reason in (TOO_SMALL, OF_THE_PAGES_COLOUR) and part is not element
        if isinstance(part.tag, str) and not (shown and _sets(part, rules, own)):
            inside.append(part)
            waiting.extend(part)
    words = "".join(part.text or "" for part in inside)
    words += "".join(child.tail or "" for part in inside for child in part)
    if reason == OFF_THE_PAGE and _is_for_hearing(element):
        return
    least = _LEAST_FOR_READERS if reason == OFF_THE_PAGE else _LEAST
    if sum(map(str.isalnum, words)) < least:
        return
    for part in inside:
        marked.add(part)
        part.text = hide(part.text, reason) if part.text else part.text
        for child in part:
            child.tail = hide(child.tail, reason) if child.tail else child.tail


def _is_for_hearing(element: "HtmlElement") -> bool:
    """Whether an element is what a screen reader says, by the names and the places usual for it."""
    part: HtmlElement | None = element
    while part is not None and part.tag not in ("p", "div", "section", "article", "body"):
        if part.tag in _LABELS:
            return True
        part = part.getparent()
    named = " ".join(filter(None, (element.get("class"), element.get("id")))).lower()
    return _HEARD.search(named) is not None or element.get("aria-live") is not None


def _sets(element: "HtmlElement", rules: Mapping[str, Declared], name: str) -> bool:
    declared = _declared(element, rules)
    return name in declared or (name == "color" and bool(_background(declared)))


def _reason(element: "HtmlElement", rules: Mapping[str, Declared], *, trusts_white: bool) -> str:
    declared = _declared(element, rules)
    if "all" in declared.get("mso-hide", ""):
        return NOT_SHOWN
    if _is_tiny(declared.get("font-size", "")):
        return TOO_SMALL
    if _is_away(declared) or _has_no_box(declared):
        return OFF_THE_PAGE
    colour = _colour(declared.get("color", ""))
    clear = colour == _CLEAR and "background-clip" not in str(declared)
    behind = _behind(element, rules, trusts_white=trusts_white) if colour else None
    return OF_THE_PAGES_COLOUR if clear or (colour and _is_like(colour, behind)) else ""


def _rules(styles: str) -> dict[str, dict[str, str]]:
    """Give what simple selectors declare: a tag, a class or an id alone."""
    found: dict[str, dict[str, str]] = {}
    for selectors, body in _RULE.findall(_AT_RULE.sub("", styles)):
        declared = dict(_declarations(body))
        for selector in selectors.split(","):
            if _SIMPLE.fullmatch(selector.strip()):
                found.setdefault(selector.strip(), {}).update(declared)
    return found


def _declared(element: "HtmlElement", rules: Mapping[str, Declared]) -> dict[str, str]:
    if not element.attrib and element.tag not in rules:
        return {}
    declared = dict(rules.get(element.tag, ()))
    for name in (element.get("class") or "").lower().split():
        declared.update(rules.get(f".{name}", ()))
    declared.update(rules.get(f"#{(element.get('id') or '').lower()}", ()))
    for attribute, name in (("color", "color"), ("bgcolor", "background-color"), ("text", "color")):
        if value := element.get(attribute):
            declared[name] = value.lower()
    declared.update(_declarations((element.get("style") or "").lower()))
    return declared


def _declarations(body: str) -> Iterator[tuple[str, str]]:
    for declaration in body.split(";"):
        name, colon, value = declaration.partition(":")
        if colon:
            yield name.strip(), value.replace("!important", "").strip()


def _is_tiny(size: str) -> bool:
    found = _LENGTH.fullmatch(size)
    return found is not None and float(found[1]) <= _TINY.get(found[2] or "", 0.0)


def _is_away(declared: Declared) -> bool:
    moved = ["text-indent"]
    if declared.get("position") in ("absolute", "fixed", "relative"):
        moved += ["left", "top", "right", "bottom"]
    for name in moved:
        found = _LENGTH.fullmatch(declared.get(name, ""))
        if found and float(found[1]) <= _FAR.get(found[2] or "px", -400.0):
            return True
    return False


def _has_no_box(declared: Declared) -> bool:
    clip = declared.get("clip", "").replace(",", " ")
    if re.fullmatch(r"rect\(\s*(?:[01](?:px)?\s*){4}\)", clip):
        return True
    if re.match(r"inset\((?:50|100)%|circle\(0", declared.get("clip-path", "")):
        return True
    if "hidden" not in declared.get("overflow", ""):
        return False
    sizes = (declared.get(name, "") for name in ("width", "height", "max-height", "max-width"))
    return any(_is_tiny(size) for size in sizes)


def _behind(
    element: "HtmlElement", rules: Mapping[str, Declared], *, trusts_white: bool
) -> tuple[int, int, int] | None:
    """Give the colour behind an element, None where it cannot be told."""
    part: HtmlElement | None = element
    while part is not None:
        if written := _background(_declared(part, rules)):
            return _colour(written)
        part = part.getparent()
    return (255, 255, 255) if trusts_white else None


def _background(declared: Declared) -> str:
    written = declared.get("background-color") or declared.get("background", "")
    if declared.get("background-image") or "url(" in written or "gradient" in written:
        return "a picture"
    return "" if written in ("", "none", "transparent", "inherit", "initial") else written


def _colour(written: str) -> tuple[int, int, int] | None:
    """Read a colour (CSS Color 4, 5): its red, green and blue; None for one that is not known."""
    if written == "transparent":
        return _CLEAR
    if found := _HEX.fullmatch(written):
        digits = found[1] if len(found[1]) > 4 else "".join(d * 2 for d in found[1])
        if len(digits) in (6, 8):
            red, green, blue = (int(digits[at : at + 2], 16) for at in (0, 2, 4))
            return _CLEAR if digits[6:] == "00" else (red, green, blue)
    if found := _RGB.fullmatch(written):
        parts = re.split(r"[\s,/]+", found[1].strip())
        if len(parts) >= 3 and all(part.isdecimal() for part in parts[:3]):
            red, green, blue = map(int, parts[:3])
            return _CLEAR if parts[3:] in (["0"], ["0%"], ["0.0"]) else (red, green, blue)
    return _NAMED.get(written)


def _is_like(one: tuple[int, int, int], other: tuple[int, int, int] | None) -> bool:
    return other is not None and all(abs(a - b) < _NEAR for a, b in zip(one, other, strict=True))
