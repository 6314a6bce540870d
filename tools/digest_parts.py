"""What ``digests.py`` keeps of a run: digests of arrays, JSON values and text files."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

__all__ = ["file_digests", "json_digests"]

LENGTH = 16  # hexadecimal digits that are kept of a digest
TEXT = {".c", ".h", ".S", ".csv", ".md", ".xml", ".urdf", ".yaml", ""}
CLOCK = {
    "timing",
    "realtime_factor",
    "realtime_factor_median",
    "control_share",
    "engine_us",
    "tick_rate_hz",
    "derive_s",
    "emit_s",
}
"""Keys that are about the machine's clock and not about the robot."""
ORIGIN = {"versions", "commit"}
"""Keys that say what made the answer."""


def digest(content: bytes) -> str:
    """Return the first digits of a digest."""
    return sha256(content).hexdigest()[:LENGTH]


def array_digest(array: Any) -> str:
    """Return the digest of an array: its kind, its shape and its bits."""
    kind, shape = str(array.dtype), array.shape
    content = repr(array.tolist()).encode() if kind == "object" else array.tobytes()
    return digest(f"{kind} {shape} ".encode() + content)


def leaves(content: Any, name: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the values of JSON by name; records of a list are taken together.

    So a key that is added to the records of a list is a new name, and the old ones
    keep their digests.
    """
    if (
        isinstance(content, list)
        and content
        and all(isinstance(c, dict) for c in content)
    ):
        keys = dict.fromkeys(key for item in content for key in item)
        content = {key: [item.get(key) for item in content] for key in keys}
        name += "[]"
    if not isinstance(content, dict) or not content:
        yield name, content
        return
    for key, value in content.items():
        if key not in CLOCK | ORIGIN:
            yield from leaves(value, f"{name}.{key}" if name else key)


def json_digests(text: str) -> dict[str, str]:
    """Return a digest for each value of JSON; of the text itself where it is none."""
    try:
        content = json.loads(text)
    except ValueError:
        return {"text": digest(text.encode())} if text else {}
    return {name: digest(json.dumps(v).encode()) for name, v in leaves(content)}


def file_digests(path: Path, where: Path) -> dict[str, str]:
    """Return the digests of what a file has; none of a picture or a page.

    Args:
        path: of the file.
        where: the folder whose name is left out of what the file says.
    """
    if path.suffix == ".nc":
        import xarray as xr

        with xr.open_dataset(path, engine="h5netcdf", decode_cf=False) as data:
            return {str(k): array_digest(v.values) for k, v in data.variables.items()}
    if path.suffix == ".npz":
        with np.load(path) as data:
            return {key: array_digest(data[key]) for key in data.files}
    if path.suffix == ".json":
        return json_digests(path.read_text().replace(str(where), "."))
    if path.suffix in TEXT:
        return {"text": digest(path.read_text().replace(str(where), ".").encode())}
    return {}
