"""What a walk leaves behind: recording, plots, a picture, a replay and its numbers."""

import json
from pathlib import Path
from typing import TYPE_CHECKING

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.files import write_json, write_together
from equipoise.core.log import timed
from equipoise.robots.visuals.picture import picture_model
from equipoise.runs.replay.page import ABOVE, REPLAY, SIDE, write_run_replay
from equipoise.runs.walk.walk import WalkResult
from equipoise.sim.recorded_looks import looks_in, recorded_spec
from equipoise.sim.recording import write_run
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.foot_plots import plot_feet
from equipoise.viz.pictures import montage
from equipoise.viz.push import push_of, push_words
from equipoise.viz.raycast import draw
from equipoise.viz.walk_plots import plot_steps, plot_walk
from equipoise.viz.way_plot import plot_way

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["model_near", "walk_camera", "write_walk", "write_walk_stills"]

STILLS = 4
APART = 0.25  # of the stills, at most [s]
STILL = (440, 380)  # width and height [pixels]
NEAR = 1.5  # blocks farther from the machine are not drawn [m]


def write_walk(result: WalkResult, out: str | Path) -> list[Path]:
    """Write a walk's files and return them.

    ``run.nc``, ``walk.json``, ``walk.png`` (signals in time), ``steps.png`` (who should
    stand and who does), ``feet.png`` (from above), ``stills.png`` and ``replay.html``;
    of a walk to a place ``way.png`` too. A controller that tells no schedule, as one of
    a user's own, has no plots that compare with it.

    Args:
        result: the walk.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    run, has_goal = result.dataset, result.summary["goal"] is not None
    return write_together(
        out,
        lambda folder: [
            write_run(run, folder / "run.nc"),
            write_json(folder, "walk.json", result.summary),
            *_planned_plots(run, folder),
            write_walk_stills(run, folder / "stills.png"),
            write_run_replay(run, folder / REPLAY),
            *([plot_way(run, folder / "way.png")] if has_goal else []),
        ],
    ).files


def _planned_plots(run: "xr.Dataset", folder: Path) -> list[Path]:
    """Draw a walk beside its schedule; nothing where the controller told none.

    Args:
        run: a recorded walk.
        folder: where to.
    """
    if "said_schedule" not in run:
        return []
    return [
        plot_walk(run, folder / "walk.png"),
        plot_steps(run, folder / "steps.png"),
        plot_feet(run, folder / "feet.png"),
    ]


@timed("drawing")
def write_walk_stills(run: "xr.Dataset", path: str | Path) -> Path:
    """Draw four moments of a walk side by side, from one camera.

    They are the last ones, or, of a walk that is pushed and does not fall, those from
    the push on.

    Args:
        run: a recorded walk.
        path: the file to make or replace.
    """
    time = run["frame_time"].values
    frames = np.searchsorted(time, still_moments(run) - 1e-9).clip(0, len(time) - 1)
    poses = [run["qpos"].values[frame] for frame in frames]
    model = model_near(run, np.array(poses), NEAR)
    camera = walk_camera(run, np.array(poses), STILL)
    pictures = [draw(model, pose, size=STILL, camera=camera) for pose in poses]
    labels = [f"{time[frame]:.2f} s" for frame in frames]
    push = push_of(run)
    pushed = "" if push is None else f"{push_words(push)} at {push.start:.3g} s"
    return montage(pictures, labels, path, columns=STILLS, title=pushed)


def still_moments(run: "xr.Dataset") -> Array:
    """Return when the stills of a walk are taken, (4,) [s].

    Args:
        run: a recorded walk.
    """
    last = float(run["frame_time"].values[-1])
    apart = min(APART, last / STILLS)
    push, summary = push_of(run), json.loads(str(run.attrs.get("summary", "{}")))
    if push is not None and not summary.get("fell"):
        middle = push.start + 0.5 * push.duration
        last = min(last, middle + (STILLS - 1) * apart)
    return last - apart * np.arange(STILLS - 1, -1, -1, dtype=np.float64)


def walk_camera(
    run: "xr.Dataset", poses: Array, size: tuple[int, int] = (720, 480)
) -> Camera:
    """Return a camera that sees a walking machine, however large its terrain is.

    Args:
        run: a recorded walk.
        poses: to keep in view, (n, nq).
        size: of the picture [pixels].
    """
    return camera_for(
        model_near(run, poses, 0.0),
        list(poses),
        size=size,
        azimuth_deg=SIDE,
        elevation_deg=ABOVE,
        margin=0.05,
    )


def model_near(run: "xr.Dataset", poses: Array, reach: float) -> mujoco.MjModel:
    """Return a walk's machine with as much of its ground as there is near some poses.

    Args:
        run: a recorded walk.
        poses: (n, nq).
        reach: how far blocks may be to be kept, 0 for no ground at all [m].
    """
    spec = recorded_spec(run)
    for geom in list(spec.worldbody.geoms):
        away = np.abs(poses[:, :2] - geom.pos[:2]).max(axis=1).min()
        is_block = geom.type != mujoco.mjtGeom.mjGEOM_PLANE
        if reach == 0.0 or (is_block and away > reach):
            spec.delete(geom)
    return picture_model(spec, looks_in(run))
