"""The models that can be fetched by name: what each is, whose it is, and which of its files.

Each is pinned to a revision of its repository, so that a name stands for the same files for good.
"""

from dataclasses import dataclass
from typing import Literal

from rag_assistant.errors import ModelError
from rag_assistant.text.safe_text import clean_line

ModelPurpose = Literal["embedder", "reranker"]

ONNX_FILE = "model.onnx"
NEEDED = (ONNX_FILE, "tokenizer.json", "tokenizer_config.json")
"""Without these no model runs; the others say how it is meant to be used."""


@dataclass(frozen=True, slots=True)
class CatalogueFile:
    """A file of a model: its place in the repository, and its name in the folder here.

    `sha256` is given where it is known beforehand; the hub's listing must say the same.
    """

    path: str
    name: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class CatalogueModel:
    """A model: what it is for, and where it is from. `size` in bytes is that of all files, about.

    `settings` are those of its table that are not the usual ones. Models of one name and several
    purposes are fetched and used together.
    """

    name: str
    purpose: ModelPurpose
    does: str
    repository: str
    revision: str
    licence: str
    size: int
    files: tuple[CatalogueFile, ...]
    settings: tuple[tuple[str, str | int], ...] = ()

    @property
    def title(self) -> str:
        """What the model is called, and its folder: the end of its repository's name."""
        return self.repository.rpartition("/")[2]


def _files(onnx: str, sha256: str, *more: str) -> tuple[CatalogueFile, ...]:
    names = ("config.json", "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json")
    small = (CatalogueFile(name, name) for name in (*names, *more))
    return (*small, CatalogueFile(onnx, ONNX_FILE, sha256))


# Of the eight-bit files of a repository the one for AVX2 is taken: its arithmetic does not saturate
# on older processors, so it gives the same everywhere, if not always at the highest speed.
CATALOGUE = (
    CatalogueModel(
        name="small",
        purpose="embedder",
        does="finds passages by meaning where they say it in other words than the question"
        " (English; 256 tokens of a passage)",
        repository="sentence-transformers/all-MiniLM-L6-v2",
        revision="c9745ed1d9f207416be6d2e6f8de32d1f16199bf",
        licence="Apache-2.0",
        size=23_515_000,
        files=_files(
            "onnx/model_quint8_avx2.onnx",
            "b941bf19f1f1283680f449fa6a7336bb5600bdcd5f84d10ddc5cd72218a0fd21",
            "1_Pooling/config.json",
            "sentence_bert_config.json",
        ),
    ),
    CatalogueModel(
        name="small",
        purpose="reranker",
        does="reads the question beside each of the best passages and orders them anew"
        " (English; 512 tokens of both)",
        repository="cross-encoder/ms-marco-MiniLM-L6-v2",
        revision="c5ee24cb16019beea0893ab7796b1df96625c6b8",
        licence="Apache-2.0",
        size=23_914_000,
        files=_files(
            "onnx/model_quint8_avx2.onnx",
            "c80a8b34256ea453093d612e3ac48d3d965a0c0a48c7906709af8b8e28461bf9",
        ),
        settings=(("passages", 10),),  # thirty take a slow processor several seconds
    ),
    CatalogueModel(
        name="multilingual",
        purpose="embedder",
        does="finds passages by meaning in some hundred languages, that of the question or another"
        " (512 tokens of a passage; twice the layers of `small`, so it takes longer)",
        repository="Xenova/multilingual-e5-small",
        revision="761b726dd34fb83930e26aab4e9ac3899aa1fa78",
        licence="MIT",
        size=135_392_000,
        files=_files(
            "onnx/model_quantized.onnx",
            "f80102d3f2a1229f387d3c81909990d8945513e347b0eab049f7de3c6f98c193",
        ),
        settings=(("query_prefix", "query: "), ("passage_prefix", "passage: ")),
    ),
)


def known_names() -> list[str]:
    """Give the names of models, each once."""
    return list(dict.fromkeys(model.name for model in CATALOGUE))


def find_models(name: str) -> tuple[CatalogueModel, ...]:
    """Give the models of a name, if there are any."""
    return tuple(model for model in CATALOGUE if model.name == name)


def models_named(name: str) -> tuple[CatalogueModel, ...]:
    """Give the models of a name. Raises ModelError, with the names that there are."""
    if found := find_models(name):
        return found
    known = " or ".join(f"`{one}`" for one in known_names())
    raise ModelError(
        f"There is no model {clean_line(name)!r} to fetch.",
        hint=f"Write `rag-assistant model get` with {known}; of any other ONNX model give the"
        " folder in config.toml.",
    )
