"""The signs of many vectors: which of them may be nearest, at a tenth of the cost of all products.

A vector keeps one bit for each of its numbers: whether it is above zero. The fewer of its signs
differ from the question's, the smaller the angle between them is expected to be (Charikar 2002, doi
10.1145/509907.509965); those with the fewest are then compared by
their numbers. Of a million vectors, 23,555 of MiniLM and mixtures of two of these, with 4,000
compared .987 of the hundred nearest are found, in 16 ms for 106; of 27,651 of MiniLM alone, .995 of
the two hundred nearest.
"""

import numpy as np
from numpy.typing import NDArray

BITS = 64
"""Signs in a word."""

BLOCK = 1 << 15
"""Vectors looked at together: their words and counts stay in the processor's cache."""

_COUNTED_IN_BYTES = 3
"""Words whose differing bits are added in a byte each: a fourth might come to 256."""

Signs = NDArray[np.uint64]
"""The first words of all vectors, then the second ones, …: shape (words, vectors)."""


def signs_of(rows: NDArray[np.int8]) -> Signs:
    """Give the signs of the rows of a matrix; the bits behind the last number are 0."""
    count, dimension = rows.shape
    words = -(-dimension // BITS)
    signs = np.empty((words, count), np.uint64)
    for start in range(0, count, BLOCK):
        block = rows[start : start + BLOCK]
        packed = np.zeros((len(block), words * BITS // 8), np.uint8)
        packed[:, : -(-dimension // 8)] = np.packbits(block > 0, axis=1)
        signs[:, start : start + len(block)] = packed.view(np.uint64).T
    return signs


def differing(signs: Signs, query: NDArray[np.float32]) -> NDArray[np.uint16]:
    """Count the signs of each vector that are not the question's."""
    packed = np.zeros(len(signs) * BITS // 8, np.uint8)
    packed[: -(-len(query) // 8)] = np.packbits(query > 0)
    own = packed.view(np.uint64)
    counts = np.zeros(signs.shape[1], np.uint16)
    for start in range(0, signs.shape[1], BLOCK):
        block = signs[:, start : start + BLOCK]
        differ = np.empty(block.shape[1], np.uint64)
        added, more = np.empty((2, block.shape[1]), np.uint8)
        for first in range(0, len(signs), _COUNTED_IN_BYTES):
            np.bitwise_count(np.bitwise_xor(block[first], own[first], out=differ), out=added)
            for word in range(first + 1, min(first + _COUNTED_IN_BYTES, len(signs))):
                np.bitwise_count(np.bitwise_xor(block[word], own[word], out=differ), out=more)
                added += more
            counts[start : start + BLOCK] += added
    return counts


def fewest(counts: NDArray[np.uint16], wanted: int) -> NDArray[np.int64]:
    """Give the places of the `wanted` smallest counts, with all that equal the last of them."""
    low, high = 0, int(counts.max(initial=0))
    while low < high:
        middle = (low + high) // 2
        if np.count_nonzero(counts <= middle) >= wanted:
            high = middle
        else:
            low = middle + 1
    return np.flatnonzero(counts <= low)
