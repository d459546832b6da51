"""Image files for a model: what is none, too large or out of reach is told in one line."""

import base64
import os
import struct
import zlib
from pathlib import Path

import pytest

from rag_assistant.config import ModelSettings
from rag_assistant.errors import ImageError
from rag_assistant.values import images
from rag_assistant.values.images import encode_image, read_image, refuse_images

END = struct.pack(">I4sI", 0, b"IEND", zlib.crc32(b"IEND"))
PNG = b"\x89PNG\r\n\x1a\n" + struct.pack(">I4sI", 0, b"IHDR", zlib.crc32(b"IHDR")) + END
PREVIEW = b"Exif \xff\xd8 a preview \xff\xda and its \xff\xd9"
JPEG = (
    b"\xff\xd8\xff\xe1" + struct.pack(">H", 2 + len(PREVIEW)) + PREVIEW
    + b"\xff\xff\xdb\0\x04ab\xff\xda and so on until \xff\xd9"
)  # fmt: skip
KINDS = {
    "image/png": PNG,
    "image/jpeg": JPEG,
    "image/gif": b"GIF89a and so on\x00;",
    "image/webp": b"RIFF\x10\0\0\0WEBPVP8 and so on",
}


@pytest.mark.parametrize(("kind", "data"), KINDS.items(), ids=list(KINDS))
def test_an_image_is_told_by_its_bytes(tmp_path: Path, kind: str, data: bytes) -> None:
    """A photo with a wrong suffix would be sent under a type that the endpoint refuses."""
    path = tmp_path / "photo.txt"
    path.write_bytes(data)
    image = read_image(path)
    assert image.media_type == kind
    assert base64.b64decode(image.data, validate=True) == data


@pytest.mark.parametrize(("kind", "data"), KINDS.items(), ids=list(KINDS))
def test_an_image_without_its_end_is_refused(tmp_path: Path, kind: str, data: bytes) -> None:
    """Half a download would be sent, and the answer be of what the endpoint makes of it."""
    path = tmp_path / "photo"
    path.write_bytes(data[:-5])
    with pytest.raises(ImageError, match=r"is cut off: its end is missing\. Copy or save it again"):
        read_image(path)


def test_a_photo_with_a_film_behind_it_is_whole(tmp_path: Path) -> None:
    """Telephones put one there; what it begins or ends with would have the photo refused."""
    path = tmp_path / "moving.jpg"
    path.write_bytes(JPEG + b"ftypmp42 \xff\xda and a film without any end")
    assert read_image(path).media_type == "image/jpeg"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"%PDF-1.7",
        b"<svg xmlns='http://www.w3.org/2000/svg'/>",
        b"BM" + bytes(60),
        b"RIFF\x10\0\0\0WAVEfmt ",
        b"\x89PNG",
        b"GIF88a",
    ],
    ids=["empty", "text", "pdf", "svg", "bmp", "sound", "cut", "gif"],
)
def test_what_is_no_image_is_refused(tmp_path: Path, data: bytes) -> None:
    """Any file of the person could be sent under the name of an image."""
    path = tmp_path / "photo.png"
    path.write_bytes(data)
    with pytest.raises(ImageError) as caught:
        read_image(path)
    assert str(caught.value) == (
        f"{path} is not a PNG, JPEG, GIF or WebP image. Convert it to one of them."
    )
    with pytest.raises(ImageError):
        encode_image(data)


def test_a_file_that_is_too_large_is_refused_unread(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The endpoint would refuse it after minutes, or our memory fill."""
    monkeypatch.setattr(images, "MOST_BYTES", 1 << 20)
    path = tmp_path / "photo.png"
    path.write_bytes(PNG.ljust(1 << 20, b"\0"))
    assert read_image(path)
    with path.open("r+b") as stream:
        stream.truncate(1 << 40)  # a terabyte that takes no room
    with pytest.raises(ImageError, match=r"larger than 1 MB\. Save it smaller\."):
        read_image(path)


def test_paths_that_lead_to_no_file_are_told_in_one_line(tmp_path: Path) -> None:
    """A person would see a traceback, or wait for ever on a pipe."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    circle = tmp_path / "circle"
    circle.symlink_to(circle)
    for path, said in (
        (tmp_path / "missing.png", "cannot be read: No such file or directory. Check its path"),
        (tmp_path, "is not a file. Name an image file."),
        (pipe, "is not a file"),
        (circle, "cannot be read: Too many levels"),
        (Path("a\0b"), "cannot be read"),
        (Path("x" * 5_000), "cannot be read"),
    ):
        with pytest.raises(ImageError) as caught:
            read_image(path)
        assert said in str(caught.value)
        assert "\n" not in str(caught.value)


def test_a_model_that_cannot_see_is_told_apart_by_its_profile() -> None:
    """The image would be sent for nothing, or the endpoint's error be all there is to go by."""
    refuse_images(ModelSettings("gpt-5", images=True), "big")
    with pytest.raises(ImageError) as caught:
        refuse_images(ModelSettings("qwen3:8b"), "local")
    assert str(caught.value) == (
        "local is not set up to see images. If it can, write images = true under [models.local]; "
        "or choose another model."
    )
    with pytest.raises(ImageError, match=r"built-in model \(extractive\) cannot see images"):
        refuse_images(None, "extractive")
