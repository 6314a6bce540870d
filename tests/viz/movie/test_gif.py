"""GIF files of ours, read back by Pillow."""

import io

import numpy as np
import pytest
from PIL import Image

from equipoise.core.errors import ConfigError
from equipoise.viz.movie import gif
from equipoise.viz.movie.gif import (
    CLEAR,
    DEPTH,
    PAUSE,
    STEPS,
    gif_of,
    header,
    image,
)
from equipoise.viz.movie.lzw import packed_pixels

ITSELF = np.arange(CLEAR + 1, dtype=np.uint8)[:, None]


def moving_square(count):
    """Return frames of a red square that moves over a grey floor."""
    frames = []
    for k in range(count):
        frame = np.full((60, 90, 3), 230, np.uint8)
        frame[20:40, 5 + 2 * k : 25 + 2 * k] = (200, 30, 40)
        frames.append(frame)
    return frames


def read(data):
    """Return the frames of a file and how long each is shown [ms]."""
    file = Image.open(io.BytesIO(data))
    frames, lasts = [], []
    for k in range(file.n_frames):
        file.seek(k)
        frames.append(np.asarray(file.convert("RGB")).astype(int))
        lasts.append(file.info["duration"])
    return frames, lasts


@pytest.mark.parametrize("colours", [1, 2, 3, 40, CLEAR])
def test_packed_pixels_come_back_as_they_were(colours):
    rng = np.random.default_rng(colours)
    pixels = rng.integers(0, colours, 30_011).astype(np.uint8)
    pixels[5000:20_000] = np.repeat(pixels[5000:5150], 100)  # runs fill the table too
    kept = pixels.copy()
    data = packed_pixels(pixels, ITSELF, DEPTH).tobytes()
    assert np.array_equal(pixels, kept)
    greys = np.repeat(ITSELF, 3, axis=1).astype(np.int16)
    width = 30_011
    file = header(width, 1, greys) + image((0, 0, 1, width), 4, data) + b";"
    found = Image.open(io.BytesIO(file)).convert("RGB")
    assert np.array_equal(np.asarray(found)[0, :, 0], kept)


def test_a_known_run_goes_on_over_a_colour_that_is_alike():
    pixels = np.array([1, 2, 1, 2, 1, 3], np.uint8)
    alike = ITSELF.copy()
    alike[3] = 2
    packed_pixels(pixels, alike, DEPTH)
    assert pixels.tolist() == [1, 2, 1, 2, 1, 2]  # as it was written, not as asked


def test_every_frame_comes_back_within_a_step():
    frames = moving_square(20)
    found, lasts = read(gif_of(frames, 25.0))
    assert len(found) == 20
    assert lasts == [40] * 19 + [40 + 10 * PAUSE]
    off = [np.abs(a - b).max() for a, b in zip(found, frames, strict=True)]
    assert max(off) <= STEPS[0]
    assert np.abs(found[0] - frames[19]).max() > 100  # and it does move


def test_a_rate_that_hundredths_cannot_tell_is_kept_on_the_whole():
    _, lasts = read(gif_of(moving_square(24), 24.0))
    assert set(lasts[:-1]) == {40, 50}
    assert sum(lasts) == 1000 + 10 * PAUSE


def test_colours_that_are_kept_are_exact():
    frames = moving_square(3)
    frames[1][:3, :3] = (204, 121, 167)  # nine pixels of all
    found, _ = read(gif_of(frames, 20.0, [(204, 121, 167)]))
    assert (found[1][:3, :3] == (204, 121, 167)).all()


def test_a_file_stays_below_its_limit_by_leaving_frames_out():
    rng = np.random.default_rng(1)
    frames = [rng.integers(0, 255, (40, 60, 3)).astype(np.uint8) for _ in range(12)]
    whole = gif_of(frames, 20.0)
    less = gif_of(frames, 20.0, most=len(whole) // 2)
    assert len(less) < len(whole) // 2
    kept, lasts = read(less)
    assert len(kept) < 12
    assert sum(lasts) == pytest.approx(600 + 10 * PAUSE, abs=60)


def test_nothing_is_no_picture():
    with pytest.raises(ConfigError, match="it needs frames"):
        gif_of([], 20.0)


@pytest.mark.parametrize("which", range(5))
def test_colours_are_off_by_larger_steps_until_a_file_is_small_enough(
    which, monkeypatch
):
    """Five are tried, of 5, 8, 12, 16 and 22 of 255, and the first that fits is it."""
    tried = []

    def encoded(frames, wanted, fps, palette, step):
        tried.append((len(frames), fps, step))
        return bytes(100 - 10 * (len(tried) - 1))

    monkeypatch.setattr(gif, "_encoded", encoded)
    frames = moving_square(12)
    found = gif_of(frames, 24.0, most=101 - 10 * which)
    assert len(found) == 100 - 10 * which
    assert tried == [(12, 24.0, step) for step in (5, 8, 12, 16, 22)[: which + 1]]


def test_frames_are_left_out_last_and_the_smallest_file_is_kept(monkeypatch):
    tried = []

    def encoded(frames, wanted, fps, palette, step):
        tried.append((len(frames), len(wanted), fps, step))
        return bytes(100)

    monkeypatch.setattr(gif, "_encoded", encoded)
    assert len(gif_of(moving_square(12), 24.0, most=100)) == 100
    last = [(6, 6, 12.0, 22), (4, 4, 8.0, 22), (3, 3, 6.0, 22)]
    assert tried[5:] == last and len(tried) == 8
