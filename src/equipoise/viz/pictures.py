"""Pictures as arrays: written to files, and put side by side with captions."""

import io
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import UnidentifiedImageError

from equipoise.core.checks import is_whole
from equipoise.core.errors import BadFileError, ConfigError, ShapeError
from equipoise.core.files import atomic_write
from equipoise.viz.plots import new_figure, save_figure

__all__ = ["Image", "montage", "write_png"]

Image: TypeAlias = NDArray[np.uint8]
"""Red, green and blue, (height, width, 3)."""


def write_png(path: str | Path, image: Image) -> Path:
    """Write a picture as PNG, completely or not at all, and return its path.

    Args:
        path: the file to make or replace.
        image: (height, width, 3), uint8.

    Raises:
        ShapeError: not such an array.
        BadFileError: the file cannot be written.
    """
    image = np.asarray(image)
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ShapeError(
            "image must have shape (height, width, 3) and type uint8, "
            f"got {image.shape} and {image.dtype}."
        )
    buffer = io.BytesIO()
    Pillow.fromarray(image).save(buffer, format="png", optimize=True)
    return atomic_write(path, buffer.getvalue())


def _read(picture: str | Path | Image) -> Image:
    """Return a picture given as array or file."""
    if isinstance(picture, np.ndarray):
        return picture
    try:
        with Pillow.open(picture) as file:
            return np.asarray(file.convert("RGB"))
    except FileNotFoundError:
        raise BadFileError(f"{picture} does not exist; give a PNG file.") from None
    except (UnidentifiedImageError, OSError):
        raise BadFileError(f"{picture} is not a picture; give a PNG file.") from None


def montage(
    pictures: Sequence[str | Path | Image],
    labels: Sequence[str],
    path: str | Path,
    *,
    columns: int | None = None,
    title: str = "",
) -> Path:
    """Write pictures side by side as one PNG, each with a caption below.

    Args:
        pictures: PNG files or (height, width, 3) uint8 arrays, all of one size.
        labels: one caption a picture, printed as it is.
        path: the file to make or replace.
        columns: pictures in a row; all in one row up to four if left out.
        title: a line above all of them.

    Raises:
        ConfigError: no pictures, or not as many captions as pictures.
        ShapeError: pictures of different sizes.
        BadFileError: a picture cannot be read, or the result not written.
    """
    if not len(pictures) or len(pictures) != len(labels):
        raise ConfigError(
            "montage",
            [
                "it needs at least one picture and one caption for each, "
                f"got {len(pictures)} pictures and {len(labels)} captions"
            ],
        )
    if columns is not None and not (is_whole(columns) and columns >= 1):
        raise ConfigError("montage", [f"columns must be >= 1, got {columns!r}"])
    images = [_read(picture) for picture in pictures]
    shapes = {image.shape for image in images}
    if len(shapes) > 1:
        raise ShapeError(f"pictures must have one size, got {sorted(shapes)}.")
    height, width = images[0].shape[:2]
    n_columns = min(len(images), 4 if columns is None else columns)
    n_rows = -(-len(images) // n_columns)
    inch = 3.2
    figure = new_figure(
        inch * n_columns, (inch * height / width + 0.3) * n_rows + 0.35 * bool(title)
    )
    for k, (image, label) in enumerate(zip(images, labels, strict=True)):
        axes = figure.add_subplot(n_rows, n_columns, k + 1)
        axes.imshow(image, interpolation="antialiased")
        axes.set_axis_off()
        axes.set_title(label, fontsize=10, y=-0.09)
    if title:
        figure.suptitle(title, fontsize=12)
    return save_figure(figure, path)
