"""A robot's specification as plain bytes, to be sent to another process and back.

MuJoCo's specifications cannot be pickled. They are written as MJCF, with the content of
every file that they name (meshes, height fields, textures), and with the numbers that
the text does not give back to the last bit.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Any, final

import mujoco

from equipoise.core.errors import BadFileError
from equipoise.robots.exact_numbers import Number, lost_numbers, restore_numbers
from equipoise.robots.files.mjcf import mjcf_text

__all__ = ["PackedSpec", "packed_spec", "unpacked_spec"]


@final
@dataclass(frozen=True)
class PackedSpec:
    """A specification that can be sent."""

    text: str
    """MJCF."""
    files: dict[str, bytes]
    """Content of each file that it names."""
    numbers: tuple[Number, ...] = ()
    """What the text rounds."""


def packed_spec(spec: mujoco.MjSpec) -> PackedSpec:
    """Return a specification as plain data.

    Args:
        spec: it is copied, not changed.

    Raises:
        BadFileError: a file that it names is not there any more.
    """
    copy, files = spec.copy(), {}
    keys: dict[Path | str, str] = {}
    for thing, word, folder in named_files(copy):
        name = str(getattr(thing, word))
        content = dict(spec.assets).get(name)
        place = Path(spec.modelfiledir) / folder / name
        key = keys.setdefault(name if content else place, f"{len(keys)}{place.suffix}")
        if content is None:
            try:
                content = place.read_bytes()
            except OSError:
                raise BadFileError(f"{place}: is not there any more.") from None
        if not thing.name:
            thing.name = place.stem
        files[key] = bytes(content)
        setattr(thing, word, key)
    copy.meshdir = copy.texturedir = ""
    copy.assets = files
    text = mjcf_text(copy)
    rounded = mujoco.MjSpec.from_string(text, assets=files)
    return PackedSpec(text, files, lost_numbers(spec, rounded))


def named_files(spec: mujoco.MjSpec) -> list[tuple[Any, str, str]]:
    """Return what names a file: the element, its attribute, and the folder."""
    meshes = [*spec.meshes, *spec.hfields, *spec.skins]
    found = [(thing, "file", str(spec.meshdir)) for thing in meshes if thing.file]
    textures = [thing for thing in spec.textures if thing.file]
    return found + [(thing, "file", str(spec.texturedir)) for thing in textures]


def unpacked_spec(sent: PackedSpec) -> mujoco.MjSpec:
    """Return the specification that was packed.

    Args:
        sent: as ``packed_spec`` returned it.
    """
    spec = mujoco.MjSpec.from_string(sent.text, assets=sent.files)
    restore_numbers(spec, sent.numbers)
    return spec
