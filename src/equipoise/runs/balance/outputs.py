"""What a balance run leaves behind: the recording, a plot, pictures and a replay."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import mujoco

from equipoise.core.files import write_together
from equipoise.robots.visuals.robot_looks import robot_picture_model
from equipoise.runs.balance.balance import BalanceResult
from equipoise.runs.replay.page import REPLAY, goal_point, write_run_replay
from equipoise.sim.recording import write_run
from equipoise.viz.camera import Camera, camera_for
from equipoise.viz.markers import Markers
from equipoise.viz.pictures import Image, montage, write_png
from equipoise.viz.plots import plot_balance, run_label
from equipoise.viz.raycast import draw
from equipoise.viz.shapes import box_corners, data_in_pose

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["write_outputs"]


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
    return write_together(out, lambda folder: _write_files(results, folder)).files


def _write_files(results: Sequence[BalanceResult], out: Path) -> list[Path]:
    """Write everything into a folder, one file after the other."""
    runs = [result.dataset for result in results]
    names = [""] if len(runs) == 1 else [f"-{name}" for name in _file_names(runs)]
    written = [
        write_run(run, out / f"run{name}.nc")
        for run, name in zip(runs, names, strict=True)
    ]
    written.append(plot_balance(runs, out / "balance.png"))
    written += _write_pictures(results, names, out)
    written.append(write_run_replay(runs[-1], out / REPLAY))
    return written


def _file_names(runs: Sequence["xr.Dataset"]) -> list[str]:
    """Return a short name for each of several runs."""
    return [
        str(run.attrs["controller"])
        + ("" if run.attrs["gravity_compensation"] else "-uncompensated")
        for run in runs
    ]


def _write_pictures(
    results: Sequence[BalanceResult], names: Sequence[str], out: Path
) -> list[Path]:
    """Draw the start once and every end, all from one camera."""
    runs, model = (
        [result.dataset for result in results],
        robot_picture_model(results[-1].robot),
    )
    poses = [runs[0]["qpos"].values[0], *(run["qpos"].values[-1] for run in runs)]
    camera = camera_for(model, poses)
    tops = [
        box_corners(model, data_in_pose(model, pose))[:, :, 2].max() for pose in poses
    ]
    top = 1.05 * float(max(tops))
    start = _picture(model, runs[0], 0, camera, top)
    ends = [_picture(model, run, -1, camera, top) for run in runs]
    written = [write_png(out / "start.png", start)]
    for end, name in zip(ends, names, strict=True):
        written.append(write_png(out / f"end{name}.png", end))
    if len(runs) > 1:
        labels = ["start", *(_caption(run) for run in runs)]
        written.append(montage([start, *ends], labels, out / "robots.png", columns=4))
    return written


def _caption(run: "xr.Dataset") -> str:
    """Return what stands below a picture of a run's end."""
    label = run_label(run.attrs).replace("gravity compensation off", "uncompensated")
    return f"{label}: {float(run['distance_w'].values[-1]):.2f} w"


def _picture(
    model: mujoco.MjModel, run: "xr.Dataset", frame: int, camera: Camera, top: float
) -> Image:
    """Draw one recorded pose with its centre of mass and the goal's line."""
    com = run["com"].values[frame]
    marks = Markers(com=com, line_point=goal_point(run), line_top=top)
    return draw(model, run["qpos"].values[frame], markers=marks, camera=camera)
