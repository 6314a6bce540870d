"""What a balance run leaves behind: the recording, a plot, pictures and a replay."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import mujoco
import numpy as np

from equipoise.core.arrays import Array
from equipoise.core.errors import BadFileError
from equipoise.core.files import write_together
from equipoise.robots.visuals.picture import picture_model
from equipoise.runs.balance.balance import BalanceResult
from equipoise.sim.recorded_looks import looks_in, recorded_spec, replay_model
from equipoise.sim.recording import write_run
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.markers import Markers
from equipoise.viz.pictures import Image, montage, write_png
from equipoise.viz.plots import plot_balance, run_label
from equipoise.viz.raycast import draw
from equipoise.viz.replay import FRAMES_A_SECOND, write_replay
from equipoise.viz.shapes import box_corners, posed

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["model_near", "walk_camera", "write_outputs", "write_run_replay"]

REPLAY = "replay.html"
SIDE, ABOVE = -62.0, 14.0  # of a walk's camera, from +x towards +y [degrees]
QUICK_FRAMES_A_SECOND = 100.0  # for a hit, which is over in hundredths of a second


def write_outputs(results: Sequence[BalanceResult], out: str | Path) -> list[Path]:
    """Write a run, or runs to be compared, and return the files.

    One run gives ``run.nc``, ``balance.png``, ``start.png``, ``end.png`` and
    ``replay.html``. Several give ``run-<controller>[-uncompensated].nc`` and a picture
    ``end-...png`` each, and one ``start.png``, ``balance.png``, ``robots.png`` (start
    and ends side by side) and ``replay.html`` of the last.

    Args:
        results: the runs; several are of one robot, from the same start.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    return write_together(out, lambda folder: write_files(results, folder)).files


def write_files(results: Sequence[BalanceResult], out: Path) -> list[Path]:
    """Write everything into a folder, one file after the other."""
    runs = [result.dataset for result in results]
    names = [""] if len(runs) == 1 else [f"-{name}" for name in file_names(runs)]
    written = [
        write_run(run, out / f"run{name}.nc")
        for run, name in zip(runs, names, strict=True)
    ]
    written.append(plot_balance(runs, out / "balance.png"))
    written += write_pictures(results, names, out)
    model = results[-1].robot.picture_model
    written.append(write_run_replay(runs[-1], out / REPLAY, model))
    return written


def file_names(runs: Sequence["xr.Dataset"]) -> list[str]:
    """Return a short name for each of several runs."""
    return [
        str(run.attrs["controller"])
        + ("" if run.attrs["gravity_compensation"] else "-uncompensated")
        for run in runs
    ]


def write_pictures(
    results: Sequence[BalanceResult], names: Sequence[str], out: Path
) -> list[Path]:
    """Draw the start once and every end, all from one camera."""
    runs, model = (
        [result.dataset for result in results],
        results[-1].robot.picture_model,
    )
    poses = [runs[0]["qpos"].values[0], *(run["qpos"].values[-1] for run in runs)]
    camera = camera_for(model, poses)
    tops = [box_corners(model, posed(model, pose))[:, :, 2].max() for pose in poses]
    top = 1.05 * float(max(tops))
    start = picture(model, runs[0], 0, camera, top)
    ends = [picture(model, run, -1, camera, top) for run in runs]
    written = [write_png(out / "start.png", start)]
    for end, name in zip(ends, names, strict=True):
        written.append(write_png(out / f"end{name}.png", end))
    if len(runs) > 1:
        labels = ["start", *(caption(run) for run in runs)]
        written.append(montage([start, *ends], labels, out / "robots.png", columns=4))
    return written


def caption(run: "xr.Dataset") -> str:
    """Return what stands below a picture of a run's end."""
    label = run_label(run.attrs).replace("gravity compensation off", "uncompensated")
    return f"{label}: {float(run['distance_w'].values[-1]):.2f} w"


def picture(
    model: mujoco.MjModel, run: "xr.Dataset", frame: int, camera: Camera, top: float
) -> Image:
    """Draw one recorded pose with its centre of mass and the goal's line."""
    com = run["com"].values[frame]
    marks = Markers(com=com, line_point=ground_point(run), line_top=top)
    return draw(model, run["qpos"].values[frame], markers=marks, camera=camera)


def ground_point(run: "xr.Dataset") -> np.ndarray:
    """Return where the goal's vertical meets the ground, (3,) [m]."""
    x, y, _ = json.loads(run.attrs["goal"])
    return np.array([x, y, 0.0])


def write_run_replay(
    run: "xr.Dataset",
    path: str | Path,
    model: mujoco.MjModel | None = None,
    where: str = "the run",
) -> Path:
    """Write a recorded run as one HTML file that plays in a browser.

    Args:
        run: a recorded run, of modules with a goal, of a robot on its feet, or a walk.
        path: the file to make or replace.
        model: the robot, compiled; None takes the one in the recording.
        where: what the run is called in an error, its file.

    Raises:
        BadFileError: the recording has no usable robot, or the file cannot be written.
    """
    model = replay_model(run, where) if model is None else model
    try:
        shown = replay_of(run)
        return write_replay(path, model, **shown)
    except (KeyError, IndexError, TypeError, ValueError, OverflowError) as error:
        if isinstance(error, BadFileError):
            raise
        raise BadFileError(
            f"{where} is not a whole balance run ({error}); record it again."
        ) from None


def replay_of(run: "xr.Dataset") -> dict[str, Any]:
    """Return what a page shows of a run; fails in many ways where a part is missing."""
    frame_time, time = run["frame_time"].values, run["time"].values
    at = np.searchsorted(time, frame_time - 1e-9).clip(0, len(time) - 1)
    is_walk, is_quick = "static_margin" in run, "position_error" in run
    has_goal = not (is_walk or is_quick)
    qpos = run["qpos"].values
    return {
        "time": frame_time,
        "qpos": qpos,
        "com": run["com"].values[at],
        "line_point": ground_point(run) if has_goal else None,
        "title": f"{run.attrs['robot']}, {run_label(run.attrs)}",
        "width": float(run.attrs["module_width_m"]) if has_goal else None,
        "camera": walk_camera(run, qpos[[0, -1]]) if is_walk else None,
        "fps": QUICK_FRAMES_A_SECOND if is_quick else FRAMES_A_SECOND,
    }


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
