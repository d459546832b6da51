"""The properties of paragraphs in a Word 97 document: changes to single values, one after the other
(MS-DOC, 2.6.2 and 2.9.196).
"""

IN_TABLE, ROW_END, OUTLINE = 0x2416, 0x2417, 0x2640
LIST, LIST_LEVEL = 0x460B, 0x260A
_TABLE_WIDTHS = 0xD608  # the one whose size is of two bytes
_OPERANDS = {0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3}  # bytes, by the last bits of a sprm

Properties = dict[int, int]
"""Values of properties by their numbers; of those longer than two bytes the first two."""


def properties(data: bytes) -> Properties:
    """Read changes of properties; the last to a value counts, and one cut short does not."""
    values: Properties = {}
    position = 0
    while position + 3 <= len(data):
        sprm = int.from_bytes(data[position : position + 2], "little")
        position += 2
        value = int.from_bytes(data[position : position + 2], "little")
        size = _OPERANDS.get(sprm >> 13)
        if size is None:
            size = value + 1 if sprm == _TABLE_WIDTHS else data[position] + 1
        values[sprm] = value & 0xFF if size == 1 else value
        position += size
    return values
