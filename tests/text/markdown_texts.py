"""Markdown of every kind for tests: pieces that meet in all the ways that can go wrong."""

from hypothesis import strategies as st

_INDENT = st.sampled_from(["", " ", "  ", "   ", "    ", "     ", "\t", " \t"])
_FENCE = st.builds(
    lambda sign, length, info: sign * length + info,
    st.sampled_from("`~"),
    st.integers(2, 5),
    st.sampled_from(["", " ", "py", " py x", " a`b", "\t", " ~", "`"]),
)
_LINE = st.sampled_from(
    ["# One", "## Two ##", "### ", "#", "####### seven", "#none", "=== ", "---", "- - -", "***",
     "_ _ _", "--", "=", "word", "two words", "*a* _b_ `c`", "a ` b", "\\# no", "[a]: b", "[a]:",
     "'title'", "[a", "| a | b |", "|---|:-:|", "a|b", "-|-", "|-", "|\\||`|`|", "|", "<div>",
     "</div>", "<!-- x", "-->", "<a b='c'>", "<x@y.z>", "", "", " ", "\t", "\f", "\u2028", "\x00",
     "é 漢字 😀", "---\ntitle: x\n---", "..."]
)  # fmt: skip
_SIGN = st.sampled_from(
    ["", "", "", "> ", ">", ">\t", "- ", "-", "* ", "+  ", "-\t", "-     ", "1. ", "2) ", "10. ",
     "  ", "> > ", "- > ", "> - ", "- - "]
)  # fmt: skip
_ENDS = st.sampled_from(["\n", "\n", "\n", "\r\n", "\r", "\n\n"])

LINES = st.builds(
    lambda sign, indent, words, end: sign + indent + words + end,
    _SIGN,
    _INDENT,
    _FENCE | _LINE | _LINE,
    _ENDS,
)
MARKDOWN = st.lists(LINES, max_size=12).map("".join) | st.builds(
    lambda front, lines, last: front + "".join(lines) + last,
    st.sampled_from(["", "---\na: b\n---\n", "---\r\na: b\r\n...\r\n", "---\n", "---\n---\n"]),
    st.lists(LINES, max_size=8),
    st.sampled_from(["", "  ", "```", "a", "> a", "-"]),
)
