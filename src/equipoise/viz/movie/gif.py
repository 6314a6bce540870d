"""Frames as one GIF file that stays small: one palette, and only what changed.

A pixel is written again only where it moved by more than a step that no eye sees, and
no dither is used, so that floors and skies pack to nothing. Where the file is still too
large the step grows, then frames are left out.
"""

import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import final

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow

from equipoise.core.arrays import Ints
from equipoise.core.errors import ConfigError
from equipoise.core.jit import compiled
from equipoise.viz.movie.lzw import packed_pixels
from equipoise.viz.pictures import Image

__all__ = ["MOST_BYTES", "gif_of"]

MOST_BYTES = 1_500_000
"""Size that a file stays below."""
STEPS = (5, 8, 12, 16, 22)
"""How far a colour may be off, of 255, tried one after the other."""
LEFT_OUT = (1, 2, 3, 4)
"""Of so many frames one is kept."""
PAUSE = 70
"""How much longer the last frame stays before all begins again [hundredths of s]."""
DEPTH = 7
CLEAR = (1 << DEPTH) - 1
"""Number of the colour that leaves a pixel as it was."""
SAMPLES = 12
"""Frames that the palette is made of."""
FEW, MANY = 4, 400
"""How often a colour of a frame counts for the palette, at least and at most."""
ALIKE = 6
"""Colours that may stand for one, at most."""
FINE = 64
"""Steps of red, green and blue in the table of nearest colours."""
Indices = NDArray[np.uint8]


@final
@dataclass(frozen=True, eq=False)
class Palette:
    """The colours of a file."""

    colours: NDArray[np.int16]
    """Red, green and blue, (n, 3); the last is never shown."""
    nearest: Indices
    """Of every colour in ``FINE`` steps, (FINE, FINE, FINE)."""

    def indices(self, frame: Image) -> Indices:
        """Return the nearest colour of every pixel, (h, w)."""
        r, g, b = np.moveaxis(frame // (256 // FINE), 2, 0)
        return self.nearest[r, g, b]

    def alike(self, step: int) -> Indices:
        """Return for every colour those within a step, the closest first, (n, m)."""
        apart = np.abs(self.colours[:, None] - self.colours[None]).max(axis=2)
        apart[CLEAR, :], apart[:, CLEAR] = 999, 999
        np.fill_diagonal(apart, 999)
        order = np.argsort(apart, axis=1, kind="stable")[:, :ALIKE]
        is_near = np.take_along_axis(apart, order, axis=1) <= step
        own = np.arange(len(apart))[:, None]
        return np.where(is_near, order, own).astype(np.uint8)


def gif_of(
    frames: Sequence[Image],
    fps: float,
    kept: Sequence[tuple[int, int, int]] = (),
    most: int = MOST_BYTES,
) -> bytes:
    """Return frames as a GIF file that plays again and again.

    Args:
        frames: all of one size, (height, width, 3), uint8; at least one.
        fps: frames a second; a file's own clock counts hundredths.
        kept: colours that come out as they are: red, green and blue of 255.
        most: bytes that it stays below, if at all possible.

    Raises:
        ConfigError: no frame, or a rate that is none.
    """
    if not len(frames) or not 1.0 <= fps <= 50.0:
        problem = f"it needs frames, 1 to 50 a second, got {len(frames)}, {fps:g}"
        raise ConfigError("a moving picture", [problem])
    palette = _palette_of(frames, kept)
    wanted = [palette.indices(frame) for frame in frames]
    tries = [(step, 1) for step in STEPS] + [(STEPS[-1], n) for n in LEFT_OUT[1:]]
    found = b""
    for step, every in tries:
        found = _encoded(frames[::every], wanted[::every], fps / every, palette, step)
        if len(found) < most:
            break
    return found


def _palette_of(
    frames: Sequence[Image], kept: Sequence[tuple[int, int, int]] = ()
) -> Palette:
    """Return colours that suit frames."""
    from scipy.spatial import KDTree

    own = np.array(kept, np.int16).reshape(-1, 3)
    table = np.vstack((own, _suited(frames, CLEAR - len(own))))
    full = np.zeros((CLEAR + 1, 3), np.int16)
    full[: len(table)] = table
    full[len(table) : CLEAR] = table[0]
    steps = (np.arange(FINE) + 0.5) * (256 / FINE) - 0.5
    steps[-1] = 255.0  # white stays white
    grid = np.stack(np.meshgrid(steps, steps, steps, indexing="ij"), axis=3)
    _, nearest = KDTree(table.astype(float)).query(grid.reshape(-1, 3))
    return Palette(full, nearest.astype(np.uint8).reshape(FINE, FINE, FINE))


def _suited(frames: Sequence[Image], count: int) -> NDArray[np.int16]:
    """Return colours of frames; a rare one counts more than its share, (n, 3)."""
    some = np.unique(np.linspace(0, len(frames) - 1, SAMPLES).astype(int))
    counts: dict[int, int] = {}
    for k in some:
        rgb = frames[k].astype(np.int64)
        keys = (rgb[..., 0] << 16) | (rgb[..., 1] << 8) | rgb[..., 2]
        keys, own = np.unique(keys, return_counts=True)
        for key, times in zip(keys.tolist(), own.tolist(), strict=True):
            counts[key] = counts.get(key, 0) + times
    keys = np.array(list(counts))
    weights = np.clip(np.sqrt(np.array(list(counts.values()))), FEW, MANY).astype(int)
    colours = np.stack((keys >> 16, (keys >> 8) & 255, keys & 255), axis=1)
    row = np.repeat(colours, weights, axis=0).astype(np.uint8)[None]
    method = Pillow.Quantize.MEDIANCUT
    small = Pillow.fromarray(row).quantize(count, method=method, kmeans=2)
    found = small.getpalette() or []
    return np.array(found[: 3 * count], np.int16).reshape(-1, 3)


def _encoded(
    frames: Sequence[Image],
    wanted: Sequence[Indices],
    fps: float,
    palette: Palette,
    step: int,
) -> bytes:
    """Return frames as a file, colours off by a step at most.

    Args:
        frames: all of one size.
        wanted: of each frame the nearest colours of the palette, (h, w).
        fps: frames a second.
        palette: of the file.
        step: how far a colour may be off, of 255.
    """
    height, width = frames[0].shape[:2]
    alike = palette.alike(step)
    ends = np.round(100.0 * np.arange(1, len(frames) + 1) / fps).astype(int)
    delays = np.diff(ends, prepend=0)
    delays[-1] += PAUSE
    parts = [header(width, height, palette.colours)]
    now: Indices | None = None
    for frame, near, delay in zip(frames, wanted, delays.tolist(), strict=True):
        now, box, pixels = _changed(frame, near, now, palette, step)
        data = packed_pixels(pixels, alike, DEPTH).tobytes()
        top, left, bottom, right = box
        written = pixels.reshape(bottom - top, right - left)
        part = now[top:bottom, left:right]
        part[:] = np.where(written == CLEAR, part, written)
        parts.append(image(box, delay, data))
    return b"".join((*parts, b";"))


def _changed(
    frame: Image, wanted: Indices, before: Indices | None, palette: Palette, step: int
) -> tuple[Indices, tuple[int, int, int, int], Indices]:
    """Return what is shown, the box that is written (rows, columns), its pixels."""
    height, width = wanted.shape
    if before is None:
        return wanted.copy(), (0, 0, height, width), wanted.ravel().copy()
    shown, box = np.empty_like(wanted), np.zeros(4, np.int64)
    _compare(frame, wanted, before, palette.colours, step, shown, box)
    top, left, bottom, right = box.tolist()
    if bottom <= top:
        return before, (0, 0, 1, 1), np.full(1, CLEAR, np.uint8)
    pixels = shown[top:bottom, left:right].ravel()
    return before.copy(), (top, left, bottom, right), pixels


@compiled(allocates=False)
def _compare(
    frame: Image,
    wanted: Indices,
    before: Indices,
    colours: NDArray[np.int16],
    step: int,
    shown: Indices,
    box: Ints,
) -> None:
    """Write which pixels of a frame must be shown anew.

    Args:
        frame: colours, (h, w, 3).
        wanted: the nearest of the palette, (h, w).
        before: what is shown, (h, w).
        colours: of the palette, (n, 3).
        step: by how much of 255 a colour may be off.
        shown: the wanted one where it is shown anew, else ``CLEAR``, (h, w);
            overwritten.
        box: first row and column that are, and the rows and columns where they end,
            (4,); overwritten, all of it empty where there is none.
    """
    height, width = wanted.shape
    box[0], box[1], box[2], box[3] = height, width, 0, 0
    for y in range(height):
        for x in range(width):
            old, new = before[y, x], wanted[y, x]
            off = 0
            for i in range(3):
                off = max(off, abs(int(colours[old, i]) - int(frame[y, x, i])))
            if off <= step or old == new:
                shown[y, x] = CLEAR
                continue
            shown[y, x] = new
            box[0], box[1] = min(box[0], y), min(box[1], x)
            box[2], box[3] = max(box[2], y + 1), max(box[3], x + 1)


def header(width: int, height: int, colours: NDArray[np.int16]) -> bytes:
    """Return a file's beginning: its size, palette, and that it plays for ever."""
    flags = 0x80 | ((DEPTH - 1) << 4) | (DEPTH - 1)
    screen = struct.pack("<HHBBB", width, height, flags, 0, 0)
    again = b"!\xff\x0bNETSCAPE2.0\x03\x01" + struct.pack("<H", 0) + b"\x00"
    return b"GIF89a" + screen + colours.astype(np.uint8).tobytes() + again


def image(box: tuple[int, int, int, int], delay: int, data: bytes) -> bytes:
    """Return one frame: how long it stays, where it is, its packed pixels."""
    top, left, bottom, right = box
    control = struct.pack("<BBBBHBB", 0x21, 0xF9, 4, 0x05, delay, CLEAR, 0)
    place = struct.pack("<BHHHHB", 0x2C, left, top, right - left, bottom - top, 0)
    blocks = [data[k : k + 255] for k in range(0, len(data), 255)]
    body = b"".join(bytes([len(block)]) + block for block in blocks)
    return control + place + bytes([DEPTH]) + body + b"\x00"
