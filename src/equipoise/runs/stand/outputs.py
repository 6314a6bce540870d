"""What a standing run leaves behind: recording, plot, stills and a replay."""

from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from equipoise.core.files import write_together
from equipoise.core.log import timed
from equipoise.runs.replay.page import REPLAY, write_run_replay
from equipoise.runs.stand.stand import StandResult
from equipoise.sim.recorded_looks import replay_model
from equipoise.sim.recording import write_run
from equipoise.viz.camera import camera_for
from equipoise.viz.pictures import montage
from equipoise.viz.raycast import draw
from equipoise.viz.stand_plots import plot_stand

if TYPE_CHECKING:
    import xarray as xr  # slow to import

__all__ = ["write_stand", "write_stills"]

MOMENTS = (0.0, 0.08, 0.2, 0.4)
"""Of the stills, the end aside: start, hit, heels up, heels down again [s]."""
SIDE = 68.0  # where the camera stands, from +x towards +y [degrees]
STILL = (520, 540)  # width and height [pixels]


def write_stand(result: StandResult, out: str | Path) -> list[Path]:
    """Write ``run.nc``, ``stand.png``, ``stills.png`` and ``replay.html``.

    Args:
        result: the run.
        out: the folder, made if needed.

    Raises:
        BadFileError: a file cannot be written; none is.
    """
    run = result.dataset
    return write_together(
        out,
        lambda folder: [
            write_run(run, folder / "run.nc"),
            plot_stand(run, folder / "stand.png"),
            write_stills(run, folder / "stills.png"),
            write_run_replay(run, folder / REPLAY),
        ],
    ).files


@timed("drawing")
def write_stills(run: "xr.Dataset", path: str | Path) -> Path:
    """Draw some moments of a run side by side, from one camera.

    Args:
        run: a recorded run.
        path: the file to make or replace.
    """
    model, time = replay_model(run), run["frame_time"].values
    finite = np.isfinite(run["qpos"].values).all(axis=1)
    last = int(np.flatnonzero(finite)[-1])
    frames = [int(np.searchsorted(time, moment - 1e-9)) for moment in MOMENTS]
    frames = [*(frame for frame in frames if frame < last), last]
    poses = [run["qpos"].values[frame] for frame in frames]
    camera = camera_for(
        model, poses, size=STILL, azimuth_deg=SIDE, elevation_deg=9.0, margin=0.03
    )
    pictures = [draw(model, pose, size=STILL, camera=camera) for pose in poses]
    labels = [f"{time[frame]:.2f} s" for frame in frames]
    return montage(pictures, labels, path, columns=len(pictures))
