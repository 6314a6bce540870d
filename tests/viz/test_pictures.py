"""Picture files and montages."""

import numpy as np
import pytest
from PIL import Image

from equipoise.core.errors import BadFileError, ConfigError, ShapeError
from equipoise.viz.pictures import montage, write_png


def plain(rgb: tuple[int, int, int], size: tuple[int, int] = (80, 60)) -> np.ndarray:
    return np.full((size[1], size[0], 3), rgb, dtype=np.uint8)


def test_png_keeps_every_pixel(tmp_path, rng):
    image = rng.integers(0, 256, (30, 40, 3), dtype=np.uint8)
    with Image.open(write_png(tmp_path / "a.png", image)) as stored:
        assert (np.asarray(stored) == image).all()  # exact: PNG loses nothing


@pytest.mark.parametrize(
    "image", [np.zeros((3, 4)), np.zeros((3, 4, 3)), np.zeros((3, 4, 4), np.uint8)]
)
def test_what_is_no_picture_is_refused(tmp_path, image):
    with pytest.raises(ShapeError, match="image must have shape"):
        write_png(tmp_path / "a.png", image)
    assert not list(tmp_path.iterdir())


def test_montage_holds_all_pictures_in_order(tmp_path):
    colours = [(200, 30, 30), (30, 160, 30), (30, 30, 200)]
    first = write_png(tmp_path / "first.png", plain(colours[0]))
    path = montage(
        [first, plain(colours[1]), plain(colours[2])],
        ["start", "end $\\frac{$", "<b>"],
        tmp_path / "all.png",
        title="x",
    )
    with Image.open(path) as stored:
        image = np.asarray(stored.convert("RGB")).astype(int)
    middles = []
    for rgb in colours:
        near = np.abs(image - rgb).max(axis=2) <= 2
        # each fills about a third of the width and most of the height
        assert near.mean() > 0.15
        middles.append(np.flatnonzero(near.any(axis=0)).mean())
    assert middles == sorted(middles)


def test_rows_wrap(tmp_path):
    paths = [
        montage([plain((9, 9, 9))] * 4, list("abcd"), tmp_path / f"{n}.png", columns=n)
        for n in (2, 4)
    ]
    sizes = [Image.open(path).size for path in paths]
    assert sizes[0][0] < sizes[1][0]
    assert sizes[0][1] > sizes[1][1]


def test_montage_refuses_what_does_not_fit(tmp_path):
    out = tmp_path / "out.png"
    with pytest.raises(ConfigError, match="1 pictures and 2 captions"):
        montage([plain((0, 0, 0))], ["a", "b"], out)
    with pytest.raises(ConfigError, match="at least one picture"):
        montage([], [], out)
    with pytest.raises(ConfigError, match="columns must be >= 1, got 0"):
        montage([plain((0, 0, 0))], ["a"], out, columns=0)
    with pytest.raises(ShapeError, match="one size"):
        montage([plain((0, 0, 0)), plain((0, 0, 0), (9, 9))], ["a", "b"], out)
    with pytest.raises(BadFileError, match="does not exist"):
        montage([tmp_path / "none.png"], ["a"], out)
    (tmp_path / "text.png").write_text("no picture")
    with pytest.raises(BadFileError, match="is not a picture"):
        montage([tmp_path / "text.png"], ["a"], out)
    assert not out.exists()
