"""A motion as a moving picture, drawn without a screen or a GL library."""

import os
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import final

import mujoco
import numpy as np
from PIL import Image as Pillow

from equipoise.core.arrays import Array, VecN
from equipoise.core.files import atomic_write
from equipoise.core.text import shown
from equipoise.viz.camera import Camera
from equipoise.viz.movie.frame import FINE, MovieStage, movie_stage
from equipoise.viz.movie.gif import gif_of
from equipoise.viz.movie.marks import LOUD, MovieMarks, legend, marked
from equipoise.viz.movie.panel import MovieChart, blank_panel, write_header, write_now
from equipoise.viz.pictures import Image

__all__ = ["PANEL", "SCENE", "Movie", "write_movie"]

SCENE, PANEL = (480, 304), (480, 56)
"""Width and height of the robot's picture, and of the numbers below it [pixels]."""
THREADS = 4
LONGEST_TITLE = 44
Progress = Callable[[float], None]


@final
@dataclass(frozen=True, kw_only=True, eq=False)
class Movie:
    """Everything a moving picture shows; nt frames."""

    model: mujoco.MjModel = field(repr=False)
    qpos: Array = field(repr=False)
    """(nt, nq)."""
    time: VecN = field(repr=False)
    """(nt,) [s]."""
    cameras: Sequence[Camera] = field(repr=False)
    """One a frame."""
    marks: MovieMarks
    chart: MovieChart
    title: str
    fps: float = 20.0
    """Frames a second of the picture."""
    speed: float = 1.0
    """Of the motion, 1 for real time."""


def write_movie(
    path: str | Path, movie: Movie, progress: Progress | None = None
) -> Path:
    """Write a moving picture as GIF, whole or not at all, and return its path.

    Args:
        path: the file to make or replace.
        movie: what it shows.
        progress: called with the share done, in [0, 1].

    Raises:
        BadFileError: the file cannot be written.
    """
    return atomic_write(path, gif_of(frames_of(movie, progress), movie.fps, LOUD))


def frames_of(movie: Movie, progress: Progress | None = None) -> list[Image]:
    """Return all frames, (height, width, 3) each; several are drawn at a time.

    Args:
        movie: what they show.
        progress: called with the share done, in [0, 1].
    """
    stage, panel = movie_stage(movie.model, SCENE), blank_panel(movie.chart, PANEL)

    def draw(k: int) -> Image:
        return _frame_of(movie, stage, panel, k)

    crew = min(os.cpu_count() or 1, THREADS)
    with ThreadPoolExecutor(crew) as pool:
        return _told(pool.map(draw, range(len(movie.time))), len(movie.time), progress)


def _told(
    frames: Iterable[Image], count: int, progress: Progress | None
) -> list[Image]:
    """Return frames one by one, telling how many are done."""
    found: list[Image] = []
    for frame in frames:
        found.append(frame)
        if progress is not None:
            progress(len(found) / count)
    return found


def _frame_of(movie: Movie, stage: MovieStage, panel: Pillow.Image, k: int) -> Image:
    """Return one frame."""
    camera, time = movie.cameras[k], float(movie.time[k])
    drawing = stage.draw(movie.qpos[k], camera)
    scene = marked(drawing, movie.marks, k, time, camera)
    slow = "" if movie.speed == 1.0 else f"   {movie.speed:g} x speed"
    write_header(scene, shown(movie.title, LONGEST_TITLE), f"{time:.2f} s{slow}")
    legend(scene, movie.marks)
    below = write_now(panel, movie.chart, k, PANEL)
    whole = Pillow.new("RGB", (scene.size[0], scene.size[1] + below.size[1]))
    whole.paste(scene, (0, 0))
    whole.paste(below, (0, scene.size[1]))
    return np.asarray(whole.reduce(FINE))
