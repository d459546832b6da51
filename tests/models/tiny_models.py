"""Models of a few hundred bytes that a test makes: real ONNX, which onnxruntime runs.

`write_embedder` and `write_reranker` fill a folder as the hub holds one. The embedder gives each
word its own direction, so texts with words in common are near; the reranker counts the pairs of
equal words in the question and the passage, so it must read both, and tell them apart.

The graphs are written as the protobuf messages of onnx.proto3 (IR version 8, opset 13), whose field
numbers stand in `Field` below: the package `onnx` is not needed.
Source: https://github.com/onnx/onnx/blob/main/onnx/onnx.proto3
"""

import json
import struct
from collections.abc import Sequence
from pathlib import Path

WORDS = (
    "[PAD] [UNK] [CLS] [SEP] the a of is crane lifts containers roof repair harbour parents get"
    " leave weeks sixteen mother father dinner does it answer test dimension".split()
)
DIMENSION = 16

_INT64, _FLOAT = 7, 1


class Field:
    """Numbers of fields in the messages of ONNX."""

    MODEL_IR, MODEL_GRAPH, MODEL_OPSET = 1, 7, 8
    GRAPH_NODE, GRAPH_NAME, GRAPH_TENSOR, GRAPH_INPUT, GRAPH_OUTPUT = 1, 2, 5, 11, 12
    NODE_INPUT, NODE_OUTPUT, NODE_OP, NODE_ATTRIBUTE = 1, 2, 4, 5
    ATTRIBUTE_NAME, ATTRIBUTE_INT, ATTRIBUTE_TYPE = 1, 3, 20
    TENSOR_DIMS, TENSOR_TYPE, TENSOR_NAME, TENSOR_RAW = 1, 2, 8, 9


def _number(value: int) -> bytes:
    out = bytearray()
    while value > 127:
        out.append(value & 127 | 128)
        value >>= 7
    return bytes([*out, value])


def _int(field: int, value: int) -> bytes:
    return _number(field << 3) + _number(value)


def _bytes(field: int, value: bytes | str) -> bytes:
    raw = value.encode() if isinstance(value, str) else value
    return _number(field << 3 | 2) + _number(len(raw)) + raw


def _node(op: str, inputs: Sequence[str], output: str, **numbers: int) -> bytes:
    message = b"".join(_bytes(Field.NODE_INPUT, name) for name in inputs)
    message += _bytes(Field.NODE_OUTPUT, output) + _bytes(Field.NODE_OP, op)
    for name, value in numbers.items():
        attribute = _bytes(Field.ATTRIBUTE_NAME, name) + _int(Field.ATTRIBUTE_INT, value)
        message += _bytes(Field.NODE_ATTRIBUTE, attribute + _int(Field.ATTRIBUTE_TYPE, 2))
    return _bytes(Field.GRAPH_NODE, message)


def _tensor(name: str, kind: int, dims: Sequence[int], values: Sequence[float]) -> bytes:
    form = "f" if kind == _FLOAT else "q"
    raw = struct.pack(f"<{len(values)}{form}", *values)
    message = b"".join(_int(Field.TENSOR_DIMS, dim) for dim in dims)
    message += _int(Field.TENSOR_TYPE, kind) + _bytes(Field.TENSOR_NAME, name)
    return _bytes(Field.GRAPH_TENSOR, message + _bytes(Field.TENSOR_RAW, raw))


def _value(field: int, name: str, kind: int, dims: Sequence[int | str]) -> bytes:
    shape = b""
    for dim in dims:
        shape += _bytes(1, _int(1, dim) if isinstance(dim, int) else _bytes(2, dim))
    tensor = _int(1, kind) + _bytes(2, shape)
    return _bytes(field, _bytes(1, name) + _bytes(2, _bytes(1, tensor)))


def _model(parts: Sequence[bytes], output: str, dims: Sequence[int | str]) -> bytes:
    graph = b"".join(parts) + _bytes(Field.GRAPH_NAME, "tiny")
    for name in ("input_ids", "attention_mask", "token_type_ids"):
        graph += _value(Field.GRAPH_INPUT, name, _INT64, ("batch", "tokens"))
    graph += _value(Field.GRAPH_OUTPUT, output, _FLOAT, dims)
    opset = _bytes(1, "") + _int(2, 13)
    return (
        _int(Field.MODEL_IR, 8)
        + _bytes(Field.MODEL_GRAPH, graph)
        + _bytes(Field.MODEL_OPSET, opset)
    )


def embedder_onnx() -> bytes:
    """Give a model that looks each token up in a table of vectors."""
    table = [
        float((number * 7 + place * place) % 5 - 2 + (number % DIMENSION == place) * 9)
        for number in range(len(WORDS))
        for place in range(DIMENSION)
    ]
    parts = [
        _tensor("table", _FLOAT, (len(WORDS), DIMENSION), table),
        _node("Gather", ("table", "input_ids"), "last_hidden_state", axis=0),
    ]
    return _model(parts, "last_hidden_state", ("batch", "tokens", DIMENSION))


def reranker_onnx() -> bytes:
    """Give a model that counts pairs of equal tokens, one of each text."""
    parts = [
        _tensor("one", _INT64, (1,), (1,)),
        _tensor("two", _INT64, (1,), (2,)),
        _tensor("both", _INT64, (2,), (1, 2)),
        _node("Unsqueeze", ("input_ids", "two"), "rows"),
        _node("Unsqueeze", ("input_ids", "one"), "columns"),
        _node("Equal", ("rows", "columns"), "equal"),
        _node("Cast", ("equal",), "equal_numbers", to=_INT64),
        _node("Sub", ("attention_mask", "token_type_ids"), "of_question"),
        _node("Mul", ("attention_mask", "token_type_ids"), "of_passage"),
        _node("Unsqueeze", ("of_question", "two"), "question_rows"),
        _node("Unsqueeze", ("of_passage", "one"), "passage_columns"),
        _node("Mul", ("question_rows", "passage_columns"), "pairs"),
        _node("Mul", ("equal_numbers", "pairs"), "equal_pairs"),
        _node("ReduceSum", ("equal_pairs", "both"), "count", keepdims=0),
        _node("Unsqueeze", ("count", "one"), "count_column"),
        _node("Cast", ("count_column",), "logits", to=_FLOAT),
    ]
    return _model(parts, "logits", ("batch", 1))


def tokenizer_json() -> str:
    """Give a tokenizer of whole words, which puts the marks of BERT about one text or two."""

    def special(name: str, kind: int) -> dict[str, object]:
        return {"SpecialToken": {"id": name, "type_id": kind}}

    def text(name: str, kind: int) -> dict[str, object]:
        return {"Sequence": {"id": name, "type_id": kind}}

    marks = {
        name: {"id": name, "ids": [WORDS.index(name)], "tokens": [name]}
        for name in ("[CLS]", "[SEP]")
    }
    first = [special("[CLS]", 0), text("A", 0), special("[SEP]", 0)]
    return json.dumps(
        {
            "version": "1.0",
            "truncation": None,
            "padding": None,
            "added_tokens": [],
            "normalizer": {"type": "Lowercase"},
            "pre_tokenizer": {"type": "Whitespace"},
            "post_processor": {
                "type": "TemplateProcessing",
                "single": first,
                "pair": [*first, text("B", 1), special("[SEP]", 1)],
                "special_tokens": marks,
            },
            "decoder": None,
            "model": {
                "type": "WordLevel",
                "vocab": {word: number for number, word in enumerate(WORDS)},
                "unk_token": "[UNK]",
            },
        }
    )


def _shared(architecture: str) -> dict[str, bytes]:
    said = {"architectures": [architecture], "hidden_size": DIMENSION}
    settings = {"model_max_length": 512, "pad_token": "[PAD]", "unk_token": "[UNK]"}
    return {
        "config.json": json.dumps(said).encode(),
        "tokenizer.json": tokenizer_json().encode(),
        "tokenizer_config.json": json.dumps(settings).encode(),
        "special_tokens_map.json": json.dumps({"pad_token": "[PAD]"}).encode(),
    }


def embedder_files() -> dict[str, bytes]:
    """Give the files of a tiny embedder, as sentence-transformers lays them out."""
    pooling = {"word_embedding_dimension": DIMENSION, "pooling_mode_mean_tokens": True}
    return {
        **_shared("BertModel"),
        "model.onnx": embedder_onnx(),
        "1_Pooling/config.json": json.dumps(pooling).encode(),
        "sentence_bert_config.json": json.dumps({"max_seq_length": 8}).encode(),
    }


def reranker_files() -> dict[str, bytes]:
    """Give the files of a tiny reranker."""
    return {**_shared("BertForSequenceClassification"), "model.onnx": reranker_onnx()}


def write_files(folder: Path, files: dict[str, bytes]) -> Path:
    """Write files into a folder, with their parents; give it back."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return folder
